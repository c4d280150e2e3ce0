import type { RequestEvent } from 'solid-js/web'
import { provideRequestEvent } from 'solid-js/web/storage'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CredentialsSignin } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import { getSession, SolidAuth, type SolidAuthConfig, signIn, signOut } from './solid-start.ts'

// SolidStart itself runs in the tests of the examples. Here is what one application does not have all of.

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'

const config: SolidAuthConfig = {
  secret,
  trustHost: true,
  session: { updateAge: 0 },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    {
      id: 'credentials',
      name: 'Password',
      type: 'credentials',
      credentials: {},
      authorize({ name }) {
        if (name === 'locked') throw Object.assign(new CredentialsSignin(), { code: 'locked' })
        return { id: '1', name: String(name) }
      },
    },
  ],
}

function ask(path: string, init: RequestInit = {}): Request {
  return new Request(`http://app.example${path}`, init)
}

async function ada(): Promise<Request> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return ask('/', { headers: { cookie: `${SESSION}=${token}` } })
}

/** As SolidStart does it: what is asked while `work` goes on is part of this answer. */
async function during<T>(request: Request, work: () => Promise<T>): Promise<[T, string[]]> {
  const response = { headers: new Headers() }
  const event = { request, locals: {}, response } as unknown as RequestEvent
  const result = await provideRequestEvent(event, work)
  return [result, response.headers.getSetCookie()]
}

afterEach(() => vi.unstubAllEnvs())

describe('SolidAuth', () => {
  for (const [given, url, base] of [
    [{}, undefined, '/api/auth'],
    [{}, 'http://app.example', '/api/auth'],
    [{ prefix: '/auth' }, undefined, '/auth'],
    [{ prefix: '/auth' }, 'http://app.example/from/env', '/auth'],
    [{ basePath: '/sign' }, undefined, '/sign'],
    [{}, 'http://app.example/from/env', '/from/env'],
  ] as const) {
    test(`is mounted at ${base}, with ${JSON.stringify(given)} and AUTH_URL ${url}`, async () => {
      vi.stubEnv('AUTH_URL', url)
      const { GET, POST } = SolidAuth(Object.freeze({ ...config, ...given }))
      const answer = await GET({ request: ask(`${base}/providers`) })
      expect(await answer.json()).toMatchObject({
        credentials: { signinUrl: `http://app.example${base}/signin/credentials` },
      })
      const form = { method: 'POST', body: new URLSearchParams() }
      const refused = await POST({ request: ask(`${base}/signout`, form) })
      expect(refused.headers.get('location')).toContain('error=MissingCSRF')
    })
  }

  test('can be created without a secret, for example during the build', async () => {
    const { secret: _, ...open } = config
    const { GET } = SolidAuth(open)
    expect((await GET({ request: ask('/api/auth/providers') })).status).toBe(500)
    await expect(during(ask('/'), () => getSession(ask('/'), open))).rejects.toMatchObject({
      type: 'MissingSecret',
    })
  })
})

describe('getSession', () => {
  test('extends the session on the response, once for each request', async () => {
    const request = await ada()
    const [sessions, cookies] = await during(request, () =>
      Promise.all([getSession(request, config), getSession(request, config)]),
    )
    expect(sessions[0]?.user?.name).toBe('Ada')
    expect(sessions[1]).toBe(sessions[0])
    expect(cookies).toEqual([expect.stringMatching(/^authjs\.session-token=/)])
  })

  test('reads the session again for another request, and for another configuration', async () => {
    const request = await ada()
    const other = { ...config, secret: 'another secret of these tests, 0123456789' }
    const [sessions] = await during(request, () =>
      Promise.all([
        getSession(request, config),
        getSession(ask('/'), config),
        getSession(request, other),
      ]),
    )
    expect(sessions.map((session) => session?.user?.name)).toEqual(['Ada', undefined, undefined])
  })

  test('does not extend the session if there is no response', async () => {
    const request = await ada()
    const event = { request, locals: {} } as unknown as RequestEvent
    const session = await provideRequestEvent(event, () => getSession(request, config))
    expect(session?.user?.name).toBe('Ada')
  })
})

describe('in a server function', () => {
  test('a user signs in and out', async () => {
    const options = { name: 'Ada', redirectTo: '/next' }
    const entered = await signIn(
      ask('/_server', { method: 'POST' }),
      config,
      'credentials',
      options,
    )
    expect(entered.headers.get('location')).toBe('http://app.example/next')
    expect(entered.headers.getSetCookie().join()).toContain(`${SESSION}=`)
    const left = await signOut(await ada(), config, { redirectTo: '/' })
    expect(left.headers.get('location')).toBe('http://app.example/')
    expect(left.headers.getSetCookie().join()).toMatch(/authjs\.session-token=; Max-Age=0/)
  })

  test('a visitor without a session is redirected to the sign-in page, also from a link of another site', async () => {
    const linked = ask('/private', { headers: { 'sec-fetch-site': 'cross-site' } })
    const answer = await signIn(linked, config, undefined, { redirectTo: '/private' })
    expect(answer.headers.get('location')).toBe(
      'http://app.example/api/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fprivate',
    )
  })

  test('a form of another site signs nobody in or out', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const sent = ask('/_server', { method: 'POST', headers: headers as Record<string, string> })
      const eve = [sent, config, 'credentials', { name: 'Eve' }] as const
      await expect(signIn(...eve)).rejects.toThrow('another')
      const event = { request: sent, locals: {}, response: { headers: new Headers() } }
      const told = provideRequestEvent(event as unknown as RequestEvent, () =>
        signIn.result(...eve),
      )
      expect(await told).toMatchObject({ error: 'MissingCSRF' })
      expect(event.response.headers.getSetCookie().join()).not.toContain(`${SESSION}=`)
      await expect(signOut(sent, config)).rejects.toThrow('another site')
    }
  })

  test('`result` returns the result, and sets the cookies', async () => {
    const sent = ask('/_server', { method: 'POST' })
    const response = { headers: new Headers() }
    const event = { request: sent, locals: {}, response } as unknown as RequestEvent
    const tell = (name: string): Promise<unknown> =>
      provideRequestEvent(event, () => signIn.result(sent, config, 'credentials', { name }))
    expect(await tell('locked')).toMatchObject({ error: 'CredentialsSignin', code: 'locked' })
    expect(response.headers.getSetCookie().join()).not.toContain(`${SESSION}=`)
    expect(await tell('Ada')).toEqual({ url: 'http://app.example/' })
    expect(response.headers.getSetCookie().join()).toContain(`${SESSION}=`)
  })

  test('errors are thrown', async () => {
    const sent = ask('/_server', { method: 'POST' })
    await expect(signIn(sent, config, 'credentials', { name: 'locked' })).rejects.toMatchObject({
      type: 'CredentialsSignin',
      code: 'locked',
    })
  })
})
