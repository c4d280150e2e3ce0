import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { toNodeListener } from 'latchkey/node'
import { sessions } from 'latchkey/plugins/sessions'
import { tokens } from 'latchkey/plugins/tokens'
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

const ada = { name: 'Ada', email: 'ada@example.com' }
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

describe('the pages of tokens', inBrowser, () => {
  const config = {
    secret: 'a secret for tests, 0123456789abcdef',
    trustHost: true,
    adapter: memoryAdapter(),
    providers: [],
    plugins: [
      sessions(),
      tokens({
        apiKeys: { scopes: ['read', 'write'] },
        device: { clients: [{ id: 'cli', name: 'Example CLI' }] },
        native: {
          clients: [
            { id: 'desk', name: 'Example for Linux', redirectUris: ['http://127.0.0.1/callback'] },
          ],
        },
      }),
    ],
    logger: { error() {}, warn() {}, debug() {} },
  }
  let browser: Browser
  let server: Server
  let origin: string
  needsBrowser()
  beforeAll(async () => {
    if (missingBrowser !== undefined) return
    const latchkey = createLatchkey(config, {})
    server = createServer(toNodeListener(latchkey)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://localhost:${(server.address() as AddressInfo).port}`
    browser = await launch()
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

  const post = async (path: string, fields: Record<string, string>) =>
    (
      await fetch(`${origin}/auth/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    ).json() as Promise<Record<string, string>>

  for (const [scripts, scheme, width] of [
    [true, 'dark', 320],
    [false, 'light', 900],
  ] as const) {
    const how = `with${scripts ? '' : 'out'} scripts`

    test(`TOK-25: a key is made, replaced and ended, ${how}`, async () => {
      const window = await signedIn({ scripts, scheme, width })
      const { page } = window
      const looksRight = async (name: string) => {
        const overflow =
          'document.documentElement.scrollWidth > document.documentElement.clientWidth'
        if (scripts) expect(await page.evaluate(overflow)).toBe(false)
        await window.screenshot(name)
      }
      await page.goto(`${origin}/auth/account/keys`)
      await looksRight('keys-none')
      await page.getByRole('link', { name: 'New key' }).click()
      await looksRight('keys-new')
      await page.getByLabel('Name').fill('Build server')
      await page.getByLabel('read').check()
      await page.getByLabel('Expires after').selectOption('30')
      await page.getByRole('button', { name: 'Create' }).click()
      await looksRight('keys-made')
      const key = await page.getByLabel('API key', { exact: true }).inputValue()
      expect(key).toMatch(/^lkp_[0-9A-Za-z]{65}$/)
      await page.getByRole('link', { name: 'Done' }).click()
      await looksRight('keys')
      expect(await page.content()).not.toContain(key)
      await page.getByRole('button', { name: 'Replace Build server' }).click()
      const next = await page.getByLabel('API key', { exact: true }).inputValue()
      expect(next).not.toBe(key)
      await page.goto(`${origin}/auth/account/keys`)
      await page.getByRole('link', { name: 'Delete Build server' }).click()
      await looksRight('keys-question')
      await page.getByRole('button', { name: 'Delete the key' }).click()
      const notice = page.getByRole('status')
      expect(await notice.textContent()).toBe('The key was deleted.')
      await expect.poll(() => notice.evaluate((element) => element.matches(':focus'))).toBe(true)
      expect(await page.locator('li.row').count()).toBe(0)
      expect(window.complaints).toEqual([])
      await window.close()
    })

    test(`TOK-20: a device is let in, ${how}`, async () => {
      const window = await signedIn({ scripts, scheme, width })
      const { page } = window
      const { device_code, user_code } = await post('device/code', {
        client_id: 'cli',
        name: 'build-7',
      })
      await page.goto(`${origin}/auth/device`)
      await window.screenshot('device')
      const field = page.getByLabel('Code', { exact: true })
      await field.fill('BBBB-BBBB')
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await page.locator('#code-error').textContent()).toContain('wrong')
      await window.screenshot('device-wrong')
      await field.fill(String(user_code).toLowerCase())
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await page.getByRole('heading').textContent()).toBe('Sign in to Example CLI?')
      expect(await page.locator(':focus').count()).toBe(0)
      await window.screenshot('device-question')
      await page.getByRole('button', { name: 'Allow' }).click()
      expect(await page.getByRole('heading').textContent()).toBe('The device is signed in')
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      const token = await post('device/token', {
        grant_type,
        device_code: String(device_code),
        client_id: 'cli',
      })
      const headers = { authorization: `Bearer ${token['access_token']}` }
      const session = await fetch(`${origin}/auth/session`, { headers })
      expect(await session.json()).toMatchObject({ user: { name: 'Ada' } })
      expect(window.complaints).toEqual([])
      await window.close()
    })

    test(`TOK-14: an app is signed in, ${how}`, async () => {
      const window = await signedIn({ scripts, scheme, width })
      const { page } = window
      const app = createServer((_request, response) => response.end('the app')).listen(
        0,
        '127.0.0.1',
      )
      await once(app, 'listening')
      const appOrigin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
      const redirect_uri = `${appOrigin}/callback`
      const start = new URLSearchParams({
        client_id: 'desk',
        redirect_uri,
        response_type: 'code',
        code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
        code_challenge_method: 'S256',
        state: 'the state',
      })
      await page.goto(`${origin}/auth/native/start?${start}`)
      expect(await page.getByRole('heading').textContent()).toBe('Sign in to Example for Linux?')
      await window.screenshot('native')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${appOrigin}/**`)
      app.close()
      const { searchParams } = new URL(page.url())
      expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([
        'the state',
        `${origin}/auth`,
      ])
      const token = await post('native/token', {
        grant_type: 'authorization_code',
        code: searchParams.get('code') ?? '',
        code_verifier: VERIFIER,
        client_id: 'desk',
        redirect_uri,
      })
      expect(token['access_token']).toMatch(/^lkb_/)
      expect(window.complaints.filter((each) => !each.includes(appOrigin))).toEqual([])
      await window.close()
    })
  }
})
