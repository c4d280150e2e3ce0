import { beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { AuthError, CredentialsSignin } from '../../src/base/errors.ts'
import { customFetch } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import { createMailbox } from '../../src/entries/testing.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { SignInOptions } from '../../src/instance/types.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { SignInParams } from '../../src/options/callbacks.ts'
import type { Env } from '../../src/options/env.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import { recordingAdapter } from '../support/recording.ts'

const SITE = 'https://app.example'
const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com' }
const login = Credentials({ authorize: ({ password }) => (password === 'x' ? ada : null) })
const silent = { error: () => {}, warn: () => {}, debug: () => {} }
const ENV: Env = {
  AUTH_SECRET: 'q7Zr2Wm9Xk4Lt6Vb8Ny3Cp5Hd1Jf0Sg',
  NODE_ENV: 'production',
  AUTH_URL: SITE,
}

const base = { providers: [login, GitHub({ clientId: 'id' })], logger: silent, basePath: '/auth' }

function ask(path: string, { headers = {}, ...init }: RequestInit = {}, origin = SITE): Request {
  return new Request(origin + path, { ...init, headers })
}

/** The cookies of an answer as a browser sends them back; later ones win. */
function cookiesOf(headers: Headers, before = ''): string {
  const jar = new Map<string, string>(
    before
      .split('; ')
      .filter(Boolean)
      .map((pair) => [pair.split('=')[0] ?? '', pair]),
  )
  for (const text of headers.getSetCookie()) {
    const pair = text.split(';')[0] ?? ''
    const name = pair.split('=')[0] ?? ''
    if (text.includes('Max-Age=0')) jar.delete(name)
    else jar.set(name, pair)
  }
  return [...jar.values()].join('; ')
}

async function signedIn(config: AuthConfig = base, env: Env = ENV) {
  const latchkey = createLatchkey(config, env)
  const answer = await latchkey.signIn(ask('/'), 'credentials', { password: 'x' })
  return { latchkey, cookie: cookiesOf(answer.headers) }
}

describe('an instance', () => {
  test('takes missing options from the environment', async () => {
    const { handler, handlers } = createLatchkey(
      { providers: [GitHub], logger: silent },
      { ...ENV, AUTH_URL: `${SITE}/api/auth`, AUTH_GITHUB_ID: 'from-env' },
    )
    const csrf = await handlers.GET(ask('/api/auth/csrf'))
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const begin = await handler(
      ask('/api/auth/signin/github', {
        method: 'POST',
        headers: { cookie: cookiesOf(csrf.headers), 'content-type': 'application/json' },
        body: JSON.stringify({ csrfToken }),
      }),
    )
    const url = new URL(begin.headers.get('location') ?? '')
    expect(url.searchParams.get('client_id')).toBe('from-env')
    expect(url.searchParams.get('redirect_uri')).toBe(`${SITE}/api/auth/callback/github`)
  })

  for (const [what, env, type] of [
    ['a secret', { NODE_ENV: 'development' }, 'MissingSecret'],
    ['a trusted host', { NODE_ENV: 'production', AUTH_SECRET: 'x' }, 'UntrustedHost'],
  ] as const) {
    test(`is not created without ${what}`, () => {
      expect(() => createLatchkey({ ...base }, env)).toThrow(expect.objectContaining({ type }))
    })
  }

  test('is not created with a page at an invalid address', () => {
    const made = (signIn: unknown) => () =>
      createLatchkey({ ...base, pages: { signIn: signIn as string } }, ENV)
    for (const page of ['http://localhost:undefined/in', 'https://', 5, ['/in']])
      expect(made(page)).toThrow(
        `each of \`pages\` must be a path or a URL, got ${JSON.stringify(page)}`,
      )
    for (const page of ['/in', 'in', '', 'https://in.example/x?y', undefined, null])
      expect(made(page)).not.toThrow()
  })

  test('T-HOST-1: is at AUTH_URL, also if a request names another host', async () => {
    const { handler } = createLatchkey(base, ENV)
    const hostile = ask(
      '/auth/providers',
      {
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'http',
        },
      },
      'http://10.0.0.1:3000',
    )
    expect(await (await handler(hostile)).text()).toContain(
      'https://app.example/auth/signin/github',
    )
    expect(await (await handler(hostile)).text()).not.toContain('evil')
  })

  test('T-HOST-3: does not keep a decision of the first request for the next', async () => {
    const { handler } = createLatchkey(
      { ...base, trustHost: true },
      { ...ENV, AUTH_URL: undefined },
    )
    const read = async (host: string): Promise<string> =>
      (await handler(ask('/auth/providers', { headers: { 'x-forwarded-host': host } }))).text()
    expect(await read('evil.example')).toContain('https://evil.example/auth')
    expect(await read('app.example')).not.toContain('evil')
  })

  test('keeps the body of a form that comes through a proxy', async () => {
    const { handler } = createLatchkey(
      { ...base, trustHost: true },
      { ...ENV, AUTH_URL: undefined },
    )
    const headers = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' }
    const csrf = await handler(ask('/auth/csrf', { headers }, 'http://10.0.0.1'))
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const end = await handler(
      ask(
        '/auth/callback/credentials',
        {
          method: 'POST',
          headers: { ...headers, cookie: cookiesOf(csrf.headers) },
          body: new URLSearchParams({ csrfToken, password: 'x', callbackUrl: '/in' }),
        },
        'http://10.0.0.1',
      ),
    )
    expect(end.headers.get('location')).toBe(`${SITE}/in`)
    expect(end.headers.getSetCookie().join()).toContain('__Secure-authjs.session-token=')
  })

  test('accepts the secret under its legacy name', async () => {
    for (const AUTH_SECRET of [undefined, '']) {
      const env = { NODE_ENV: 'development', AUTH_SECRET, NEXTAUTH_SECRET: 'x'.repeat(32) }
      expect((await createLatchkey(base, env).handler(ask('/auth/session'))).status).toBe(200)
    }
  })

  test('may have a configuration that depends on the request', async () => {
    const asked: (Request | undefined)[] = []
    const latchkey = createLatchkey(async (request) => {
      asked.push(request)
      return {
        ...base,
        basePath: new URL(request?.url ?? SITE).pathname.startsWith('/b/') ? '/b/auth' : '/auth',
      }
    }, ENV)
    expect((await latchkey.handler(ask('/b/auth/providers'))).status).toBe(200)
    expect((await latchkey.handler(ask('/auth/providers'))).status).toBe(200)
    await latchkey.auth(new Headers())
    expect(asked.map((request) => request?.url)).toEqual([
      `${SITE}/b/auth/providers`,
      `${SITE}/auth/providers`,
      undefined,
    ])
  })

  test('with a function as configuration checks it at the first call', async () => {
    const latchkey = createLatchkey(() => ({ ...base, secret: '' }), { ...ENV, AUTH_SECRET: '' })
    expect((await latchkey.handler(ask('/auth/session'))).status).toBe(500)
    expect(await latchkey.auth(ask('/'))).toBeNull()
    await expect(latchkey.signIn(ask('/'))).rejects.toBeInstanceOf(AuthError)
  })

  test('leaves the given configuration alone', () => {
    const config = Object.freeze({ ...base })
    createLatchkey(config, { ...ENV, AUTH_SECRET_1: 'w4Jn8Ft2Qs6Yd1Gk5Mz9Bx3Rv7Lc0Ph' })
    expect(config).not.toHaveProperty('secret')
  })
})

describe('signing in from the server', () => {
  test('with credentials returns the redirect and the session', async () => {
    const latchkey = createLatchkey(base, ENV)
    const answer = await latchkey.signIn(ask('/'), 'credentials', {
      password: 'x',
      redirectTo: '/in',
    })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`${SITE}/in`)
    const session = await latchkey.auth(
      ask('/', { headers: { cookie: cookiesOf(answer.headers) } }),
    )
    expect(session?.user).toEqual({ id: 'u1', name: 'Ada', email: 'ada@example.com' })
  })

  test('sets each cookie once', async () => {
    const answer = await createLatchkey(base, ENV).signIn(ask('/'), 'credentials', {
      password: 'x',
    })
    const names = answer.headers.getSetCookie().map((text) => text.split('=')[0])
    expect(names).toEqual([...new Set(names)])
    expect(names).toContain('__Host-authjs.csrf-token')
  })

  test('throws the error', async () => {
    const latchkey = createLatchkey(base, ENV)
    await expect(
      latchkey.signIn(ask('/'), 'credentials', { password: 'wrong' }),
    ).rejects.toBeInstanceOf(CredentialsSignin)
  })

  test('with a provider returns the redirect there, with parameters', async () => {
    const latchkey = createLatchkey(base, ENV)
    const answer = await latchkey.signIn(
      ask('/'),
      'github',
      {},
      { prompt: 'login', client_id: 'evil' },
    )
    const url = new URL(answer.headers.get('location') ?? '')
    expect(url.host).toBe('github.com')
    expect(url.searchParams.get('prompt')).toBe('login')
    expect(url.searchParams.get('client_id')).toBe('id')
    expect(cookiesOf(answer.headers)).toContain('latchkey.sign-in.')
  })

  test('by mail sends the mail', async () => {
    const { provider, last } = createMailbox()
    const { adapter } = recordingAdapter()
    const latchkey = createLatchkey({ ...base, providers: [provider], adapter }, ENV)
    const answer = await latchkey.signIn(ask('/'), 'email', { email: 'Ada@example.com' })
    expect(answer.headers.get('location')).toBe(
      `${SITE}/auth/verify-request?provider=email&type=email`,
    )
    expect([last().to, new URL(last().url).origin]).toEqual(['ada@example.com', SITE])
  })

  for (const [provider, back] of [
    [undefined, 'page'],
    ['', 'from'],
  ] as const) {
    test(`without a provider (${provider}) leads to the sign-in page, and from there back`, async () => {
      const request = ask('/page', { headers: { referer: `${SITE}/from` } })
      const target = `callbackUrl=https%3A%2F%2Fapp.example%2F${back}`
      const answer = await createLatchkey(base, ENV).signIn(request, provider)
      expect(answer.headers.get('location')).toBe(`${SITE}/auth/signin?${target}`)
      const own = createLatchkey({ ...base, pages: { signIn: '/login' } }, ENV)
      expect((await own.signIn(request, provider)).headers.get('location')).toBe(`/login?${target}`)
    })
  }

  describe('with `signIn.result`', () => {
    test('returns the target, with the cookies', async () => {
      const latchkey = createLatchkey(base, ENV)
      const options = { password: 'x', redirectTo: '/in' }
      const { headers, ...told } = await latchkey.signIn.result(ask('/'), 'credentials', options)
      expect(told).toEqual({ url: `${SITE}/in` })
      const cookie = cookiesOf(headers)
      expect((await latchkey.auth(ask('/', { headers: { cookie } })))?.user?.name).toBe('Ada')
      const left = await latchkey.signOut.result(ask('/', { headers: { cookie } }))
      expect(left.url).toBe(`${SITE}/`)
      expect(cookiesOf(left.headers, cookie)).not.toContain('session-token')
    })

    test('returns and logs the error that the page would show', async () => {
      const logged: unknown[] = []
      class Locked extends CredentialsSignin {
        override code = 'locked'
      }
      const fails: Record<string, () => null> = {
        wrong: () => null,
        locked: () => {
          throw new Locked()
        },
        broken: () => {
          throw new Error('the directory is down')
        },
      }
      const authorize = ({ name }: Partial<Record<string, unknown>>) =>
        fails[String(name)]?.() ?? null
      const latchkey = createLatchkey(
        {
          ...base,
          providers: [Credentials({ authorize })],
          pages: { signIn: '/login' },
          logger: { ...silent, error: (error) => void logged.push((error as AuthError).type) },
        },
        ENV,
      )
      const results = []
      for (const name of ['wrong', 'locked', 'broken']) {
        const { headers, ...told } = await latchkey.signIn.result(ask('/'), 'credentials', { name })
        expect(cookiesOf(headers)).not.toContain('session-token')
        results.push(told)
      }
      expect(results).toEqual([
        {
          url: `${SITE}/login?error=CredentialsSignin&code=credentials`,
          error: 'CredentialsSignin',
          code: 'credentials',
        },
        {
          url: `${SITE}/login?error=CredentialsSignin&code=locked`,
          error: 'CredentialsSignin',
          code: 'locked',
        },
        { url: `${SITE}/auth/error?error=Configuration`, error: 'Configuration' },
      ])
      expect(logged).toEqual(['CredentialsSignin', 'CredentialsSignin', 'CallbackRouteError'])
    })

    test('throws if the configuration cannot be used', async () => {
      const latchkey = createLatchkey(() => ({ ...base, secret: '' }), { ...ENV, AUTH_SECRET: '' })
      await expect(latchkey.signIn.result(ask('/'))).rejects.toMatchObject({
        type: 'MissingSecret',
      })
    })
  })

  test('T-REDIR-1: leads to no other site', async () => {
    const headers = { referer: 'https://evil.example/' }
    const latchkey = createLatchkey(base, ENV)
    for (const redirectTo of [undefined, 'https://evil.example/', 'javascript:alert(1)']) {
      const answer = await latchkey.signIn(ask('/', { headers }), 'credentials', {
        password: 'x',
        ...(redirectTo ? { redirectTo } : {}),
      })
      expect(answer.headers.get('location')).toBe(SITE)
    }
  })
})

describe('PUB-6: the context that the application passes when a sign-in begins', () => {
  const asked: SignInParams[] = []
  const mailbox = createMailbox()
  const send: typeof fetch = async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname.endsWith('/access_token'))
      return Response.json({ access_token: 'x', token_type: 'bearer', scope: '' })
    if (pathname.endsWith('/emails')) return Response.json([])
    return Response.json({ id: 7, login: 'ada', name: 'Ada', email: 'ada@example.com' })
  }
  const config = (): AuthConfig => ({
    ...base,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      login,
      GitHub({ clientId: 'id', clientSecret: 'secret', [customFetch]: send }),
      mailbox.provider,
    ],
    callbacks: {
      signIn(params) {
        asked.push(params)
        return params.context?.['invitation'] === 'good'
      },
    },
  })
  beforeEach(() => {
    asked.length = 0
  })

  async function throughGitHub(context: unknown, given = config()): Promise<Response> {
    const latchkey = createLatchkey(given, ENV)
    const options = { redirectTo: '/welcome', context } as SignInOptions
    const begun = await latchkey.signIn(ask('/join'), 'github', options)
    const url = new URL(begun.headers.get('location') ?? '')
    expect(url.href).not.toContain('good')
    expect(begun.headers.getSetCookie().join()).not.toContain('invitation')
    const query = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' })
    const headers = { cookie: cookiesOf(begun.headers) }
    return latchkey.handler(ask(`/auth/callback/github?${query}`, { headers }))
  }

  test('reaches the `signIn` callback through a provider, with the callback URL', async () => {
    const end = await throughGitHub({ invitation: 'good' })
    expect(end.headers.get('location')).toBe(`${SITE}/welcome`)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      account: { provider: 'github' },
      context: { invitation: 'good' },
      callbackUrl: `${SITE}/welcome`,
    })
  })

  test('is missing if none is passed, and a form of a visitor cannot set it', async () => {
    const end = await throughGitHub('{"invitation":"good"}')
    expect(end.headers.get('location')).toContain('error=AccessDenied')
    expect(asked[0]?.context).toBeUndefined()
    expect(asked[0]?.callbackUrl).toBe(`${SITE}/welcome`)
  })

  test('reaches the `signIn` callback with credentials, and at both steps of a mail', async () => {
    const latchkey = createLatchkey(config(), ENV)
    const context = { invitation: 'good' }
    await latchkey.signIn(ask('/join'), 'credentials', { password: 'x', context })
    expect(asked).toMatchObject([{ credentials: { password: 'x' }, context }])
    expect(asked[0]?.credentials).not.toHaveProperty('context')
    asked.length = 0
    const email = 'ada@example.com'
    const options = { email, context, redirectTo: '/in' }
    const begun = await latchkey.signIn(ask('/join'), mailbox.provider.id, options)
    const link = new URL(mailbox.last(email).url)
    const opened = { headers: { cookie: cookiesOf(begun.headers) } }
    await latchkey.handler(ask(link.pathname + link.search, opened))
    expect(asked.map((each) => [each.callbackUrl, each.context])).toEqual([
      [`${SITE}/in`, context],
      [`${SITE}/in`, context],
    ])
  })

  test('must be small enough for a cookie, and JSON', async () => {
    const latchkey = createLatchkey(config(), ENV)
    for (const context of [{ much: 'x'.repeat(1100) }, { when: 5n }, ['good'], new Date()]) {
      const options = { context } as unknown as SignInOptions
      await expect(latchkey.signIn(ask('/join'), 'github', options)).rejects.toThrow(
        '`context` of signIn must be a plain object whose JSON has at most 1000 characters',
      )
    }
  })
})

test('MF-18: `signOut` sends what to forget and whether to leave the provider as a form does', async () => {
  const seen: unknown[] = []
  const leaving = definePlugin({
    name: 'leaving',
    setUp: () => ({
      leave: {
        to({ request: { form } }) {
          seen.push([form['forget'], form['federated']])
          return undefined
        },
      },
    }),
  })
  const latchkey = createLatchkey({ ...base, plugins: [leaving] }, ENV)
  for (const options of [
    {},
    { forget: true },
    { forget: '1', federated: '0' },
    { forget: false },
  ] as const)
    await latchkey.signOut(ask('/'), options)
  expect(seen).toEqual([
    [undefined, undefined],
    ['1', undefined],
    ['1', '0'],
    [undefined, undefined],
  ])
})

describe('T-WEB-2: a request of another site to `signIn` and `signOut`', () => {
  const cross = { 'sec-fetch-site': 'cross-site' }
  const foreign: readonly Record<string, string>[] = [
    cross,
    { 'sec-fetch-site': 'cross-site', origin: SITE },
    { 'sec-fetch-site': 'same-site', origin: 'https://neighbour.app.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  const own: readonly Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin', origin: SITE },
    { 'sec-fetch-site': 'none' },
    { origin: SITE },
  ]
  const { provider: mailbox, mails } = createMailbox()
  const config: AuthConfig = {
    ...base,
    providers: [...base.providers, mailbox],
    adapter: recordingAdapter().adapter,
    session: { strategy: 'jwt' },
  }
  const password = { password: 'x' }

  test.each(foreign)('is refused if it is a form that signs in or out (%j)', async (headers) => {
    const latchkey = createLatchkey(config, ENV)
    const { cookie } = await signedIn(config)
    const form = ask('/enter', { method: 'POST', headers: { ...headers, cookie } })
    for (const provider of ['credentials', 'github', 'email']) {
      const options = { ...password, email: 'ada@example.com' }
      await expect(latchkey.signIn(form, provider, options)).rejects.toMatchObject({
        type: 'MissingCSRF',
        message: expect.stringContaining('set `allowCrossSite` if this is intended'),
      })
      const told = await latchkey.signIn.result(form, provider, options)
      expect(told.error).toBe('MissingCSRF')
      expect(told.headers.getSetCookie().join()).not.toContain('session-token')
    }
    await expect(latchkey.signOut(form)).rejects.toMatchObject({ type: 'MissingCSRF' })
    const stayed = await latchkey.signOut.result(form)
    expect(stayed.error).toBe('MissingCSRF')
    expect(stayed.headers.getSetCookie().join()).not.toContain('session-token')
    expect((await latchkey.auth(form))?.user?.name).toBe('Ada')
    expect(mails).toEqual([])
  })

  test.each(own)(
    'is distinguished from requests of the site itself, which are accepted (%j)',
    async (headers) => {
      const latchkey = createLatchkey(config, ENV)
      for (const method of ['POST', 'GET']) {
        const request = ask('/enter', { method, headers })
        for (const provider of ['credentials', 'github']) {
          expect((await latchkey.signIn(request, provider, password)).status).toBe(302)
        }
        expect((await latchkey.signOut(request)).status).toBe(302)
      }
    },
  )

  test.each([undefined, 'github'])(
    'may be a link to a page that begins a sign-in (%s), which ends elsewhere',
    async (provider) => {
      const link = ask('/private', { headers: cross })
      const answer = await createLatchkey(config, ENV).signIn(link, provider)
      const { host } = new URL(answer.headers.get('location') ?? '')
      expect(host).toBe(provider ? 'github.com' : 'app.example')
      expect(answer.headers.getSetCookie().join()).not.toContain('session-token')
    },
  )

  test.each(['credentials', 'email'])('is refused if a link would do more: %s', async (id) => {
    const link = ask('/enter', { headers: cross })
    const latchkey = createLatchkey(config, ENV)
    await expect(latchkey.signIn(link, id, password)).rejects.toMatchObject({ type: 'MissingCSRF' })
    await expect(latchkey.signOut(link)).rejects.toMatchObject({ type: 'MissingCSRF' })
  })

  test('is accepted with `allowCrossSite`', async () => {
    const latchkey = createLatchkey({ ...config, allowCrossSite: true }, ENV)
    const form = ask('/enter', { method: 'POST', headers: cross })
    const answer = await latchkey.signIn(form, 'credentials', password)
    expect(answer.headers.getSetCookie().join()).toContain('session-token=')
    expect((await latchkey.signOut(form)).status).toBe(302)
  })

  test('is recognized by the headers of the browser, not by fields of the form', async () => {
    const form = ask('/enter', { method: 'POST', headers: cross })
    const options = { ...password, allowCrossSite: true, crossSite: true }
    await expect(
      createLatchkey(config, ENV).signIn(form, 'credentials', options),
    ).rejects.toMatchObject({ type: 'MissingCSRF' })
  })
})

describe('a failure between the application and other services:', () => {
  const secretive = 'connect ECONNREFUSED 10.0.0.5:5432'
  const fail = (): never => {
    throw new Error(secretive)
  }
  function failing() {
    const logged: string[] = []
    const { adapter } = recordingAdapter()
    const config: AuthConfig = {
      ...base,
      adapter,
      session: { strategy: 'jwt' },
      logger: { ...silent, error: (error) => void logged.push((error as AuthError).type) },
      providers: [
        { id: 'email', name: 'Email', type: 'email', sendVerificationRequest: fail },
        {
          id: 'idp',
          name: 'IdP',
          type: 'oidc',
          issuer: 'https://idp.example',
          clientId: 'id',
          [customFetch]: fail,
        },
        Credentials({ authorize: fail }),
      ],
    }
    return { latchkey: createLatchkey(config, ENV), logged }
  }

  test.each([
    ['a mistyped address', 'email', { email: 'ada@' }, 'EmailSignin', 'EmailSignInError'],
    ['a mail server', 'email', { email: 'ada@a.example' }, 'EmailSignin', 'EmailSignInError'],
    ['a provider', 'idp', {}, 'OAuthSignin', 'OAuthSignInError'],
  ])(
    '%s leads to the sign-in page, and the log has the rest',
    async (_what, id, options, code, type) => {
      const { latchkey, logged } = failing()
      const answer = await latchkey.signIn(ask('/'), id, options)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe(`${SITE}/auth/signin?error=${code}`)
      expect(logged).toEqual([type])
    },
  )

  test('T-AUD-1: in the thrown error has no details of the inner failure', async () => {
    const { latchkey } = failing()
    await expect(latchkey.signIn(ask('/'), 'credentials', {})).rejects.toMatchObject({
      type: 'CallbackRouteError',
      message: 'the action failed with CallbackRouteError; `cause.err` has the reason',
      cause: { err: { message: secretive } },
    })
  })
})

for (const strategy of ['jwt', 'database'] as const) {
  describe(`a session of ${strategy} from the server`, () => {
    async function open(more: Partial<AuthConfig> = {}) {
      const { adapter, writes } = recordingAdapter()
      await adapter.createUser({ ...ada, emailVerified: null })
      const config = { ...base, ...(strategy === 'database' ? { adapter } : {}), ...more }
      const world = await signedIn(config)
      writes()
      return { ...world, writes }
    }

    test('is read from a request, and from headers alone', async () => {
      const { latchkey, cookie } = await open()
      expect((await latchkey.auth(ask('/', { headers: { cookie } })))?.user?.name).toBe('Ada')
      expect((await latchkey.auth(new Headers({ cookie })))?.user?.name).toBe('Ada')
      expect(await latchkey.auth(ask('/'))).toBeNull()
    })

    test('is read without writing anything, and extended if headers are requested', async () => {
      const { latchkey, cookie, writes } = await open({ session: { updateAge: 0 } })
      const request = ask('/', { headers: { cookie } })
      expect(await latchkey.auth(request)).not.toBeNull()
      expect(writes()).toEqual([])
      const { session, headers } = await latchkey.session(request)
      expect(session?.user?.name).toBe('Ada')
      expect(headers.getSetCookie()).toHaveLength(1)
      expect(writes()).toEqual(strategy === 'database' ? ['updateSession'] : [])
    })

    test('is read with all its facts', async () => {
      const { latchkey, cookie, writes } = await open({ session: { updateAge: 0 } })
      const request = ask('/', { headers: { cookie } })
      const read = await latchkey.getSession(request)
      expect([read.status, read.session?.user?.name]).toEqual(['authenticated', 'Ada'])
      expect(read.headers.getSetCookie()).toHaveLength(1)
      expect(read.headers.get('cache-control')).toBe('private, no-store')
      expect(writes()).toEqual(strategy === 'database' ? ['updateSession'] : [])

      const alone = await latchkey.getSession(request.headers)
      expect([alone.status, alone.session?.user?.name]).toEqual(['authenticated', 'Ada'])
      expect([...alone.headers]).toEqual([])
      expect(writes()).toEqual([])

      const nobody = await latchkey.getSession(ask('/'))
      expect([nobody.status, nobody.session, [...nobody.headers]]).toEqual(['none', null, []])
      const changed = cookie.replace(/(session-token=)[^;]+/, '$1abc.def')
      const refused = await latchkey.getSession(ask('/', { headers: { cookie: changed } }))
      expect([refused.status, refused.session]).toEqual(['invalid', null])
      expect(refused.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')])
    })

    test('tells scripts about itself if `stateCookie` is set', async () => {
      const STATE = /^__Secure-latchkey\.session-state=/
      const told = ({ headers }: { headers: Headers }): boolean =>
        headers.getSetCookie().some((line) => STATE.test(line))
      for (const stateCookie of [true, false]) {
        const { latchkey, cookie } = await open({ session: { stateCookie, updateAge: 0 } })
        const request = ask('/', { headers: { cookie } })
        expect(/latchkey\.session-state=/.test(cookie)).toBe(stateCookie)
        expect(told(await latchkey.session(request))).toBe(false)
        expect(told(await latchkey.updateSession(request, {}))).toBe(stateCookie)
        expect(told(await latchkey.signOut(request))).toBe(stateCookie)
      }
    })

    test('is updated without a form', async () => {
      const seen: unknown[] = []
      const { latchkey, cookie } = await open({
        callbacks: {
          session({ session, newSession, trigger }) {
            seen.push([trigger, newSession])
            return session
          },
        },
      })
      const { session } = await latchkey.updateSession(ask('/', { headers: { cookie } }), { a: 1 })
      expect(session?.user?.name).toBe('Ada')
      expect(seen).toEqual([['update', { a: 1 }]])
    })

    test('says why nobody is signed in, and sets and extends nothing', async () => {
      let fails = false
      const { latchkey, cookie, writes } = await open({
        session: { updateAge: 0 },
        callbacks: {
          session({ session }) {
            if (fails) throw new Error('no')
            return session
          },
        },
      })
      const why = async (sent: string): Promise<unknown> => {
        const headers = { cookie: sent }
        const { status, session } = await latchkey.auth.result(ask('/', { headers }))
        expect(session).toEqual(status === 'authenticated' ? expect.objectContaining({}) : null)
        expect(await latchkey.auth.result(new Headers(headers))).toMatchObject({ status })
        return status
      }
      expect(await why(cookie)).toBe('authenticated')
      expect(await why('')).toBe('none')
      expect(await why('__Secure-authjs.session-token=')).toBe('none')
      expect(await why(cookie.replace(/(session-token=)[^;]+/, '$1abc.def'))).toBe('invalid')
      expect(writes()).toEqual([])
      fails = true
      expect(await why(cookie)).toBe('unavailable')
      fails = false
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 24 * 60 * 60 * 1000 })
      try {
        const headers = new Headers({ cookie })
        expect(await latchkey.auth.result(headers)).toEqual({ status: 'expired', session: null })
      } finally {
        vi.useRealTimers()
      }
    })

    test('can be ended', async () => {
      const { latchkey, cookie } = await open()
      const answer = await latchkey.signOut(ask('/', { headers: { cookie } }), {
        redirectTo: '/bye',
      })
      expect(answer.headers.get('location')).toBe(`${SITE}/bye`)
      const after = cookiesOf(answer.headers, cookie)
      expect(after).not.toContain('session-token')
      expect(await latchkey.auth(ask('/', { headers: { cookie: after } }))).toBeNull()
      if (strategy === 'database') {
        expect(await latchkey.auth(ask('/', { headers: { cookie } }))).toBeNull()
      }
    })

    test('T-FLOW-3: is null if a callback fails', async () => {
      let fails = false
      const { latchkey, cookie } = await open({
        callbacks: {
          session({ session }) {
            if (fails) throw new Error('no')
            return session
          },
        },
      })
      fails = true
      expect(await latchkey.auth(ask('/', { headers: { cookie } }))).toBeNull()
    })
  })
}

describe('handlers of events', () => {
  test('that fail, at once or later, change nothing and are logged', async () => {
    const logged: string[] = []
    const config: AuthConfig = {
      ...base,
      logger: { ...silent, error: (error) => logged.push((error as AuthError).type) },
      events: {
        signIn: () => {
          throw new Error('at once')
        },
        signOut: async () => {
          throw new Error('later')
        },
      },
    }
    const { latchkey, cookie } = await signedIn(config)
    expect(await latchkey.auth(ask('/', { headers: { cookie } }))).not.toBeNull()
    await latchkey.signOut(ask('/', { headers: { cookie } }))
    expect(logged).toEqual(['EventError', 'EventError'])
  })

  test('have finished before the response is returned', async () => {
    const order: string[] = []
    const config: AuthConfig = {
      ...base,
      events: {
        signIn: async () => {
          await Promise.resolve()
          await Promise.resolve()
          order.push('event')
        },
      },
    }
    await signedIn(config)
    order.push('answer')
    expect(order).toEqual(['event', 'answer'])
  })
})

test('a read of the session leaves the body of a request to the application', async () => {
  const lk = createLatchkey(
    { providers: [], secret: 'a secret for tests, 0123456789abcdef' },
    { AUTH_URL: 'https://app.example' },
  )
  for (const ask of [
    (request: Request) => lk.auth(request),
    (request: Request) => lk.session(request),
    (request: Request) => lk.signOut(request),
    (request: Request) => lk.signIn(request),
  ]) {
    const request = new Request('http://internal.example/x', { method: 'POST', body: 'mine' })
    await ask(request)
    expect(await request.text()).toBe('mine')
  }
})

describe('a configuration that cannot be loaded', () => {
  const failing = () =>
    createLatchkey(async () => {
      throw new Error('the vault is closed')
    }, ENV)

  test('gets a general response, and nobody is signed in', async () => {
    const said: unknown[] = []
    const spy = vi.spyOn(console, 'error').mockImplementation((...args) => void said.push(args))
    try {
      const { handler, auth, getSession } = failing()
      const answer = await handler(ask('/auth/session'))
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({ message: expect.stringContaining('log') })
      expect(await auth(ask('/'))).toBeNull()
      expect(await auth(new Headers())).toBeNull()
      expect(await auth.result(ask('/'))).toEqual({ status: 'unavailable', session: null })
      expect(await getSession(ask('/'))).toMatchObject({ status: 'unavailable', session: null })
    } finally {
      spy.mockRestore()
    }
    expect(said.join('\n')).toContain(
      'the configuration could not be loaded: the vault is closed; the function passed to createLatchkey must return a configuration for every request',
    )
  })
})

describe('a configuration function that returns nothing', () => {
  test('is logged with a solution', async () => {
    const said: unknown[] = []
    const spy = vi.spyOn(console, 'error').mockImplementation((...args) => void said.push(args))
    try {
      const nothing = undefined as unknown as AuthConfig
      const { handler } = createLatchkey(() => nothing, ENV)
      expect((await handler(ask('/auth/session'))).status).toBe(500)
    } finally {
      spy.mockRestore()
    }
    expect(said.join('\n')).toContain('must return a configuration for every request')
  })
})

describe('T-SESS-5: a sign-out begun in code that the store cannot carry out', () => {
  async function signedIn() {
    const adapter = memoryAdapter()
    await adapter.createUser?.({ id: 'u1', email: 'ada@example.com', emailVerified: null })
    await adapter.createSession?.({
      sessionToken: 'a-session-token-of-before',
      userId: 'u1',
      expires: new Date(Date.now() + 60_000),
    })
    const gone = (): never => {
      throw new Error('the store is gone')
    }
    const latchkey = createLatchkey(
      {
        providers: [],
        adapter: { ...adapter, deleteSession: gone },
        secret: 'a secret for tests, 0123456789abcdef',
        trustHost: true,
        logger: { error() {} },
      },
      {},
    )
    const request = new Request('https://app.example/leave', {
      method: 'POST',
      headers: { cookie: '__Secure-authjs.session-token=a-session-token-of-before' },
    })
    return { latchkey, request }
  }
  const page = 'https://app.example/auth/error?error=SignOutError'

  test('redirects to the page that explains the failure, and keeps the cookie', async () => {
    const { latchkey, request } = await signedIn()
    const answer = await latchkey.signOut(request)
    expect(answer.headers.get('location')).toBe(page)
    expect(answer.headers.getSetCookie().join()).not.toContain('session-token')
    const told = await latchkey.handler(new Request(page))
    expect(told.status).toBe(503)
    expect(await told.text()).toContain('You are still signed in')
  })

  test('is reported with its code', async () => {
    const { latchkey, request } = await signedIn()
    const { url, error, headers } = await latchkey.signOut.result(request)
    expect({ url, error }).toEqual({ url: page, error: 'SignOutError' })
    expect(headers.getSetCookie().join()).not.toContain('session-token')
  })
})

describe('a response for a failure', () => {
  const latchkey = createLatchkey(base, ENV)
  const send = async (password: string): ReturnType<typeof latchkey.result> => {
    const { headers } = await latchkey.handler(ask('/auth/csrf'))
    const { csrfToken } = await (
      await latchkey.handler(ask('/auth/csrf', { headers: { cookie: cookiesOf(headers) } }))
    ).json()
    const body = new URLSearchParams({ csrfToken, password })
    const cookie = cookiesOf(headers)
    return latchkey.result(
      ask('/auth/callback/credentials', { method: 'POST', body, headers: { cookie } }),
    )
  }

  test('names the error that the visitor sees', async () => {
    const { response, ...told } = await send('wrong')
    expect(told).toEqual({ error: 'CredentialsSignin', code: 'credentials' })
    expect(response.headers.get('location')).toBe(
      `${SITE}/auth/signin?error=CredentialsSignin&code=credentials`,
    )
  })

  test('has no error if nothing failed, also if the address names one', async () => {
    expect(Object.keys(await send('x'))).toEqual(['response'])
    const own = createLatchkey({ ...base, pages: { error: '/oops' } }, ENV)
    const { response, ...told } = await own.result(ask('/auth/error?error=AccessDenied'))
    expect(response.headers.get('location')).toBe('/oops?error=AccessDenied')
    expect(told).toEqual({})
  })
})
