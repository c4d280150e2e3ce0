import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { toNodeListener } from 'latchkey/node'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { sessions } from 'latchkey/plugins/sessions'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser, openWindow } from '../support/chromium.ts'
import { needsBrowser } from '../support/needs-browser.ts'

const PAGE = '/auth/account/connections'

/** A provider that agrees at once. `lasting` sets how many seconds its next tokens last. */
function provider() {
  const revoked: string[] = []
  let given = 0
  let lifetime = 3600
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = String(
        new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' }),
      )
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const body = await text(request)
    if (pathname === '/revoke') revoked.push(new URLSearchParams(body).get('token') ?? '')
    const json =
      pathname === '/token'
        ? {
            access_token: `access-${++given}`,
            token_type: 'bearer',
            expires_in: lifetime,
            scope: 'calendar.readonly https://api.example/auth/drive.file',
          }
        : { id: 'ada', name: 'Ada', email: 'ada@example.com' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }
  const server = createServer((...exchange) => void answer(...exchange))
  return { server, revoked, lasting: (seconds: number) => (lifetime = seconds) }
}

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

describe.each(['records', 'cookie'] as const)(
  'the page of connections, with tokens in %s',
  inBrowser,
  (store) => {
    const { server: other, revoked, lasting } = provider()
    let site: Server
    let browser: Browser
    let origin: string
    let elsewhere: string
    needsBrowser()
    beforeAll(async () => {
      if (missingBrowser !== undefined) return
      elsewhere = await listen(other)
      const acme = ['acme', 'corp'].map((id) => ({
        id,
        name: id === 'acme' ? 'Acme' : 'Corp & Sons',
        type: 'oauth' as const,
        clientId: 'client',
        clientSecret: 'secret',
        authorization: `${elsewhere}/authorize`,
        token: `${elsewhere}/token`,
        userinfo: `${elsewhere}/user`,
        tokens: { revocation: `${elsewhere}/revoke` },
      }))
      const config = {
        secret: 'a secret for tests, 0123456789abcdef',
        trustHost: true,
        adapter: memoryAdapter(),
        providers: acme,
        plugins: [sessions({ device: false }), providerTokens({ store })],
        logger: { error() {}, warn() {}, debug() {} },
      }
      site = createServer(toNodeListener(createLatchkey(config, {})))
      origin = await listen(site)
      browser = await launch()
    })
    afterAll(async () => {
      await browser?.close()
      site?.close()
      other.close()
    })

    async function signIn(page: Page, name: string): Promise<void> {
      await page.goto(`${origin}/auth/signin?callbackUrl=${encodeURIComponent(PAGE)}`)
      await page.getByRole('button', { name: `Continue with ${name}` }).click()
      await page.waitForURL(origin + PAGE)
    }

    for (const [scripts, scheme, width] of [
      [true, 'dark', 320],
      [true, 'light', 375],
      [false, 'light', 1280],
    ] as const) {
      test(`disconnects and reconnects, ${width} wide, with${scripts ? '' : 'out'} scripts`, async () => {
        const window = await openWindow(browser, { origin, scripts, scheme, width })
        const { page } = window
        const looksRight = async (name: string) => {
          const overflow =
            'document.documentElement.scrollWidth > document.documentElement.clientWidth'
          if (scripts) expect(await page.evaluate(overflow)).toBe(false)
          await window.screenshot(`${name}-${store}-${width}`)
        }
        const headings = () => page.locator('li.row strong').allTextContents()
        const notice = page.getByRole('status')
        revoked.length = 0

        await page.goto(origin + PAGE)
        expect(new URL(page.url()).pathname).toBe('/auth/signin')
        lasting(3600)
        await signIn(page, 'Acme')
        lasting(1)
        await signIn(page, 'Corp & Sons')
        const reloaded = async () => {
          await page.reload()
          return headings()
        }
        await expect.poll(reloaded, { timeout: 5000 }).toEqual(['Corp & Sons', 'Acme'])
        await looksRight('connections')
        expect(await page.locator('li.row').first().textContent()).toContain('Access expired')
        expect(await page.getByRole('button', { name: /^Reconnect / }).count()).toBe(1)

        lasting(3600)
        await page.getByRole('button', { name: 'Reconnect Corp & Sons' }).click()
        expect(await notice.textContent()).toBe('Corp & Sons is connected.')
        await expect.poll(() => notice.evaluate((element) => element.matches(':focus'))).toBe(true)
        expect(await headings()).toEqual(['Acme', 'Corp & Sons'])
        expect(await page.textContent('main')).not.toContain('Access expired')

        await page.getByRole('link', { name: 'Disconnect Corp & Sons' }).click()
        expect(await page.getByRole('heading').textContent()).toBe('Disconnect Corp & Sons?')
        await looksRight('connections-question')
        await page.getByRole('link', { name: 'Cancel' }).click()
        expect(await headings()).toHaveLength(2)
        expect(revoked).toEqual([])
        await page.getByRole('link', { name: 'Disconnect Corp & Sons' }).click()
        await page.getByRole('button', { name: 'Disconnect' }).click()
        expect(await notice.textContent()).toBe('Corp & Sons is disconnected.')
        await expect.poll(() => notice.evaluate((element) => element.matches(':focus'))).toBe(true)
        expect(await headings()).toEqual(['Acme'])
        expect(revoked).toHaveLength(1)
        await looksRight('connections-disconnected')

        await page.getByRole('link', { name: 'Disconnect Acme' }).click()
        await page.getByRole('button', { name: 'Disconnect' }).click()
        expect(await page.textContent('main')).toContain('No connections')
        await looksRight('connections-none')
        // The accounts stay linked.
        await signIn(page, 'Corp & Sons')
        const others = window.complaints.filter((each) => !each.includes(elsewhere))
        expect(others).toEqual([])
        await window.close()
      })
    }
  },
)
