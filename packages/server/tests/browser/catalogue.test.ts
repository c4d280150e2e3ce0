import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser, openWindow, type Window } from '../support/chromium.ts'
import { type ServiceProcess, serviceProcess } from '../support/command.ts'
import { needsBrowser } from '../support/needs-browser.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import {
  API_KEY,
  CLIENT_ID,
  CLIENT_SECRET,
  startVendors,
  TENANT,
  type Vendors,
} from '../support/vendors.ts'

const config = fileURLToPath(new URL('../support/catalogue.config.ts', import.meta.url))

describe(
  'providers of the catalogue, configured by a file and the environment, in a browser',
  inBrowser,
  () => {
    const cleanUp = new AsyncDisposableStack()
    let browser: Browser
    let vendors: Vendors
    let service: ServiceProcess

    beforeAll(async () => {
      if (missingBrowser) return
      vendors = cleanUp.use(await startVendors())
      const directory = cleanUp.use(temporaryDirectory())
      const env = {
        // The ways in of providers alone.
        LATCHKEY_PASSWORDS: 'false',
        VENDORS: vendors.origin,
        AUTH_GITLAB_ID: CLIENT_ID,
        AUTH_GITLAB_SECRET: CLIENT_SECRET,
        AUTH_MICROSOFT_ENTRA_ID_ID: CLIENT_ID,
        AUTH_MICROSOFT_ENTRA_ID_SECRET: CLIENT_SECRET,
        AUTH_MICROSOFT_ENTRA_ID_ISSUER: `${vendors.origin}${TENANT}/v2.0`,
        AUTH_RESEND_KEY: API_KEY,
      }
      service = cleanUp.use(
        await serviceProcess({ directory: directory.path, env }, ['--config', config]),
      )
      browser = await launch()
      cleanUp.defer(() => browser.close())
    })
    afterAll(() => cleanUp.disposeAsync())
    needsBrowser()

    async function visit(work: (window: Window) => Promise<void>): Promise<void> {
      const window = await openWindow(browser, { origin: service.origin })
      try {
        await work(window)
        const others = window.complaints.filter(
          (line) => !line.startsWith(`asked ${vendors.origin}/`),
        )
        expect(others).toEqual([])
      } finally {
        await window.close()
      }
    }

    /** Goes to the sign-in page; what follows is to end at the session. */
    async function begin(page: Page): Promise<void> {
      const back = encodeURIComponent('/auth/session')
      await page.goto(`${service.origin}/auth/signin?callbackUrl=${back}`)
    }

    const markOf = (page: Page, name: string): Locator =>
      page.getByRole('button', { name, exact: true }).locator('.mark')

    /** Who is signed in, once the browser is back. */
    async function user(page: Page): Promise<unknown> {
      await page.waitForURL(`${service.origin}/auth/session`)
      const answer = await page.context().request.get(`${service.origin}/auth/session`)
      return ((await answer.json()) as { user?: unknown } | null)?.user
    }

    test('stand on the sign-in page, each with its mark or letter', () =>
      visit(async ({ page, screenshot }) => {
        await begin(page)
        await screenshot('catalogue')
        expect(await page.getByRole('button').count()).toBe(3)
        const gitlab = markOf(page, 'Continue with GitLab')
        expect((await gitlab.locator('path').boundingBox())?.width).toBeGreaterThan(10)
        const entraId = markOf(page, 'Continue with Microsoft Entra ID')
        expect(await entraId.locator('path').count()).toBe(4)
        expect(await page.getByRole('button', { name: 'Send me a sign-in link' }).isVisible()).toBe(
          true,
        )
      }))

    test('plain OAuth: a self-managed GitLab signs in', () =>
      visit(async ({ page }) => {
        await begin(page)
        await page.getByRole('button', { name: 'Continue with GitLab' }).click()
        await page.getByRole('link', { name: 'Allow read_user' }).click()
        expect(await user(page)).toEqual({
          id: expect.any(String),
          name: 'Ada of GitLab',
          email: 'ada@gitlab.example',
          image: 'https://images.example/ada.png',
        })
      }))

    test('OpenID Connect: one organization of Microsoft Entra ID signs in, with the picture', () =>
      visit(async ({ page }) => {
        await begin(page)
        await page.getByRole('button', { name: 'Continue with Microsoft Entra ID' }).click()
        await page.getByRole('link', { name: 'Allow openid profile email User.Read' }).click()
        expect(await user(page)).toEqual({
          id: expect.any(String),
          name: 'Ada of Entra ID',
          email: 'ada@entra.example',
          image: 'data:image/jpeg;base64,aGk=',
        })
      }))

    test('a mail service: the link mailed by Resend signs in', () =>
      visit(async ({ page, screenshot }) => {
        await begin(page)
        await page.getByLabel('Email address').fill('ada@mail.example')
        await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
        await page.waitForURL(/verify-request/)
        expect(await page.getByRole('heading').textContent()).toBe('Check your email')
        await screenshot('catalogue-mailed')
        const [mail] = vendors.mails
        expect(mail).toMatchObject({
          from: 'Example <no-reply@example.com>',
          to: 'ada@mail.example',
        })
        await page.goto(/https?:\S+/.exec(mail?.text ?? '')?.[0] ?? '')
        expect(await user(page)).toMatchObject({ email: 'ada@mail.example' })
      }))
  },
)
