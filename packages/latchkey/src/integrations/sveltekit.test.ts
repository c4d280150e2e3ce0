import { parseCookie, stringifySetCookie } from 'cookie'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AuthConfig, CredentialsSignin, type Env, type Session } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import { SvelteKitAuth, type SvelteKitEvent } from './sveltekit.ts'

// SvelteKit itself runs in the tests of the examples. Here is what one application does not have all of.

interface Kit {
  root: string
  version: string
  /** What `.env` says. */
  variables: Record<string, string>
  readings: number
}

const kit = vi.hoisted((): Kit => {
  // Another file of tests has another `$app/paths`.
  vi.resetModules()
  return { root: '/', version: '3.0.0', variables: {}, readings: 0 }
})

vi.mock('$app/paths', () => ({ resolve: () => kit.root }))
vi.mock('$env/dynamic/private', () => ({
  get env() {
    kit.readings++
    return kit.variables
  },
}))
vi.mock('@sveltejs/kit', () => ({
  get VERSION() {
    return kit.version
  },
  redirect(status: number, location: string, { external }: { external: boolean }): never {
    throw Object.assign(new Error('a redirect'), { status, location, external })
  },
  error(status: number, message: string): never {
    throw Object.assign(new Error(message), { status })
  },
  isRedirect: (error: object) => 'location' in error,
}))

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'
const env: Env = { AUTH_TRUST_HOST: 'true' }

const config: AuthConfig = {
  secret,
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

interface TestEvent extends SvelteKitEvent {
  readonly locals: { auth?: () => Promise<Session | null> }
  /** What was set, as the browser would read it. */
  readonly set: string[]
}

/** An event as SvelteKit makes it, as far as is used of it. */
function eventOf(path: string, init: RequestInit = {}): TestEvent {
  const request = new Request(`http://app.example${path}`, init)
  const known = new Map(Object.entries(parseCookie(request.headers.get('cookie') ?? '')))
  const set: string[] = []
  return {
    request,
    url: new URL(request.url),
    locals: {},
    set,
    cookies: {
      getAll: () => [...known].map(([name, value]) => ({ name, value: value ?? '' })),
      set(name, value, options) {
        // What it is not told, the framework decides like this.
        const own = { httpOnly: true, secure: true, sameSite: 'lax' } as const
        known.set(name, value)
        set.push(stringifySetCookie({ name, value, ...own, ...options }))
      },
    },
  }
}

function form(path: string, fields: Record<string, string>, headers: HeadersInit = {}): TestEvent {
  return eventOf(path, { method: 'POST', body: new URLSearchParams(fields), headers })
}

async function ada(): Promise<{ cookie: string }> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return { cookie: `${SESSION}=${token}` }
}

describe('variables of the environment', () => {
  const { secret: _, ...without } = config

  beforeEach(() => {
    kit.version = '2.70.0'
    kit.readings = 0
    kit.variables = { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' }
    vi.stubEnv('AUTH_SECRET', undefined)
  })

  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test.each(['2.70.0', '3.2.0'])('are read from .env with SvelteKit %s', async (version) => {
    kit.version = version
    const { handle, auth, signIn } = SvelteKitAuth(without)
    const event = eventOf('/', { headers: await ada() })
    expect(await (await handle({ event, resolve: page })).json()).toBe('Ada')
    expect((await auth(event))?.user?.name).toBe('Ada')
    const begun = signIn(form('/', { providerId: 'acme' }))
    await expect(begun).rejects.toMatchObject({ status: 302 })
  })

  test('of .env set the base path, and those of the process are also used', async () => {
    kit.variables = { AUTH_SECRET: secret, AUTH_URL: 'http://app.example/from/file' }
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    const { handle } = SvelteKitAuth(without)
    const csrf = await handle({ event: eventOf('/from/file/csrf'), resolve: page })
    expect(await csrf.json()).toHaveProperty('csrfToken')
  })

  test('are not read from .env during prerendering, or if the application passes them', async () => {
    vi.stubEnv('SVELTEKIT_FORK', 'true')
    const ahead = SvelteKitAuth(without)
    await ahead.handle({ event: eventOf('/'), resolve: page })
    vi.stubEnv('SVELTEKIT_FORK', undefined)
    const given = SvelteKitAuth(config, { env })
    await given.handle({ event: eventOf('/auth/session'), resolve: page })
    expect(kit.readings).toBe(0)
  })

  test('are not read from .env with SvelteKit 3, which warns about it, if the process has a secret', async () => {
    kit.version = '3.2.0'
    vi.stubEnv('AUTH_SECRET', secret)
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    const { handle } = SvelteKitAuth(without)
    const event = eventOf('/', { headers: await ada() })
    expect(await (await handle({ event, resolve: page })).json()).toBe('Ada')
    expect(kit.readings).toBe(0)
  })
})

/** The page that every event leads to, unless the hook answers itself. */
const page = async ({ locals }: TestEvent): Promise<Response> =>
  Response.json((await locals.auth?.())?.user?.name ?? 'nobody')

describe('handle', () => {
  test('reads the session once for a page, and sets its cookie once', async () => {
    const { handle, auth } = SvelteKitAuth(config, { env })
    const event = eventOf('/', { headers: await ada() })
    const answer = await handle({
      event,
      async resolve(same) {
        expect(await auth(same)).toBe(await same.locals.auth?.())
        return page(same)
      },
    })
    expect(await answer.json()).toBe('Ada')
    expect(event.set).toEqual([
      expect.stringMatching(
        /^authjs\.session-token=.*Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  test('reads no session that the page does not use', async () => {
    const { handle } = SvelteKitAuth(config, { env })
    const event = eventOf('/', { headers: await ada() })
    await handle({ event, resolve: () => new Response('static') })
    expect(event.set).toEqual([])
  })

  test('sets no cookie from a streamed part of a page', async () => {
    const { handle } = SvelteKitAuth(config, { env })
    const event = eventOf('/', { headers: await ada() })
    await handle({ event, resolve: () => new Response('the beginning') })
    expect((await event.locals.auth?.())?.user?.name).toBe('Ada')
    expect(event.set).toEqual([])
  })

  test('handles the actions, and passes other pages below the base path on', async () => {
    const { handle } = SvelteKitAuth(config, { env })
    const csrf = await handle({ event: eventOf('/auth/csrf'), resolve: page })
    expect(await csrf.json()).toHaveProperty('csrfToken')
    expect(csrf.headers.getSetCookie()).not.toEqual([])
    for (const path of ['/auth/profile', '/auth', '/authors/csrf', '/x/auth/csrf']) {
      const answer = await handle({ event: eventOf(path), resolve: page })
      expect(await answer.json()).toBe('nobody')
    }
  })

  test('requires the CSRF token in plain forms', async () => {
    const { handle } = SvelteKitAuth(config, { env })
    const answer = await handle({ event: form('/auth/signin/acme', {}), resolve: page })
    expect(answer.headers.get('location')).toContain('error=MissingCSRF')
  })

  for (const [root, config_, env_, base] of [
    ['/', {}, env, '/auth'],
    ['/app/', {}, env, '/app/auth'],
    ['/', { basePath: '/api/sign' }, env, '/api/sign'],
    ['/app/', { basePath: '/app/sign' }, env, '/app/sign'],
    ['/', {}, { ...env, AUTH_URL: 'http://app.example/from/env' }, '/from/env'],
    ['/', {}, { ...env, AUTH_URL: 'http://app.example' }, '/auth'],
  ] as const) {
    const url = 'AUTH_URL' in env_ ? env_.AUTH_URL : 'none'
    test(`is mounted at ${base} in ${root}, with ${JSON.stringify(config_)} and AUTH_URL ${url}`, async () => {
      kit.root = root
      try {
        const given = Object.freeze({ ...config, ...config_ })
        const { handle } = SvelteKitAuth(given, { env: env_ })
        const answer = await handle({ event: eventOf(`${base}/providers`), resolve: page })
        expect(await answer.json()).toMatchObject({
          acme: { signinUrl: `http://app.example${base}/signin/acme` },
        })
      } finally {
        kit.root = '/'
      }
    })
  }

  test('calls the function for the configuration once for each event, with the event', async () => {
    const source = vi.fn(async ({ url }: SvelteKitEvent) => ({
      ...config,
      basePath: url.searchParams.has('other') ? '/other' : '/auth',
    }))
    const { handle } = SvelteKitAuth(source, { env })
    const event = eventOf('/', { headers: await ada() })
    expect(await (await handle({ event, resolve: page })).json()).toBe('Ada')
    expect(source.mock.calls).toEqual([[event]])
    const other = await handle({ event: eventOf('/other/csrf?other'), resolve: page })
    expect(await other.json()).toHaveProperty('csrfToken')
    expect(source).toHaveBeenCalledTimes(2)
  })

  test('has no session during the build, and reads no configuration', async () => {
    const source = vi.fn(() => config)
    for (const options of [{ env: { SVELTEKIT_FORK: 'true' } }, { env, building: true }]) {
      const { handle } = SvelteKitAuth(source, options)
      for (const path of ['/', '/auth/signin']) {
        const answer = await handle({ event: eventOf(path), resolve: page })
        expect(await answer.json()).toBe('nobody')
      }
    }
    expect(source).not.toHaveBeenCalled()
  })

  test('without a secret fails only on pages that read the session', async () => {
    const { secret: _, ...open } = config
    const { handle } = SvelteKitAuth(open, { env })
    const fine = await handle({ event: eventOf('/'), resolve: () => new Response('fine') })
    expect(await fine.text()).toBe('fine')
    const asking = handle({ event: eventOf('/'), resolve: page })
    await expect(asking).rejects.toMatchObject({ type: 'MissingSecret' })
  })
})

describe('authorized', () => {
  const guarded = {
    ...config,
    pages: { signIn: '/welcome' },
    callbacks: {
      authorized: ({ auth, request }: { auth: Session | null; request: Request }) =>
        auth !== null || new URL(request.url).pathname === '/open',
    },
  }

  test('redirects visitors to the sign-in page, and back to the page', async () => {
    const { handle } = SvelteKitAuth(guarded, { env })
    const event = eventOf('/private/__data.json?x-sveltekit-invalidated=01')
    event.url.pathname = '/private'
    event.url.search = ''
    const answer = await handle({ event, resolve: page })
    const target = new URL(answer.headers.get('location') ?? '')
    expect(target.pathname).toBe('/welcome')
    expect(target.searchParams.get('callbackUrl')).toBe('http://app.example/private')
  })

  test('continues with a session, and reads it once for both', async () => {
    const { handle } = SvelteKitAuth(guarded, { env })
    for (const path of ['/open', '/welcome', '/auth/csrf']) {
      expect((await handle({ event: eventOf(path), resolve: page })).status).toBe(200)
    }
    const event = eventOf('/private', { headers: await ada() })
    expect(await (await handle({ event, resolve: page })).json()).toBe('Ada')
    expect(event.set).toHaveLength(1)
  })

  test('keeps the sign-in page open, also below the path of the application', async () => {
    kit.root = '/app/'
    const { handle } = SvelteKitAuth(guarded, { env })
    kit.root = '/'
    const answer = await handle({ event: eventOf('/app/welcome'), resolve: page })
    expect(answer.status).toBe(200)
  })

  test('ignores the page that a client names for a remote function', async () => {
    const { handle } = SvelteKitAuth(guarded, { env })
    for (const page of ['/welcome', '/auth/profile', '/orders']) {
      const called = eventOf('/_app/remote/orders/remove', { method: 'POST' })
      const event = { ...called, url: new URL(page, called.url), isRemoteRequest: true }
      const answer = await handle({ event, resolve: () => new Response('removed') })
      expect([page, answer.status]).toEqual([page, 401])
    }
  })

  test('sends the cookie of an extended session with its own response', async () => {
    const callbacks = { authorized: () => Response.redirect('http://app.example/elsewhere') }
    const { handle } = SvelteKitAuth({ ...config, callbacks }, { env })
    const answer = await handle({
      event: eventOf('/private', { headers: await ada() }),
      resolve: page,
    })
    expect(answer.headers.get('location')).toBe('http://app.example/elsewhere')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^authjs\.session-token=/),
    ])
  })
})

describe('the form actions', () => {
  test('sign in, and redirect to the target of the form', async () => {
    const { signIn } = SvelteKitAuth(config, { env })
    const event = form('/', { providerId: 'credentials', name: 'Ada', redirectTo: '/next' })
    const location = 'http://app.example/next'
    await expect(signIn(event)).rejects.toMatchObject({ status: 302, location, external: true })
    expect(event.set.join()).toContain(`${SESSION}=`)
    expect(event.set.join()).not.toContain('Secure')
  })

  test('do not redirect with `redirect: false`, and the page has the session', async () => {
    const { handle, signIn, signOut } = SvelteKitAuth(config, { env })
    const fields = {
      providerId: 'credentials',
      name: 'Ada',
      redirectTo: '/next',
      redirect: 'false',
    }
    const event = form('/', fields)
    const answer = await handle({
      event,
      async resolve(same) {
        expect(await same.locals.auth?.()).toBeNull()
        expect(await signIn(same)).toEqual({ url: 'http://app.example/next' })
        return page(same)
      },
    })
    expect(await answer.json()).toBe('Ada')

    const leaving = form('/', { redirect: 'false' }, await ada())
    expect(await signOut(leaving)).toEqual({ url: 'http://app.example/' })
    expect(leaving.set.join()).toMatch(/authjs\.session-token=; Max-Age=0/)
    expect(await leaving.locals.auth?.()).toBeNull()
  })

  test('`result` returns the error instead of throwing it', async () => {
    const { signIn, signOut } = SvelteKitAuth(config, { env })
    const wrong = form('/', { providerId: 'credentials', name: 'locked' })
    expect(await signIn.result(wrong)).toEqual({
      url: 'http://app.example/auth/signin?error=CredentialsSignin&code=locked',
      error: 'CredentialsSignin',
      code: 'locked',
    })
    expect(wrong.set.join()).not.toContain(SESSION)
    const right = form('/', { providerId: 'credentials', name: 'Ada', redirectTo: '/next' })
    expect(await signIn.result(right)).toEqual({ url: 'http://app.example/next' })
    expect((await right.locals.auth?.())?.user?.name).toBe('Ada')
    const leaving = form('/', { redirectTo: '/bye' }, await ada())
    expect(await signOut.result(leaving)).toEqual({ url: 'http://app.example/bye' })
    expect(await leaving.locals.auth?.()).toBeNull()
  })

  test('pass parameters to the provider, and redirect back to the page of the form', async () => {
    const { signIn } = SvelteKitAuth(config, { env })
    const fields = { providerId: 'acme', 'authorizationParams-prompt': 'login', redirect: 'false' }
    const event = form('/', fields, { referer: 'http://app.example/page' })
    const url = new URL((await signIn(event)).url)
    expect(url.host).toBe('acme.example')
    expect(url.searchParams.get('prompt')).toBe('login')
    expect(event.set.join()).toContain('callback-url=http://app.example/page;')
  })

  test('redirect to the sign-in page without a provider', async () => {
    const { signIn } = SvelteKitAuth(config, { env })
    await expect(signIn(form('/', { redirectTo: '/next' }))).rejects.toMatchObject({
      location: 'http://app.example/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fnext',
    })
  })

  test('of another site are refused with the error of the framework', async () => {
    const { signIn, signOut } = SvelteKitAuth(config, { env })
    for (const act of [signIn, signOut]) {
      const event = form('/', { providerId: 'acme' })
      event.request.headers.set('sec-fetch-site', 'cross-site')
      const thrown: unknown = await act(event).catch((error: unknown) => error)
      if (act === signOut) expect(thrown).toMatchObject({ status: 403, message: 'Forbidden' })
      expect(event.set.join()).not.toContain(SESSION)
    }
  })

  test('never redirect to another site from the input of a visitor', async () => {
    const { signOut } = SvelteKitAuth(config, { env })
    const event = form('/', { redirectTo: 'https://evil.example/', redirect: 'false' })
    expect(await signOut(event)).toEqual({ url: expect.stringMatching(/^http:\/\/app\.example/) })
  })

  test('throw errors', async () => {
    const { signIn } = SvelteKitAuth(config, { env })
    const wrong = form('/', { providerId: 'credentials', name: 'wrong' })
    await expect(signIn(wrong)).rejects.toMatchObject({ type: 'CredentialsSignin' })
    const locked = form('/', { providerId: 'credentials', name: 'locked' })
    await expect(signIn(locked)).rejects.toMatchObject({ code: 'locked' })
    expect(locked.set).toEqual([])
  })
})
