import { URI } from 'otpauth'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../packages/server/tests/support/chromium.ts'
import { type Application, missingExample, startExample } from './application.ts'

const PASSWORD = 'correct horse battery staple'
const missing = missingBrowser ?? missingExample('account-page')

describe('the example of an account page with own components', {
  ...inBrowser,
  timeout: 120_000,
}, () => {
  let browser: Browser
  let application: Application
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })
  beforeAll(async () => {
    if (missing !== undefined) return
    browser = await launch()
    application = await startExample('account-page', {
      build: [process.execPath, 'build.ts'],
      start: ['node', 'server.ts'],
      // Mails go into the mailbox of the service.
      env: { NODE_ENV: 'development' },
    })
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await application?.[Symbol.asyncDispose]()
  })

  const at = (path: string): string => application.origin + path

  async function signUp(page: Page, address: string): Promise<void> {
    await page.goto(at('/auth/password/sign-up'))
    await page.getByLabel('Email address').fill(address)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(at('/auth/password/verify'))
    await page.goto(at('/auth/mailbox'))
    const mail = page.locator('article').filter({ hasText: address }).first()
    const code = /\b\d{6}\b/.exec((await mail.textContent()) ?? '')?.[0] ?? ''
    await page.goto(at('/auth/password/verify'))
    await page.getByLabel('Code from the email').fill(code)
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/password'))
  }

  /** Signs the same person in with another browser. */
  async function signInElsewhere(address: string): Promise<BrowserContext> {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at('/auth/signin?callbackUrl=/react'))
    await page.getByLabel('Email address').fill(address)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(at('/react'))
    return context
  }

  async function addAuthenticator(page: Page): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  test.each(['react', 'vue', 'svelte', 'solid'])(
    'the page with %s changes the name, adds a passkey and an authenticator app, and ends sessions',
    async (name) => {
      const address = `${name}@example.org`
      await using context = await browser.newContext()
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      await addAuthenticator(page)
      await signUp(page, address)
      await page.goto(at(`/${name}`))
      const section = (id: string) => page.locator(`#${id}`)

      await section('profile').getByText(address).first().waitFor()
      await section('profile').getByLabel('Name').fill('Ada Lovelace')
      await section('profile').getByRole('button', { name: 'Save' }).click()
      await section('profile').getByRole('heading', { name: 'Ada Lovelace' }).waitFor()

      await section('passkeys').getByRole('button', { name: 'Add a passkey' }).click()
      await section('passkeys').getByLabel('Name of the passkey').fill('My computer')
      await section('passkeys').getByRole('button', { name: 'Rename' }).click()
      await expect
        .poll(async () => (await context.request.get(at('/auth/account/passkeys'))).json())
        .toMatchObject({ passkeys: [{ name: 'My computer' }] })

      await section('two-factor').getByRole('button', { name: 'Add an authenticator app' }).click()
      const image = section('two-factor').getByRole('img')
      expect(await image.evaluate((each: HTMLImageElement) => each.decode().then(() => true))).toBe(
        true,
      )
      const authenticator = URI.parse((await image.getAttribute('alt')) ?? '')
      await section('two-factor').getByLabel('Code of the app').fill(authenticator.generate())
      await section('two-factor').getByRole('button', { name: 'Confirm' }).click()
      await section('two-factor').locator('pre').waitFor()
      expect((await section('two-factor').locator('pre').textContent())?.split('\n')).toHaveLength(
        10,
      )

      await section('sessions').getByText('(this browser)').waitFor()
      expect(problems).toEqual([])
    },
  )

  test('a session that another browser began is shown, and ends', async () => {
    const address = 'sessions@example.org'
    await using context = await browser.newContext()
    const page = await context.newPage()
    await signUp(page, address)
    await using elsewhere = await signInElsewhere(address)
    await page.goto(at('/solid'))
    const others = page.locator('#sessions li').filter({ hasNotText: '(this browser)' })
    await others.first().waitFor()
    await others.first().getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => others.count()).toBe(0)
    const answer = await elsewhere.request.get(at('/auth/session'))
    expect(await answer.json()).toBeNull()
  })
})
