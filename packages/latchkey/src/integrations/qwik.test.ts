import { describe, expect, test, vi } from 'vitest'
import { AccessDenied } from '../base/errors.ts'
import { type AuthConfig, CredentialsSignin } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import { QwikAuth$, QwikAuthQrl } from './qwik.ts'

// Qwik itself runs in the tests of the examples. Here is what one application does not have all of.

const built = vi.hoisted(() => ({ isServer: true }))

vi.mock('@builder.io/qwik/build', () => ({
  get isServer() {
    return built.isServer
  },
}))
vi.mock('@builder.io/qwik', () => ({
  inlinedQrl: <T>(fn: T) => fn,
  implicit$FirstArg: <T>(fn: T) => fn,
}))
vi.mock('@builder.io/qwik-city', () => ({
  routeLoaderQrl: <T>(fn: T) => fn,
  globalActionQrl: <T>(fn: T) => fn,
}))

type Event = Parameters<ReturnType<typeof QwikAuth$>['onRequest']>[0]
type Run = (input: object, event: Event) => Promise<unknown>

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'

const config: AuthConfig = Object.freeze({
  session: { updateAge: 0 },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    {
      id: 'password',
      name: 'Password',
      type: 'credentials',
      credentials: {},
      authorize({ name }) {
        if (name === 'locked') throw Object.assign(new CredentialsSignin(), { code: 'locked' })
        if (name === 'broken') throw new Error('the database is away')
        return { id: '1', name: String(name) }
      },
    },
    {
      id: 'acme',
      name: 'Acme',
      type: 'oauth',
      clientId: 'a',
      clientSecret: 'b',
      authorization: 'https://acme.example/authorize',
      token: 'https://acme.example/token',
      userinfo: 'https://acme.example/me',
    },
  ],
} satisfies AuthConfig)

/** What Qwik takes for the end of a request. */
class Ended extends Error {}

/** An event as Qwik makes it, as far as is used of it. */
function eventOf(
  path: string,
  init: RequestInit = {},
  env: Record<string, string> = { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' },
) {
  const request = new Request(`http://app.example${path}`, init)
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/q-data\.json$/, '')
  const cookies = new Map<string, string>()
  const headers = new Headers()
  const said: { response?: Response; status?: number; url?: string } = {}
  const event: Event = {
    request,
    method: request.method,
    url,
    headers,
    env: { get: (name) => env[name] },
    cookie: { set: (name, value) => void cookies.set(name, value) },
    sharedMap: new Map(),
    send: (response) => Object.assign(said, { response }) && new Ended(),
    text: (status) => Object.assign(said, { status }) && new Ended(),
    redirect: (status, to) => Object.assign(said, { status, url: to }) && new Ended(),
    fail: (status, data) => Object.assign(said, { status }) && { ...data, failed: true },
  }
  return { event, cookies, headers, said, session: () => event.sharedMap.get('session') }
}

async function cookie(): Promise<string> {
  return `${SESSION}=${await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })}`
}

const form: RequestInit = { method: 'POST', body: new URLSearchParams() }

function actionsOf(given: AuthConfig = config): { signIn: Run; signOut: Run } {
  const { useSignIn, useSignOut } = QwikAuth$(() => given)
  return { signIn: useSignIn as unknown as Run, signOut: useSignOut as unknown as Run }
}

describe('onRequest', () => {
  for (const [given, url, base] of [
    [{}, undefined, '/auth'],
    [{}, 'http://app.example', '/auth'],
    [{ basePath: '/sign' }, undefined, '/sign'],
    [{}, 'http://app.example/from/env', '/from/env'],
  ] as const) {
    test(`is mounted at ${base}, with ${JSON.stringify(given)} and AUTH_URL ${url}`, async () => {
      const { onRequest } = QwikAuth$(() => ({ ...config, ...given }))
      const env = { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true', ...(url && { AUTH_URL: url }) }
      const { event, said } = eventOf(`${base}/providers`, {}, env)
      await expect(onRequest(event)).rejects.toThrow(Ended)
      expect(await said.response?.json()).toMatchObject({
        password: { signinUrl: `http://app.example${base}/signin/password` },
      })
    })
  }

  test('leaves other pages below the base path to the application', async () => {
    const { event, said } = eventOf('/auth/about/')
    await QwikAuth$(() => config).onRequest(event)
    expect(said).toEqual({})
  })

  test('calls the function for the configuration once for each request', async () => {
    const source = vi.fn(() => config)
    const { onRequest } = QwikAuth$(source)
    const { event, session } = eventOf('/', { headers: { cookie: await cookie() } })
    await onRequest(event)
    expect(session()).toMatchObject({ user: { name: 'Ada' } })
    expect(source.mock.calls).toEqual([[event]])
  })

  test('extends the session on a page, and not with a form', async () => {
    const { onRequest } = QwikAuth$(() => config)
    const headers = { cookie: await cookie() }
    const page = eventOf('/', { headers })
    await onRequest(page.event)
    expect(page.cookies.get(SESSION)).toMatch(/^[^;]+; Path=\/; Expires=.*; HttpOnly; SameSite=Lax/)
    const sent = eventOf('/?qaction=x', { ...form, headers })
    await onRequest(sent.event)
    expect(sent.session()).toMatchObject({ user: { name: 'Ada' } })
    expect([...sent.cookies]).toEqual([])
  })

  test('returns no data of the built-in pages to the router of Qwik', async () => {
    const { event, said, cookies } = eventOf('/auth/signin/q-data.json')
    await expect(QwikAuth$(() => config).onRequest(event)).rejects.toThrow(Ended)
    expect([said, [...cookies]]).toEqual([{ status: 404 }, []])
  })

  test('calls `authorized`', async () => {
    const authorized = ({ auth }: { auth: unknown }): boolean => auth !== null
    const { onRequest } = QwikAuth$(() => ({ ...config, callbacks: { authorized } }))
    const page = eventOf('/private/?page=2')
    await expect(onRequest(page.event)).rejects.toThrow(Ended)
    expect(page.said.response?.headers.get('location')).toBe(
      'http://app.example/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fprivate%2F%3Fpage%3D2',
    )
    const data = eventOf('/private/q-data.json')
    await expect(onRequest(data.event)).rejects.toThrow(Ended)
    expect(data.said).toEqual({ status: 401 })
    const known = eventOf('/private/', { headers: { cookie: await cookie() } })
    await onRequest(known.event)
    expect(known.session()).toMatchObject({ user: { name: 'Ada' } })
    expect([...known.cookies.keys()]).toEqual([SESSION])
  })
})

test('useSession returns the session', () => {
  const { useSession } = QwikAuth$(() => config)
  const { event } = eventOf('/')
  event.sharedMap.set('session', { user: { name: 'Ada' } })
  expect((useSession as unknown as (event: Event) => unknown)(event)).toEqual({
    user: { name: 'Ada' },
  })
})

describe('useSignIn', () => {
  test('redirects from a form to the provider, and back to the page of the form', async () => {
    const { event, said, cookies } = eventOf('/page/?a=b&qaction=x', form)
    const input = { providerId: 'acme', authorizationParams: { login_hint: 'ada' } }
    await expect(actionsOf().signIn(input, event)).rejects.toThrow(Ended)
    expect(said.status).toBe(302)
    expect(said.url).toMatch(/^https:\/\/acme\.example\/authorize\?.*login_hint=ada/)
    expect(cookies.get('authjs.callback-url')).toMatch(
      /^http%3A%2F%2Fapp\.example%2Fpage%2F%3Fa%3Db; /,
    )
  })

  test('passes the URL and the cookies to the router of Qwik', async () => {
    const { event, said, headers, cookies } = eventOf('/page/q-data.json?qaction=x', form)
    expect(await actionsOf().signIn({ providerId: 'acme' }, event)).toBeUndefined()
    expect(said).toEqual({})
    expect(headers.get('location')).toMatch(/^https:\/\/acme\.example\/authorize\?/)
    expect([...cookies.keys()].sort()).toContain('authjs.callback-url')
  })

  test.each([
    [{ redirectTo: '/a' }, 'http://app.example/a'],
    [{ redirectTo: '/a', options: { redirectTo: '/b' } }, 'http://app.example/b'],
    [{ redirectTo: { no: 'text' } }, 'http://app.example'],
  ])('goes where %j says', async (more, target) => {
    const { event, said, cookies } = eventOf('/?qaction=x', form)
    const options = { name: 'Ada', ...('options' in more ? more.options : {}) }
    const input = { providerId: 'password', ...more, options }
    await expect(actionsOf().signIn(input, event)).rejects.toThrow(Ended)
    expect(said.url).toBe(target)
    expect([...cookies.keys()]).toContain(SESSION)
  })

  test('without a provider redirects to the sign-in page', async () => {
    const { event, said } = eventOf('/page/?qaction=x', form)
    await expect(actionsOf().signIn({}, event)).rejects.toThrow(Ended)
    expect(said.url).toBe(
      'http://app.example/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fpage%2F',
    )
  })

  test('returns failures that the visitor can fix, and throws others', async () => {
    const { signIn } = actionsOf()
    const locked = eventOf('/?qaction=x', form)
    const as = (name: string): object => ({ providerId: 'password', options: { name } })
    expect(await signIn(as('locked'), locked.event)).toEqual({
      failed: true,
      error: 'CredentialsSignin',
      code: 'locked',
    })
    expect(locked.said).toEqual({ status: 401 })
    await expect(signIn(as('broken'), eventOf('/', form).event)).rejects.toMatchObject({
      type: 'CallbackRouteError',
    })
    const denied = eventOf('/?qaction=x', form)
    const closed = actionsOf({ ...config, callbacks: { signIn: () => false } })
    expect(await closed.signIn(as('Ada'), denied.event)).toMatchObject({ error: 'AccessDenied' })
    expect(denied.said).toEqual({ status: 403 })
    const blocked = Object.assign(new AccessDenied(), { code: 'internal' })
    const signInCallback = (): never => {
      throw blocked
    }
    const barred = actionsOf({ ...config, callbacks: { signIn: signInCallback } })
    expect(await barred.signIn(as('Ada'), eventOf('/', form).event)).not.toHaveProperty('code')
  })
})

test('useSignOut ends the session, also for the page in the same response', async () => {
  const headers = { cookie: await cookie() }
  const { event, said, cookies, session } = eventOf('/?qaction=x', { ...form, headers })
  await expect(actionsOf().signOut({ redirectTo: '/left' }, event)).rejects.toThrow(Ended)
  expect(said).toEqual({ status: 302, url: 'http://app.example/left' })
  expect(cookies.get(SESSION)).toMatch(/^; Max-Age=0/)
  expect(session()).toBeNull()
})

test('a form of another site signs nobody in or out', async () => {
  const { signIn, signOut } = actionsOf()
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
    for (const run of [signIn, signOut]) {
      const { event } = eventOf('/?qaction=x', { ...form, headers: headers as HeadersInit })
      await expect(run({ providerId: 'password' }, event)).rejects.toThrow('another site')
    }
  }
})

test('the request handler does nothing in the browser', async () => {
  built.isServer = false
  try {
    const source = vi.fn(() => config)
    const { onRequest } = QwikAuthQrl(source as never)
    const { event, said } = eventOf('/auth/providers')
    await onRequest(event)
    expect(said).toEqual({})
    expect(source).not.toHaveBeenCalled()
  } finally {
    built.isServer = true
  }
})
