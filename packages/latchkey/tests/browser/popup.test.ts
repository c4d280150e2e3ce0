import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../../server/tests/support/chromium.ts'
import { needsBrowser } from '../../../server/tests/support/needs-browser.ts'
import type { SignInResult } from '../../src/client/client.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { createTestProvider } from '../../src/entries/testing.ts'
import { toNodeListener } from '../../src/integrations/node.ts'

/** What the page leaves in its window. */
declare const window: { result: Promise<SignInResult | undefined> }

const OPENER = `
  import { createAuthClient } from './index.ts'
  const client = createAuthClient()
  const show = () => { document.querySelector('#who').textContent = client.store.state.data?.user?.name ?? 'nobody' }
  client.store.subscribe(show)
  document.querySelector('#enter').onclick = () => { window.result = client.signIn('test', { popup: '/done' }) }`

const END = `
  import { finishPopup } from './index.ts'
  document.querySelector('#who').textContent = finishPopup() ? 'Close this window.' : 'by themselves'`

const BODY = '<p id="who"></p><button id="enter">Sign in</button>'

async function scriptOf(contents: string): Promise<string> {
  const resolveDir = fileURLToPath(new URL('../../src/client', import.meta.url))
  const stdin = { contents, resolveDir }
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm' })
  return outputFiles[0]?.text ?? ''
}

describe('a sign-in in a popup', inBrowser, () => {
  const idp = createTestProvider()
  let browser: Browser
  let server: Server
  let origin: string

  needsBrowser()
  beforeAll(async () => {
    if (missingBrowser !== undefined) return
    const latchkey = createLatchkey(
      {
        secret: 'a secret of these tests, 0123456789abcdef',
        trustHost: true,
        logger: { error() {}, warn() {}, debug() {} },
        providers: [idp.provider],
      },
      {},
    )
    const scripts: Record<string, string> = {
      '/': await scriptOf(OPENER),
      '/done': await scriptOf(END),
    }
    const handler = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/auth/')) return latchkey.handler(request)
      const headers = { 'content-type': 'text/html' }
      const page = `${BODY}<script type="module">${scripts[pathname] ?? ''}</script>`
      return new Response(page, { headers })
    }
    server = createServer(toNodeListener({ handler })).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://localhost:${(server.address() as AddressInfo).port}`
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  /** @param headers of the provider's pages. */
  async function visit(
    run: (page: Page, context: BrowserContext) => Promise<void>,
    { headers = {}, error }: { headers?: Record<string, string>; error?: string } = {},
  ): Promise<void> {
    const context = await browser.newContext()
    context.setDefaultTimeout(10_000)
    try {
      await context.route('https://provider.test/**', (route) => {
        const back = idp.authorize(route.request().url(), error === undefined ? {} : { error }).href
        const body = `<a href="${back.replaceAll('&', '&amp;')}">Agree</a>`
        return route.fulfill({ contentType: 'text/html', headers, body })
      })
      const page = await context.newPage()
      await page.goto(origin)
      await expect.poll(() => page.textContent('#who')).toBe('nobody')
      await run(page, context)
    } finally {
      await context.close()
    }
  }

  const resultOf = (page: Page): Promise<SignInResult | undefined> =>
    page.evaluate(() => window.result)

  async function openedBy(page: Page): Promise<Page> {
    const opening = page.waitForEvent('popup')
    await page.click('#enter')
    const popup = await opening
    await popup.waitForURL('https://provider.test/**')
    return popup
  }

  test('leaves the page as it is, which then shows the user', async () => {
    await visit(async (page) => {
      const popup = await openedBy(page)
      const closing = popup.waitForEvent('close')
      await popup.click('a')
      await closing
      await expect.poll(() => page.textContent('#who')).toBe('Ada Lovelace')
      expect(page.url()).toBe(`${origin}/`)
      expect(await resultOf(page)).toMatchObject({ ok: true, url: `${origin}/` })
    })
  })

  test('ends also if the provider isolates its window', async () => {
    const headers = { 'cross-origin-opener-policy': 'same-origin' }
    await visit(
      async (page) => {
        const popup = await openedBy(page)
        expect(await popup.evaluate(() => globalThis.opener === null)).toBe(true)
        await popup.click('a')
        await expect.poll(() => page.textContent('#who')).toBe('Ada Lovelace')
        expect(await resultOf(page)).toMatchObject({ ok: true })
      },
      { headers },
    )
  })

  test('shows the error in the window, and reports it when the window is closed', async () => {
    await visit(
      async (page) => {
        const popup = await openedBy(page)
        await popup.click('a')
        await popup.waitForURL(/\/auth\/(?:error|signin)\?error=/)
        await popup.close()
        await page.evaluate(() => globalThis.dispatchEvent(new Event('focus')))
        const closed = { error: 'PopupClosed', code: undefined, status: 0, ok: false, url: null }
        expect(await resultOf(page)).toEqual(closed)
        expect(await page.textContent('#who')).toBe('nobody')
      },
      { error: 'access_denied' },
    )
  })

  test('is a redirect if the browser opens no window', async () => {
    await visit(async (page) => {
      // Browsers that are driven by tests open any window.
      await page.evaluate(() => Object.assign(globalThis, { open: () => null }))
      await page.click('#enter')
      await page.waitForURL('https://provider.test/**')
      await page.click('a')
      await page.waitForURL(`${origin}/`)
      await expect.poll(() => page.textContent('#who')).toBe('Ada Lovelace')
    })
  })

  test('is recognized by the page that ends it, and not by visitors who open that page themselves', async () => {
    await visit(async (page) => {
      await page.goto(`${origin}/done`)
      expect(await page.textContent('#who')).toBe('by themselves')
    })
  })
})
