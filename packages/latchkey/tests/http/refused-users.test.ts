import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import { guard } from '../../src/integrations/mounted.ts'
import Credentials from '../../src/providers/credentials.ts'

const SITE = 'https://app.example'
const silent = { error: () => {}, warn: () => {}, debug: () => {} }
const latchkey = createLatchkey(
  {
    providers: [Credentials({ authorize: () => ({ id: 'u1', name: 'Ada' }) })],
    logger: silent,
    callbacks: { authorized: ({ auth }) => auth?.user?.name === 'Grace' },
  },
  { AUTH_SECRET: 'q7Zr2Wm9Xk4Lt6Vb8Ny3Cp5Hd1Jf0Sg', AUTH_URL: SITE, NODE_ENV: 'production' },
)

async function asAda(headers: Record<string, string> = {}): Promise<Request> {
  const answer = await latchkey.signIn(new Request(SITE), 'credentials', {})
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return new Request(`${SITE}/admin`, { headers: { ...headers, cookie: cookie.join('; ') } })
}

const onlyGrace = ({ auth }: { auth: { user?: { name?: string | null } } }): boolean =>
  auth.user?.name === 'Grace'

const guards: Readonly<Record<string, (request: Request) => Promise<Response | undefined>>> = {
  'a guard of a server framework': async (request) =>
    (await guard(latchkey, request, onlyGrace)).response,
  'a guard of a page framework': async (request) =>
    (await guard(latchkey, request, onlyGrace, true)).response,
  'the callback `authorized`': async (request) => (await latchkey.protect(request)).response,
}

describe.each(Object.entries(guards))('NEW-4: %s that refuses a signed-in user', (_, ask) => {
  test('responds with 403 and a page, and not with the sign-in page', async () => {
    const response = await ask(await asAda({ accept: 'text/html', 'sec-fetch-mode': 'navigate' }))
    expect(response?.status).toBe(403)
    expect(response?.headers.get('content-type')).toContain('text/html')
    expect(response?.headers.get('cache-control')).toContain('no-store')
    expect(await response?.text()).toContain('You may not see this page')
  })

  test('responds to a script with 403 and JSON', async () => {
    const response = await ask(await asAda({ accept: 'application/json' }))
    expect([response?.status, await response?.json()]).toEqual([403, { message: 'Forbidden' }])
  })

  test('still sends all other visitors to the sign-in page', async () => {
    const response = await ask(new Request(`${SITE}/admin`))
    expect(response?.headers.get('location')).toContain(`${SITE}/auth/signin?callbackUrl=`)
  })
})

describe('NEW-4: a guard that returns a response of its own', () => {
  test('is not changed', async () => {
    const own = new Response('no', { status: 404 })
    const { response } = await guard(latchkey, await asAda(), () => own)
    expect([response?.status, await response?.text()]).toEqual([404, 'no'])
  })
})

describe('a request of a browser’s `fetch` without a session', () => {
  const modes = ['cors', 'no-cors', 'same-origin', 'websocket'] as const
  test.each(modes)('gets 401 from the guard of a server framework (%s)', async (mode) => {
    const headers = { accept: '*/*', 'sec-fetch-mode': mode }
    const { response } = await guard(latchkey, new Request(SITE, { headers }), undefined)
    expect([response?.status, await response?.json()]).toEqual([401, { message: 'Unauthorized' }])
  })

  test('is redirected by page frameworks, whose routers request pages with it', async () => {
    const headers = { accept: '*/*', 'sec-fetch-mode': 'cors' }
    const { response } = await guard(latchkey, new Request(SITE, { headers }), undefined, true)
    expect(response?.status).toBe(307)
    expect((await latchkey.protect(new Request(SITE, { headers }))).response?.status).toBe(307)
  })

  test('gets a redirect if it is a navigation, or a program without that header', async () => {
    for (const headers of [{ 'sec-fetch-mode': 'navigate' }, {}]) {
      const { response } = await guard(latchkey, new Request(SITE, { headers }), undefined)
      expect(response?.status).toBe(307)
    }
  })
})
