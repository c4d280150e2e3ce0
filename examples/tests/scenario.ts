import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../packages/server/tests/support/chromium.ts'
import { type Application, missingExample, startExample } from './application.ts'
import { type ExampleName, type Scenario, scenarios } from './scenarios.ts'

/** Tests what a visitor does with an example; the same for every framework. */
export function describeExample(name: ExampleName): void {
  const scenario: Scenario = scenarios[name]
  const { basePath, client = false, takesPosts = true, components, ...starting } = scenario
  const missing = missingBrowser ?? missingExample(name)
  describe(`the example for ${name}`, { ...inBrowser, timeout: 120_000 }, () => {
    let browser: Browser
    let application: Application
    beforeEach((context) => {
      if (missing !== undefined) context.skip(missing)
    })
    beforeAll(async () => {
      if (missing !== undefined) return
      browser = await launch()
      application = await startExample(name, starting)
    }, 300_000)
    afterAll(async () => {
      await browser?.close()
      await application?.[Symbol.asyncDispose]()
    })

    /** A visitor with a browser of their own; errors of scripts on the way are failures. */
    async function visitor(
      javaScriptEnabled = true,
    ): Promise<{ page: Page; context: BrowserContext } & AsyncDisposable> {
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      page.setDefaultTimeout(45_000)
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      return {
        page,
        context,
        async [Symbol.asyncDispose]() {
          await context.close()
          expect(errors).toEqual([])
        },
      }
    }

    const at = (path: string): string => application.origin + path
    const onServer = (page: Page): Promise<string | null> => page.locator('#server').textContent()
    async function expectOnServer(page: Page, who: string): Promise<void> {
      await expect.poll(() => onServer(page), { timeout: 15_000 }).toBe(who)
    }

    /** The first step of the sign-in page. */
    async function enterAddress(page: Page, address: string): Promise<void> {
      await page.getByLabel('Email address').fill(address)
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
    }

    async function beAt(page: Page, who: string): Promise<void> {
      await page.waitForURL(`${application.development}/**`)
      await page.fill('input[name=name]', who)
      await page.click('button')
    }

    async function signIn(page: Page, who: string): Promise<void> {
      await page.goto(at(`${basePath}/signin?callbackUrl=%2F`))
      await page.click('button:has-text("Development account")')
      await beAt(page, who)
      await page.waitForURL(at('/'))
      await expectOnServer(page, `${who}@example.test`)
    }

    test('redirects a visitor without a session from the private page to the sign-in page, and back', async () => {
      await using visit = await visitor()
      const { page } = visit
      await page.goto(at('/'))
      expect(await onServer(page)).toBe('nobody')
      await page.goto(at('/private'))
      const asked = new URL(page.url())
      expect(asked.pathname).toBe(`${basePath}/signin`)
      expect([...asked.searchParams.keys()]).toEqual(['callbackUrl'])
      await page.click('button:has-text("Development account")')
      await beAt(page, 'alice')
      await page.waitForURL(at('/private'))
      expect(await onServer(page)).toBe('alice@example.test')
    })

    test('changes no cookies when a router prefetches the private page', async () => {
      await using visit = await visitor()
      const { page, context } = visit
      const answer = await context.request.get(at('/private'), { headers: { rsc: '1' } })
      expect(new URL(answer.url()).pathname).toBe(`${basePath}/signin`)
      expect(await context.cookies()).toEqual([])
      await page.goto(answer.url())
      expect(await context.cookies()).not.toEqual([])
    })

    test('has the cookies of the reference, and no other', async () => {
      await using visit = await visitor()
      const { page, context } = visit
      await signIn(page, 'bob')
      const cookies = await context.cookies(application.origin)
      // A page with a form for passkeys draws a challenge, sooner or later.
      const lasting = cookies.filter(({ name }) => name !== 'authjs.challenge')
      const shown = lasting.map(({ name, httpOnly, sameSite, secure, path }) =>
        [name, httpOnly, sameSite, secure, path].join(),
      )
      expect(shown.toSorted((a, b) => a.localeCompare(b))).toEqual([
        'authjs.callback-url,true,Lax,false,/',
        'authjs.csrf-token,true,Lax,false,/',
        'authjs.session-token,true,Lax,false,/',
        'latchkey.last-used,true,Lax,false,/',
      ])
      const session = cookies.find((cookie) => cookie.name === 'authjs.session-token')
      const days = (Number(session?.expires) - Date.now() / 1000) / 86_400
      expect(Math.round(days)).toBe(30)
    })

    test('signs in with a mailed link', async () => {
      await using visit = await visitor()
      const { page } = visit
      await page.goto(at(`${basePath}/signin?callbackUrl=%2Fprivate`))
      await enterAddress(page, 'carol@example.org')
      await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
      await page.waitForURL(/verify-request/)
      const mails = (await (await fetch(`${application.development}/mailbox.json`)).json()) as {
        to: string
        url: string
      }[]
      const mail = mails.find(({ to }) => to === 'carol@example.org')
      await page.goto(mail?.url ?? '')
      await page.waitForURL(at('/private'))
      expect(await onServer(page)).toBe('carol@example.org')
    })

    test('refuses a wrong password, and accepts the right one', async () => {
      await using visit = await visitor()
      const { page } = visit
      await page.goto(at(`${basePath}/signin?callbackUrl=%2Fprivate`))
      await enterAddress(page, 'guest@example.test')
      const form = page.locator('form[action$="/callback/credentials"]')
      for (const password of ['wrong', 'open sesame']) {
        await form.locator('input[name=password]').fill(password)
        await form.locator('button[type=submit]').click()
        if (password === 'wrong') await page.getByRole('alert').waitFor()
      }
      await page.waitForURL(at('/private'))
      expect(await onServer(page)).toBe('guest@example.test')
    })

    // What is not built has no mode of its own.
    test.each(starting.build ? ['production'] : [])(
      'runs in %s without NODE_ENV: the host of a request is not trusted',
      async () => {
        const { build: _, ...built } = starting
        const env = { ...built.env, NODE_ENV: '', AUTH_TRUST_HOST: '' }
        await using careful = await startExample(name, { ...built, env }).catch(whyItEnded)
        if (careful.origin !== undefined)
          expect(await statusOf(`${careful.origin}${basePath}/providers`, 'other.example')).toBe(
            500,
          )
        expect(careful.output()).toContain('UntrustedHost')
      },
    )

    // Not skipped: in some frameworks it cannot be.
    test.each(takesPosts ? ['another site'] : [])(
      'signs in with a provider of %s that posts its response',
      async () => {
        await using visit = await visitor()
        const { page, context } = visit
        await page.goto(at(`${basePath}/signin?callbackUrl=%2Fprivate`))
        await page.click('button:has-text("Account that posts back")')
        await page.waitForURL(`${application.development.replace('localhost', '127.0.0.1')}/**`)
        await page.fill('input[name=name]', 'laura')
        await page.click('button')
        await page.waitForURL(at('/private'))
        expect(await onServer(page)).toBe('laura@example.test')
        const left = (await context.cookies(application.origin)).map(({ name }) => name)
        expect(left.filter((name) => name.startsWith('latchkey.'))).toEqual(['latchkey.last-used'])
      },
    )

    test('signs out a user whose session expired', async () => {
      await using visit = await visitor()
      const { page, context } = visit
      await signIn(page, 'mike')
      application.expire('mike@example.test')
      await page.reload()
      await expectOnServer(page, 'nobody')
      await page.goto(at('/private'))
      expect(new URL(page.url()).pathname).toBe(`${basePath}/signin`)
      await page.goto(at(`${basePath}/session`))
      const names = (await context.cookies(application.origin)).map(({ name }) => name)
      expect(names).not.toContain('authjs.session-token')
    })

    test('creates a passkey, and signs in with it', async () => {
      await using visit = await visitor()
      const { page, context } = visit
      const devtools = await context.newCDPSession(page)
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
      const passkeyForm = 'form[data-passkey]'
      await page.goto(at(`${basePath}/signin?callbackUrl=%2F`))
      await page.getByLabel('Email address').fill('dora@example.org')
      await page.click(`${passkeyForm} button`)
      await page.waitForURL(at('/'))
      await expectOnServer(page, 'dora@example.org')
      await page.click('header button:has-text("Sign out")')
      await expectOnServer(page, 'nobody')
      // The browser would offer it by itself, and leave the page while the form is filled in.
      await page.addInitScript(
        'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
      )
      await page.goto(at(`${basePath}/signin?callbackUrl=%2F`))
      await page.getByLabel('Email address').fill('dora@example.org')
      await page.click(`${passkeyForm} button`)
      await page.waitForURL(at('/'))
      await expectOnServer(page, 'dora@example.org')
    })

    test('signs out, and the back button shows nothing', async () => {
      await using visit = await visitor()
      const { page } = visit
      await signIn(page, 'eve')
      await page.goto(at('/private'))
      await page.goto(at('/'))
      await page.click('header button:has-text("Sign out")')
      await expectOnServer(page, 'nobody')
      // SolidStart loads the page once more after it shows the sign-out, which may cancel this navigation. If it is
      // repeated, the sign-in page is in the history twice.
      const visitPrivate = async (): Promise<string> => {
        await page.goto(at('/private')).catch(() => undefined)
        return new URL(page.url()).pathname
      }
      const goBack = async (): Promise<string> => {
        await page.goBack()
        return new URL(page.url()).pathname
      }
      await expect.poll(visitPrivate, inBrowser).toBe(`${basePath}/signin`)
      await expect.poll(goBack, inBrowser).toBe('/')
      await expectOnServer(page, 'nobody')
    })

    test('ends the session in a second tab', async () => {
      await using visit = await visitor()
      const { page, context } = visit
      await signIn(page, 'frank')
      const other = await context.newPage()
      await other.goto(at('/private'))
      expect(await onServer(other)).toBe('frank@example.test')
      await page.click('header button:has-text("Sign out")')
      await expectOnServer(page, 'nobody')
      await other.reload()
      expect(new URL(other.url()).pathname).toBe(`${basePath}/signin`)
    })

    // Not skipped: most frameworks have none.
    test.each(components === undefined ? [] : [true, false])(
      'signs in and out with components, scripts: %s',
      async (scripts) => {
        await using visit = await visitor(scripts)
        const { page } = visit
        const path = components ?? ''
        await page.goto(at(path), { waitUntil: 'networkidle' })
        await page.click('main button:has-text("development account")')
        await beAt(page, 'oscar')
        await page.waitForURL(at(path))
        expect(await onServer(page)).toBe('oscar@example.test')
        await page.waitForLoadState('networkidle')
        let leaves = false
        page.on('request', (request) => {
          leaves ||= request.isNavigationRequest()
        })
        await page.click('main button:has-text("Sign out")')
        await expectOnServer(page, 'nobody')
        expect(page.url()).toBe(at(path))
        expect(leaves).toBe(!scripts)
      },
    )

    test('shows errors on its own pages', async () => {
      await using visit = await visitor()
      const { page } = visit
      await page.goto(at(`${basePath}/callback/development?code=x&state=y`))
      expect(page.url()).toContain('error=')
      const unknown = await page.goto(at(`${basePath}/nothing`))
      expect(unknown?.status()).toBeGreaterThanOrEqual(400)
      expect(unknown?.status()).toBeLessThan(500)
    })

    // Not skipped: where there is no client there is nothing to be seen of it.
    if (!client) return
    describe('in the browser', () => {
      async function expectInBrowser(page: Page, who: string): Promise<void> {
        // A page that was made on the server is there before its scripts are.
        await page.waitForLoadState('networkidle')
        const shown = (): Promise<string | null> => page.locator('#client').textContent()
        await expect.poll(shown, { timeout: 15_000 }).toBe(who)
      }

      test('knows the user that the server signed in, and signs in and out itself', async () => {
        await using visit = await visitor()
        const { page } = visit
        await signIn(page, 'grace')
        await expectInBrowser(page, 'grace@example.test')
        await page.click('header button:has-text("Sign out")')
        await expectInBrowser(page, 'nobody')
        await page.click('main button:has-text("Sign in")')
        await beAt(page, 'heidi')
        await page.waitForURL(at('/'))
        await expectInBrowser(page, 'heidi@example.test')
        await page.click('main button:has-text("Sign out")')
        await expectInBrowser(page, 'nobody')
        await expectOnServer(page, 'nobody')
      })

      test('gives the user another name', async () => {
        await using visit = await visitor()
        const { page } = visit
        await signIn(page, 'nina')
        await expectInBrowser(page, 'nina@example.test')
        const name = (): Promise<string | null> => page.locator('#name').textContent()
        await expect.poll(name).toBe('nina')
        await page.click('main button:has-text("Call me Max")')
        await expect.poll(name).toBe('Max')
        await page.reload()
        await expect.poll(name).toBe('Max')
      })

      test('notices a sign-out in another tab by itself', async () => {
        await using visit = await visitor()
        const { page, context } = visit
        await signIn(page, 'ivan')
        const other = await context.newPage()
        await other.goto(at('/'))
        await expectInBrowser(other, 'ivan@example.test')
        await page.bringToFront()
        await page.click('main button:has-text("Sign out")')
        await expectInBrowser(other, 'nobody')
      })

      test('signs nobody out while the network is away', async () => {
        await using visit = await visitor()
        const { page, context } = visit
        await signIn(page, 'judy')
        await expectInBrowser(page, 'judy@example.test')
        await context.setOffline(true)
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
        await page.waitForTimeout(1000)
        await expectInBrowser(page, 'judy@example.test')
        await context.setOffline(false)
        await page.waitForTimeout(500)
        await expectInBrowser(page, 'judy@example.test')
      })
    })
  })
}

/** An application that checks its configuration when it starts, and ends. */
function whyItEnded(error: Error): { origin: undefined; output(): string } & AsyncDisposable {
  return { origin: undefined, output: () => error.message, async [Symbol.asyncDispose]() {} }
}

/** Asks with a header Host of its own, which `fetch` does not send. */
async function statusOf(url: string, host: string): Promise<number | undefined> {
  const [answer] = (await once(request(url, { headers: { host } }).end(), 'response')) as [
    IncomingMessage,
  ]
  answer.resume()
  return answer.statusCode
}
