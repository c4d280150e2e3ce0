import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { toNodeListener } from 'latchkey/node'
import { sessions } from 'latchkey/plugins/sessions'
import { signInAs } from 'latchkey/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  inBrowser,
  launch,
  missingBrowser,
  openWindow,
  type WindowOptions,
} from '../support/chromium.ts'
import { needsBrowser } from '../support/needs-browser.ts'

const PASSWORD = 'open sesame'

const ada = { name: 'Ada', email: 'ada@example.com' }

describe.each(['jwt', 'database'] as const)('the page of %s sessions', inBrowser, (strategy) => {
  const config = {
    secret: 'a secret for tests, 0123456789abcdef',
    trustHost: true,
    adapter: memoryAdapter(),
    session: { strategy },
    providers: [
      {
        id: 'credentials',
        name: 'Password',
        type: 'credentials' as const,
        credentials: { password: { label: 'Password', type: 'password' } },
        authorize: async ({ password }: { password?: unknown }) =>
          password === PASSWORD ? stored : null,
      },
      ...['acme', 'corp'].map((id) => ({
        id,
        name: id,
        type: 'oauth' as const,
        clientId: 'client',
        clientSecret: 'secret',
        authorization: 'https://provider.example/authorize',
        token: 'https://provider.example/token',
        userinfo: 'https://provider.example/user',
      })),
    ],
    plugins: [sessions({ remember: 'ask' })],
    logger: { error() {}, warn() {}, debug() {} },
  }
  const stored = { id: 'bob', name: 'Bob', email: 'bob@example.com', emailVerified: null }
  let browser: Browser
  let server: Server
  let origin: string
  needsBrowser()
  beforeAll(async () => {
    if (missingBrowser !== undefined) return
    server = createServer(toNodeListener(createLatchkey(config, {}))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://localhost:${(server.address() as AddressInfo).port}`
    browser = await launch()
    await config.adapter.createUser?.(stored)
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  async function signedIn(options: Omit<WindowOptions, 'origin'>) {
    const window = await openWindow(browser, { origin, ...options })
    await window.context.addCookies((await signInAs(config, ada, origin)).cookies)
    return window
  }

  for (const [scripts, scheme, width] of [
    [true, 'dark', 320],
    [false, 'light', 900],
  ] as const) {
    test(`ends one and all others, with${scripts ? '' : 'out'} scripts`, async () => {
      const here = await signedIn({ scripts, scheme, width })
      const there = await signedIn({})
      const elsewhere = await signedIn({})
      const { page } = here
      await page.goto(`${origin}/auth/account/sessions`)
      await expect.poll(() => page.locator('li.row').count()).toBe(3)
      const overflow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
      if (scripts) expect(await page.evaluate(overflow)).toBe(false)
      await here.screenshot(`sessions-${strategy}`)

      const first = page.locator('li.row').first()
      await first.locator('summary').click()
      await here.screenshot(`sessions-rename-${strategy}`)
      await first.getByLabel('Name of this session').fill('Desk at work')
      await first.getByRole('button', { name: /^Save the name of / }).click()
      expect(await page.getByRole('status').textContent()).toBe('The name was saved.')
      expect(await first.locator('strong').textContent()).toBe('Desk at work')

      await page
        .getByRole('button', { name: /^Sign out ./ })
        .first()
        .click()
      const notice = page.getByRole('status')
      expect(await notice.textContent()).toBe('The device was signed out.')
      await expect.poll(() => notice.evaluate((element) => element.matches(':focus'))).toBe(true)
      await expect.poll(() => page.locator('li.row').count()).toBe(2)

      await page.getByRole('link', { name: 'Sign out all others' }).click()
      await here.screenshot(`sessions-question-${strategy}`)
      await page.getByRole('button', { name: 'Sign out 1 device' }).click()
      await expect.poll(() => page.locator('li.row').count()).toBe(1)

      for (const { page: other } of [there, elsewhere]) {
        await other.goto(`${origin}/auth/account/sessions`)
        expect(new URL(other.url()).pathname).toBe('/auth/signin')
      }
      await page.getByRole('link', { name: 'Sign out everywhere' }).click()
      await page.getByRole('button', { name: 'Sign out 1 device' }).click()
      await page.goto(`${origin}/auth/session`)
      expect(await page.textContent('body')).toBe('null')
      expect(here.complaints).toEqual([])
      for (const window of [here, there, elsewhere]) await window.close()
    })

    test(`offers to stay signed in, with${scripts ? '' : 'out'} scripts`, async () => {
      const window = await openWindow(browser, { origin, scripts, scheme, width })
      const { page } = window
      const session = async () =>
        (await window.context.cookies()).find(({ name }) => name.endsWith('session-token'))
      for (const isTicked of [false, true]) {
        await page.goto(`${origin}/auth/signin?callbackUrl=/auth/session`)
        await window.screenshot(`remember-${strategy}`)
        const form = page.locator('form', { has: page.getByLabel('Password', { exact: true }) })
        const box = form.getByLabel('Keep me signed in on this device')
        expect(await box.isChecked()).toBe(false)
        if (isTicked) await box.check()
        await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await form.getByRole('button', { name: /^Sign in/ }).click()
        await page.goto(`${origin}/auth/session`)
        expect(await page.textContent('body')).toContain('Bob')
        expect(((await session())?.expires ?? 0) > 0).toBe(isTicked)
      }
      await page.goto(`${origin}/auth/signin?callbackUrl=/auth/session`)
      const asked = page.waitForRequest(/\/auth\/signin\/corp$/)
      const led = page.waitForRequest('https://provider.example/authorize?**')
      await page.getByLabel('Keep me signed in on this device').check()
      await page.getByRole('button', { name: 'Continue with corp' }).click()
      expect((await asked).postData()).toContain('remember=1')
      await led
      const others = window.complaints.filter((each) => !each.includes('//provider.example/'))
      expect(others).toEqual([])
      await window.close()
    })
  }
})
