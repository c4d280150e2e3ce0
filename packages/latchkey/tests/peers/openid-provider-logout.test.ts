import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { Latchkey } from '../../src/instance/types.ts'
import { federatedLogout } from '../../src/plugins/federated-logout/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { oidc } from '../../src/providers/define.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts'

const SECRET = 'a secret of the client, 0123456789abcdef'

/** A browser with cookies of several sites, which follows redirects. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>()
  async function go(address: string, init: RequestInit = {}): Promise<[Response, URL]> {
    let url = new URL(address)
    let next = init
    for (let step = 0; step < 20; step++) {
      const jar = jars.get(url.origin) ?? new Map<string, string>()
      jars.set(url.origin, jar)
      const headers = new Headers(next.headers)
      headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
      const response = await fetch(url, { ...next, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(pair.slice(0, at))
        else jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      const location = response.headers.get('location')
      if (!location) return [response, url]
      url = new URL(location, url)
      next = {}
    }
    throw new Error('too many redirects')
  }
  const post = (address: string, fields: Record<string, string>) =>
    go(address, { method: 'POST', body: new URLSearchParams(fields) })
  return { go, post, jars }
}

describe.each(['jwt', 'database'] as const)('oidc-provider and %s sessions', (strategy) => {
  let provider: OpenIdProvider
  let server: Server
  let origin: string
  let latchkey: Latchkey
  const ended: string[] = []

  beforeAll(async () => {
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
      if (!request.url?.startsWith('/auth/')) return response.end('a page')
      const body =
        request.method === 'POST' ? await new Response(request as never).text() : undefined
      const answer = await latchkey.handler(
        new Request(origin + request.url, {
          method: request.method ?? 'GET',
          headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
          ...(body !== undefined && { body }),
        }),
      )
      response.writeHead(answer.status, [...answer.headers].flat())
      return response.end(Buffer.from(await answer.arrayBuffer()))
    }
    server = createServer((...exchange) => void serve(...exchange)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const redirectUri = `${origin}/auth/callback/acme`
    provider = await startOpenIdProvider(redirectUri, {
      clients: [
        {
          client_id: 'logout',
          client_secret: SECRET,
          redirect_uris: [redirectUri],
          post_logout_redirect_uris: [`${origin}/auth/logout/return`],
          backchannel_logout_uri: `${origin}/auth/logout/backchannel/acme`,
          backchannel_logout_session_required: true,
        },
      ],
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    })
    latchkey = createLatchkey({
      secret: 'a secret for tests, 0123456789abcdef',
      trustHost: true,
      adapter: memoryAdapter(),
      session: { strategy },
      events: { sessionEnded: ({ reason }) => void ended.push(reason) },
      plugins: [sessions(), federatedLogout({ backchannel: true })],
      providers: [
        oidc({
          id: 'acme',
          name: 'Acme',
          issuer: provider.issuer,
          clientId: 'logout',
          clientSecret: SECRET,
          checks: ['pkce', 'state', 'nonce'],
        }),
      ],
    })
  })
  afterAll(async () => {
    await provider.close()
    server.close()
  })

  async function signedIn() {
    const browser = createBrowser()
    const csrf = async (): Promise<string> => {
      const [answer] = await browser.go(`${origin}/auth/csrf`)
      return ((await answer.json()) as { csrfToken: string }).csrfToken
    }
    const session = async (): Promise<{ user?: { name?: string } } | null> => {
      const [answer] = await browser.go(`${origin}/auth/session`)
      return (await answer.json()) as { user?: { name?: string } } | null
    }
    await browser.post(`${origin}/auth/signin/acme?login_hint=alice`, { csrfToken: await csrf() })
    expect((await session())?.user?.name).toBe('alice')
    return { ...browser, csrf, session }
  }

  /** Agrees to the question of the provider. */
  async function agree(
    { post }: Pick<ReturnType<typeof createBrowser>, 'post'>,
    [page, at]: [Response, URL],
  ): Promise<URL> {
    expect(at.origin).toBe(provider.issuer)
    const text = await page.text()
    const [, action = ''] = /action="([^"]+)"/.exec(text) ?? []
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(text) ?? []
    const [, end] = await post(new URL(action, at).href, { xsrf, logout: 'yes' })
    return end
  }

  test('OUT-3: a sign-out ends the session at the provider, and comes back', async () => {
    const browser = await signedIn()
    const asked = await browser.post(`${origin}/auth/signout`, {
      csrfToken: await browser.csrf(),
      federated: '1',
      callbackUrl: '/bye',
    })
    expect(await browser.session()).toBeNull()
    expect((await agree(browser, asked)).href).toBe(`${origin}/bye`)
    const kept = [...(browser.jars.get(provider.issuer)?.keys() ?? [])]
    expect(kept.filter((name) => name.startsWith('_session'))).toEqual([])
  })

  test('T-OUT-2: a sign-out at the provider ends the local session', async () => {
    const browser = await signedIn()
    const other = await signedIn()
    ended.length = 0
    await agree(browser, await browser.go(`${provider.issuer}/session/end?client_id=logout`))
    expect(ended).toEqual(['back-channel'])
    expect((await other.session())?.user?.name).toBe('alice')
    expect(await browser.session()).toBeNull()
  })
})
