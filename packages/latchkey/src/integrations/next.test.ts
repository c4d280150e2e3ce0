import { NextRequest } from 'next/server.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { type AuthConfig, CredentialsSignin, customFetch, isAuthError } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import NextAuth, { isRedirect } from './next.ts'

// Next.js itself runs in the tests of the examples. Here are the ways of calling that one application
// does not have all of; what the framework keeps for a request is in these variables.

const next = vi.hoisted(() => ({
  headers: new Headers(),
  set: [] as { name: string; value: string; options: Record<string, unknown> }[],
}))

vi.mock('next/headers.js', () => ({
  // Those of Next.js have a property `headers` themselves, with a plain object.
  headers: async () => Object.assign(new Headers(next.headers), { headers: {} }),
  cookies: async () => ({
    set: (name: string, value: string, options: Record<string, unknown>) =>
      next.set.push({ name, value, options }),
  }),
}))
vi.mock('next/navigation', () => ({
  redirect(url: string): never {
    throw Object.assign(new Error(`NEXT_REDIRECT ${url}`), { digest: `NEXT_REDIRECT;push;${url}` })
  },
}))
vi.mock('next/server.js', async () => ({
  NextRequest: (await import('../../tests/support/next-request.ts')).NextRequest,
  NextResponse: {
    next(init: { request?: { headers?: Headers } } = {}) {
      const forwarded = init.request?.headers?.get('cookie') ?? ''
      return new Response(null, { headers: { 'x-middleware-next': '1', forwarded } })
    },
  },
}))

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'

const config: AuthConfig = {
  secret,
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  callbacks: {
    jwt: ({ token, session }) => ({ ...token, ...(session as object | undefined) }),
    session: ({ session, token }) => ({ ...session, user: { name: token.name ?? null } }),
  },
  providers: [
    {
      id: 'credentials',
      name: 'Password',
      type: 'credentials',
      credentials: {},
      authorize({ name }) {
        if (name === 'locked') throw Object.assign(new CredentialsSignin(), { code: 'locked' })
        return name === 'wrong' ? null : { id: '1', name: String(name) }
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
}

async function ada(): Promise<string> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return `${SESSION}=${token}`
}

function ask(path: string, cookie?: string): Request {
  const headers: Record<string, string> = { host: 'app.example', ...(cookie && { cookie }) }
  return new Request(`http://app.example${path}`, { headers })
}

beforeEach(() => {
  next.headers = new Headers({ host: 'app.example', referer: 'http://app.example/page' })
  next.set = []
})

describe('auth()', () => {
  test('returns the session, and sets no cookie', async () => {
    const { auth } = NextAuth({ ...config, session: { updateAge: 0 } })
    expect(await auth()).toBeNull()
    next.headers.set('cookie', await ada())
    expect((await auth())?.user).toEqual({ name: 'Ada' })
    expect(next.set).toEqual([])
  })

  test('`result` returns the reason why there is no session', async () => {
    const { auth } = NextAuth(config)
    expect(await auth.result()).toEqual({ status: 'none', session: null })
    next.headers.set('cookie', `${SESSION}=abc`)
    expect(await auth.result()).toEqual({ status: 'invalid', session: null })
    next.headers.set('cookie', await ada())
    expect(await auth.result()).toMatchObject({
      status: 'authenticated',
      session: { user: { name: 'Ada' } },
    })
  })

  test('in the pages directory sets the cookies of a session that is due', async () => {
    const { auth } = NextAuth({ ...config, session: { updateAge: 0 } })
    const sent = new Map<string, string[]>([['set-cookie', ['mine=1']]])
    const response = {
      getHeader: (name: string) => sent.get(name),
      setHeader: (name: string, value: string[]) => sent.set(name, value),
    }
    const request = { headers: { host: 'app.example', cookie: await ada() }, url: '/api/x' }
    expect((await auth(request, response))?.user).toEqual({ name: 'Ada' })
    expect((await auth({ req: request, res: response }))?.user).toEqual({ name: 'Ada' })
    const cookies = sent.get('set-cookie') ?? []
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['mine', SESSION, SESSION])
  })
})

describe('GHSA-8fpg-xm3f-6cx3: with an invalid configuration', () => {
  const noAddresses = { id: 'acme', name: 'Acme', type: 'oauth', clientId: 'a' } as const
  const broken: AuthConfig = {
    ...config,
    providers: [noAddresses],
    callbacks: { ...config.callbacks, authorized: ({ auth }) => Boolean(auth) },
  }

  test('there is no session', async () => {
    const { auth } = NextAuth(broken)
    for (const cookie of ['', await ada()]) {
      next.headers.set('cookie', cookie)
      expect(await auth()).toBeNull()
      expect(await auth.result()).toEqual({ status: 'unavailable', session: null })
    }
  })

  test('no handler, page or proxy continues', async () => {
    const { auth } = NextAuth(broken)
    let called = 0
    const handler = auth(() => {
      called++
    })
    for (const request of [ask('/private'), ask('/private', await ada())]) {
      await expect(handler(request, {})).rejects.toThrow('acme')
      await expect(auth(request, {})).rejects.toThrow('acme')
    }
    const response = { getHeader: () => undefined, setHeader() {} }
    const request = { headers: { host: 'app.example', cookie: await ada() }, url: '/api/x' }
    await expect(auth(request, response)).rejects.toThrow('acme')
    expect(called).toBe(0)
  })
})

describe('auth as a proxy', () => {
  const onlyUsers: AuthConfig = {
    ...config,
    session: { updateAge: 0 },
    callbacks: { ...config.callbacks, authorized: ({ auth }) => auth !== null },
  }

  test('continues with a session, and the page receives the updated cookie', async () => {
    const { auth } = NextAuth(onlyUsers)
    const cookie = `other=1; ${await ada()}`
    const answer = await auth(ask('/private', cookie), {})
    expect(answer.headers.get('x-middleware-next')).toBe('1')
    const set = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(set.startsWith(`${SESSION}=`)).toBe(true)
    expect(answer.headers.get('forwarded')).toBe(`other=1; ${set}`)
  })

  test('redirects requests without a session to the sign-in page', async () => {
    const { auth } = NextAuth(onlyUsers)
    const answer = await auth(ask('/private'), {})
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      'http://app.example/api/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fprivate',
    ])
  })

  test('uses the path without base path and locale', async () => {
    const { auth } = NextAuth({ ...onlyUsers, pages: { signIn: '/login' } })
    const request = Object.assign(ask('/docs/de/login'), { nextUrl: { pathname: '/login' } })
    expect((await auth(request, {})).headers.get('x-middleware-next')).toBe('1')
  })

  test('with a handler calls `authorized` first', async () => {
    const { auth } = NextAuth(onlyUsers)
    let called = 0
    const proxy = auth(() => {
      called++
    })
    expect((await proxy(ask('/private'), {})).status).toBe(307)
    expect(called).toBe(0)
    expect((await proxy(ask('/private', await ada()), {})).headers.get('x-middleware-next')).toBe(
      '1',
    )
    expect(called).toBe(1)
  })

  test('around a route passes the session to it, and keeps the cookies of both', async () => {
    const { auth } = NextAuth({ ...config, session: { updateAge: 0 } })
    const route = auth((request, context: { params: string }) =>
      Response.redirect(`http://app.example/${request.auth?.user?.name}/${context.params}`),
    )
    const answer = await route(ask('/api/x', await ada()), { params: 'p' })
    expect(answer.headers.get('location')).toBe('http://app.example/Ada/p')
    expect(answer.headers.getSetCookie()).toHaveLength(1)
  })

  test('around a route that signs out does not restore the session', async () => {
    const { auth } = NextAuth({ ...config, session: { updateAge: 0 } })
    const gone = `${SESSION}=; Max-Age=0; Path=/`
    const route = auth(() => new Response('bye', { headers: { 'set-cookie': gone } }))
    const answer = await route(ask('/api/bye', await ada()), {})
    expect(answer.headers.getSetCookie()).toEqual([gone])
  })
})

describe('the request of Next.js', () => {
  const seen: { path: string; origin: string; guest: string | undefined }[] = []
  const looking: AuthConfig = {
    ...config,
    callbacks: {
      ...config.callbacks,
      authorized({ request }) {
        const { nextUrl, cookies } = request as NextRequest
        const { pathname: path, origin } = nextUrl
        seen.push({ path, origin, guest: cookies.get('guest')?.value })
        return true
      },
    },
  }

  beforeEach(() => {
    seen.length = 0
  })

  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test('is what `authorized` receives in a proxy and in front of a handler', async () => {
    const { auth } = NextAuth(looking)
    await auth(ask('/private', 'guest=1'), {})
    await auth(() => undefined)(ask('/private', 'guest=1'), {})
    const here = { path: '/private', origin: 'http://app.example', guest: '1' }
    expect(seen).toEqual([here, here])
  })

  test('is what a handler receives, with its body', async () => {
    const { auth } = NextAuth(config)
    const route = auth(async (request) =>
      Response.json([request.nextUrl.pathname, request.auth, await request.text()]),
    )
    const request = new Request('http://app.example/api/x', { method: 'POST', body: 'sent' })
    expect(await (await route(request, {})).json()).toEqual(['/api/x', null, 'sent'])
  })

  test('is the same object that Next.js passed', async () => {
    const { auth } = NextAuth(config)
    const given = new NextRequest('http://app.example/x', {})
    let received: unknown
    await auth((request) => {
      received = request
    })(given, {})
    expect(received).toBe(given)
  })

  test('has the origin of AUTH_URL, and keeps base path and body', async () => {
    vi.stubEnv('AUTH_URL', 'https://public.example')
    const { auth } = NextAuth(looking)
    const init = { method: 'POST', body: 'sent', headers: { cookie: 'guest=1' } }
    const here = 'http://127.0.0.1:3000/docs/private'
    const given = new NextRequest(here, { ...init, nextConfig: { basePath: '/docs' } })
    Object.defineProperty(given.nextUrl, 'href', { value: here })
    const route = auth(async ({ nextUrl }) => Response.redirect(new URL('/login', nextUrl)))
    const answer = await route(given, {})
    expect(answer.headers.get('location')).toBe('https://public.example/login')
    expect(seen).toEqual([{ path: '/private', origin: 'https://public.example', guest: '1' }])
    const echo = auth(async (request) => new Response(await request.text()))
    expect(await (await echo(new Request(here, init), {})).text()).toBe('sent')
  })

  test('is what a function for the configuration receives', async () => {
    const paths: (string | undefined)[] = []
    const { auth, handlers } = NextAuth((request) => {
      paths.push(request?.nextUrl.pathname)
      return config
    })
    await auth(ask('/private'), {})
    await auth()
    await handlers.GET(ask('/api/auth/session'))
    expect(paths).toEqual(['/private', undefined, '/api/auth/session'])
  })
})

describe('signIn', () => {
  test('signs in, sets the cookies, and redirects', async () => {
    const { signIn } = NextAuth(config)
    await expect(signIn('credentials', { name: 'Ada', redirectTo: '/there' })).rejects.toThrow(
      'NEXT_REDIRECT http://app.example/there',
    )
    const session = next.set.find(({ name }) => name === SESSION)
    expect(session?.options).toMatchObject({ httpOnly: true, path: '/', sameSite: 'lax' })
    expect(session?.options['expires']).toBeInstanceOf(Date)
  })

  test('returns the URL with `redirect: false`, also from a form', async () => {
    const { signIn } = NextAuth(config)
    expect(await signIn('credentials', { name: 'Ada', redirect: false })).toBe(
      'http://app.example/page',
    )
    const form = new FormData()
    form.append('name', 'Ada')
    form.append('redirect', 'false')
    form.append('redirectTo', '/x')
    form.append('$ACTION_ID_123', '')
    const answer: unknown = await signIn('credentials', form)
    expect(answer).toBe('http://app.example/x')
  })

  test('also accepts the string `false` outside of a form', async () => {
    const { signIn, signOut } = NextAuth(config)
    const url: string = await signIn('credentials', { name: 'Ada', redirect: 'false' })
    expect(url).toBe('http://app.example/page')
    expect(await signOut({ redirect: 'false' })).toEqual({ redirect: 'http://app.example/page' })
  })

  test('`isRedirect` distinguishes redirects from errors', async () => {
    const { signIn } = NextAuth(config)
    const caught = (name: string): Promise<unknown> =>
      signIn('credentials', { name }).catch((error: unknown) => error)
    expect(isRedirect(await caught('Ada'))).toBe(true)
    expect(isRedirect(await caught('wrong'))).toBe(false)
    for (const thrown of [null, undefined, 'NEXT_REDIRECT;', { digest: 7 }]) {
      expect(isRedirect(thrown)).toBe(false)
    }
  })

  test('`result` returns the error instead of throwing it', async () => {
    const { signIn, signOut } = NextAuth(config)
    const form = new FormData()
    form.append('name', 'wrong')
    form.append('redirectTo', '/x')
    const page = 'http://app.example/api/auth/signin?error=CredentialsSignin'
    expect(await signIn.result('credentials', form)).toEqual({
      url: `${page}&code=credentials`,
      error: 'CredentialsSignin',
      code: 'credentials',
    })
    expect(next.set.map(({ name }) => name)).not.toContain(SESSION)
    form.set('name', 'Ada')
    expect(await signIn.result('credentials', form)).toEqual({ url: 'http://app.example/x' })
    expect(next.set.map(({ name }) => name)).toContain(SESSION)
    next.headers.set('cookie', await ada())
    expect(await signOut.result({ redirectTo: '/bye' })).toEqual({ url: 'http://app.example/bye' })
    expect(next.set.findLast(({ name }) => name === SESSION)?.value).toBe('')
  })

  test('redirects to the provider with the parameters', async () => {
    const { signIn } = NextAuth(config)
    const url = new URL(await signIn('acme', { redirect: false }, { prompt: 'consent' }))
    expect([url.host, url.searchParams.get('prompt')]).toEqual(['acme.example', 'consent'])
    expect(url.searchParams.get('redirect_uri')).toBe('http://app.example/api/auth/callback/acme')
  })

  test('without a provider redirects to the sign-in page', async () => {
    const { signIn } = NextAuth(config)
    expect(await signIn(undefined, { redirect: false })).toBe(
      'http://app.example/api/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fpage',
    )
  })

  test('throws the errors of the library', async () => {
    const { signIn } = NextAuth(config)
    const wrong = await signIn('credentials', { name: 'wrong', redirect: false }).catch(
      (error: unknown) => error,
    )
    expect(isAuthError(wrong) && wrong.type).toBe('CredentialsSignin')
    const locked = await signIn('credentials', { name: 'locked', redirect: false }).catch(
      (error: unknown) => error,
    )
    expect(locked).toMatchObject({ code: 'locked' })
    expect(next.set.some(({ name }) => name === SESSION)).toBe(false)
  })
})

describe('a failure between the application and other services', () => {
  const failing: AuthConfig = {
    ...config,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        sendVerificationRequest: () => Promise.reject(new Error('ECONNREFUSED 10.0.0.7:25')),
      },
      {
        id: 'idp',
        name: 'IdP',
        type: 'oidc',
        issuer: 'https://idp.example',
        clientId: 'id',
        [customFetch]: () => Promise.reject(new Error('ECONNREFUSED 10.0.0.8:443')),
      },
      {
        id: 'credentials',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: () => Promise.reject(new Error('ECONNREFUSED 10.0.0.9:5432')),
      },
    ],
  }

  test.each([
    ['a mistyped address', 'email', { email: 'ada@' }, 'EmailSignin'],
    ['a mail server', 'email', { email: 'ada@example.com' }, 'EmailSignin'],
    ['a provider', 'idp', {}, 'OAuthSignin'],
  ])('%s redirects to the sign-in page', async (_what, provider, options, code) => {
    const { signIn } = NextAuth(failing)
    const page = `http://app.example/api/auth/signin?error=${code}`
    const thrown: unknown = await signIn(provider, options).catch((error: unknown) => error)
    expect(isRedirect(thrown)).toBe(true)
    expect(String(thrown)).toContain(`NEXT_REDIRECT ${page}`)
    expect(await signIn(provider, { ...options, redirect: false })).toBe(page)
    const own = NextAuth({ ...failing, pages: { signIn: '/login' } })
    expect(await own.signIn(provider, { ...options, redirect: false })).toBe(
      `http://app.example/login?error=${code}`,
    )
  })

  test('T-AUD-1: the thrown error has no details of the failure', async () => {
    const { signIn } = NextAuth(failing)
    const thrown: unknown = await signIn('credentials', {}).catch((error: unknown) => error)
    expect(isAuthError(thrown) && thrown.type).toBe('CallbackRouteError')
    expect(String(thrown)).not.toContain('ECONNREFUSED')
  })
})

describe('T-WEB-2: another site', () => {
  test.each([
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'next-action': '00ab', 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[])('signs nobody in or out by a form (%j)', async (sent) => {
    const { signIn, signOut } = NextAuth(config)
    for (const [name, value] of Object.entries(sent)) next.headers.set(name, value)
    for (const provider of ['credentials', 'acme']) {
      await expect(signIn(provider, { name: 'Eve' })).rejects.toMatchObject({ type: 'MissingCSRF' })
    }
    await expect(signOut()).rejects.toMatchObject({ type: 'MissingCSRF' })
    expect(next.set).toEqual([])
  })

  test('may link to a route that starts a sign-in with a provider', async () => {
    const { signIn } = NextAuth(config)
    next.headers.set('sec-fetch-site', 'cross-site')
    expect(await signIn('acme', { redirect: false })).toContain('https://acme.example/authorize')
  })
})

describe('signOut and unstable_update', () => {
  test('sign out', async () => {
    const { signOut } = NextAuth(config)
    next.headers.set('cookie', await ada())
    await expect(signOut({ redirectTo: '/bye' })).rejects.toThrow(
      'NEXT_REDIRECT http://app.example/bye',
    )
    const session = next.set.find(({ name }) => name === SESSION)
    expect([session?.value, session?.options['maxAge']]).toEqual(['', 0])
    expect(await signOut({ redirect: false })).toEqual({ redirect: 'http://app.example/page' })
  })

  test('pass data to the callbacks', async () => {
    const { unstable_update: update } = NextAuth(config)
    next.headers.set('cookie', await ada())
    expect((await update({ name: 'Bob' }))?.user).toEqual({ name: 'Bob' })
    expect(next.set.map(({ name }) => name)).toContain(SESSION)
  })
})

describe('getProviderToken', () => {
  test('uses the headers of the page', async () => {
    const { getProviderToken } = NextAuth({ ...config, adapter: memoryAdapter() })
    expect(await getProviderToken('acme')).toBeNull()
    await expect(NextAuth(config).getProviderToken('acme')).rejects.toMatchObject({
      type: 'MissingAdapter',
    })
  })
})

describe('the configuration', () => {
  test('is never changed, and may be frozen', async () => {
    const frozen = Object.freeze({ ...config, providers: Object.freeze([...config.providers]) })
    const { handlers } = NextAuth(frozen as AuthConfig)
    expect((await handlers.GET(ask('/api/auth/providers'))).status).toBe(200)
    expect('basePath' in frozen).toBe(false)
  })

  test('may be a function of the request', async () => {
    const seen: (string | undefined)[] = []
    const { handlers, auth } = NextAuth(async (request) => {
      seen.push(request && new URL(request.url).pathname)
      return config
    })
    await handlers.GET(ask('/api/auth/csrf'))
    await auth()
    expect(seen).toEqual(['/api/auth/csrf', undefined])
  })

  test('follows the `trailingSlash` of Next.js, unless it has its own', async () => {
    const { handlers } = NextAuth(config)
    expect((await handlers.GET(ask('/api/auth/csrf/'))).status).toBe(200)
    expect((await handlers.GET(ask('/api/auth/csrf//'))).status).toBe(400)
    const strict = NextAuth({ ...config, trailingSlash: false })
    expect((await strict.handlers.GET(ask('/api/auth/csrf/'))).status).toBe(400)
  })

  test('may have another base path', async () => {
    const { handlers } = NextAuth({ ...config, basePath: '/id' })
    expect((await handlers.GET(ask('/id/csrf'))).status).toBe(200)
    expect((await handlers.GET(ask('/api/auth/csrf'))).status).toBe(400)
  })

  test('is checked with the first request, not when the module is loaded', async () => {
    const logged: string[] = []
    const logger = {
      error: (error: Error) => void logged.push(error.message),
      warn() {},
      debug() {},
    }
    const { handlers, auth } = NextAuth({ ...config, secret: undefined, logger })
    expect((await handlers.GET(ask('/api/auth/session'))).status).toBe(500)
    expect(await auth()).toBeNull()
    expect(logged[0]).toMatch(/secret/)
  })
})
