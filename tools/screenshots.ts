/**
 * Makes the pictures in docs/images: pages of a real service in Chromium, at twice the pixels.
 *
 *     npm run docs:screenshots
 */
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../packages/server/tests/support/chromium.ts'
import { testService } from '../packages/server/tests/support/service.ts'
import { savePicture } from './screenshot-file.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))

const DESK =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

await photographAll()
// The browser of the tests stays open until its process ends.
process.exit()

async function photographAll(): Promise<void> {
  // What an application would configure; its address is what the sign-in page names.
  await using site = await testService({
    LATCHKEY_DEMO: 'false',
    LATCHKEY_SESSION_REMEMBER: 'always',
    AUTH_URL: 'https://app.example',
    AUTH_PROVIDERS: 'github,google,passkey',
    AUTH_GITHUB_ID: 'client',
    AUTH_GITHUB_SECRET: 'example',
    AUTH_GOOGLE_ID: 'client',
    AUTH_GOOGLE_SECRET: 'example',
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'App <no-reply@app.example>',
  })
  // With the demo account, to sign in for the page of sessions.
  await using demo = await testService()
  const origin = `http://127.0.0.1:${site.port}`
  const browser = await launch()
  const page = await open(browser, DESK)
  await page.goto(`${origin}/auth/signin`)
  await save(page, 'sign-in')
  await page.goto(`${origin}/auth/error?error=AccessDenied`)
  await save(page, 'error')
  await signIn(await open(browser, PHONE), demo)
  await signIn(page, demo)
  await page.goto(`${demo.address}/auth/account/sessions`)
  await save(page, 'sessions')
}

async function open(from: Browser, userAgent: string): Promise<Page> {
  const context = await from.newContext({
    userAgent,
    colorScheme: 'light',
    deviceScaleFactor: 2,
    viewport: { width: 480, height: 320 },
  })
  return context.newPage()
}

async function signIn(page: Page, demo: Awaited<ReturnType<typeof testService>>): Promise<void> {
  await page.goto(`${demo.address}/auth/signin`)
  await page.getByLabel('Name', { exact: true }).fill('demo')
  await page.getByLabel('Password').fill(demo.demo?.account.password ?? '')
  await page.getByRole('button', { name: 'Sign in with Demo account' }).click()
  await page.waitForURL(`${demo.address}/`)
}

function save(page: Page, name: string): Promise<void> {
  return savePicture(page, `${folder}${name}.png`)
}
