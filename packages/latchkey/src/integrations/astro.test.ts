import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AuthConfig, CredentialsSignin, type Session } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import { AstroAuth, type AstroContext } from './astro.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

// Astro itself runs in the tests of the examples. Here is what one application does not have all of.

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'
const env = { AUTH_TRUST_HOST: 'true' }

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
        return { id: '1', name: String(name) }
      },
    },
  ],
}

interface TestContext extends AstroContext {
  readonly locals: { auth?: () => Promise<Session | null> }
}

function contextOf(path: string, init: RequestInit = {}, isPrerendered = false): TestContext {
  return { request: new Request(`http://app.example${path}`, init), locals: {}, isPrerendered }
}

async function ada(): Promise<{ headers: { cookie: string } }> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return { headers: { cookie: `${SESSION}=${token}` } }
}

/** The page that comes after the middleware. */
function page({ locals }: TestContext): () => Promise<Response> {
  return async () => Response.json((await locals.auth?.())?.user?.name ?? 'nobody')
}

describe('the middleware', () => {
  test('reads the session once for a page, and sets its cookie once', async () => {
    const { onRequest, auth } = AstroAuth(config, env)
    const context = contextOf('/', await ada())
    const answer = await onRequest(context, async () => {
      expect(await auth(context)).toBe(await context.locals.auth?.())
      return page(context)()
    })
    expect(await answer.json()).toBe('Ada')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^authjs\.session-token=.*HttpOnly; SameSite=Lax$/),
    ])
  })

  test('reads no session that the page does not use, and extends none after the headers are sent', async () => {
    const { onRequest } = AstroAuth(config, env)
    const context = contextOf('/', await ada())
    const answer = await onRequest(context, async () => new Response('the beginning'))
    expect((await context.locals.auth?.())?.user?.name).toBe('Ada')
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('has no session on prerendered pages, and reads no configuration', async () => {
    const source = vi.fn(() => config)
    const { onRequest } = AstroAuth(source, env)
    const context = contextOf('/', await ada(), true)
    expect(await (await onRequest(context, page(context))).json()).toBe('nobody')
    expect(source).not.toHaveBeenCalled()
  })

  test('calls the function for the configuration once for each request', async () => {
    const source = vi.fn(async () => ({ ...config }))
    const { onRequest } = AstroAuth(source, env)
    const context = contextOf('/', await ada())
    expect(await (await onRequest(context, page(context))).json()).toBe('Ada')
    expect(source.mock.calls).toEqual([[context.request]])
  })

  test('calls `authorized`, and sends an extended session with every response', async () => {
    const callbacks: AuthConfig['callbacks'] = {
      authorized: ({ auth, request }) => {
        if (request.url.endsWith('/old')) return Response.redirect('http://app.example/new')
        return auth !== null
      },
    }
    const { onRequest } = AstroAuth({ ...config, callbacks }, env)
    const visitor = contextOf('/private')
    const sent = await onRequest(visitor, page(visitor))
    expect(sent.headers.get('location')).toBe(
      'http://app.example/api/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fprivate',
    )
    const member = contextOf('/private', await ada())
    const shown = await onRequest(member, page(member))
    expect(await shown.json()).toBe('Ada')
    expect(shown.headers.getSetCookie()).toHaveLength(1)
    const moved = contextOf('/old', await ada())
    const answer = await onRequest(moved, page(moved))
    expect(answer.headers.get('location')).toBe('http://app.example/new')
    expect(answer.headers.getSetCookie()).toHaveLength(1)
  })

  test('keeps a sign-out, although the middleware extended the session before', async () => {
    const { onRequest, signOut } = AstroAuth(config, env)
    const context = contextOf('/sign-out', { method: 'POST', ...(await ada()) })
    const answer = await onRequest(context, async () => {
      await context.locals.auth?.()
      return signOut(context, { redirectTo: '/' })
    })
    const session = answer.headers.getSetCookie().filter((line) => line.startsWith(SESSION))
    expect(session).toEqual([expect.stringMatching(/^authjs\.session-token=; Max-Age=0/)])
    expect(answer.headers.get('location')).toBe('http://app.example/')
  })
})

describe('the route', () => {
  for (const [given, url, base] of [
    [{}, undefined, '/api/auth'],
    [{ basePath: '/auth' }, undefined, '/auth'],
    [{}, 'http://app.example/from/env', '/from/env'],
  ] as const) {
    test(`is mounted at ${base}, with ${JSON.stringify(given)} and AUTH_URL ${url}`, async () => {
      const { GET, POST } = AstroAuth(Object.freeze({ ...config, ...given }), {
        ...env,
        AUTH_URL: url,
      })
      const answer = await GET(contextOf(`${base}/providers`))
      expect(await answer.json()).toMatchObject({
        credentials: { signinUrl: `http://app.example${base}/signin/credentials` },
      })
      const form = { method: 'POST', body: new URLSearchParams() }
      const refused = await POST(contextOf(`${base}/signout`, form))
      expect(refused.headers.get('location')).toContain('error=MissingCSRF')
    })
  }

  test('has the variables of the process above those of the build', async () => {
    vi.stubEnv('AUTH_URL', 'https://run.example')
    const build = { PROD: true, AUTH_URL: 'https://build.example' } as unknown as typeof env
    const answer = await AstroAuth(config, build).GET(contextOf('/api/auth/providers'))
    expect(await answer.text()).toContain('https://run.example/api/auth/signin/credentials')
    const given = AstroAuth(config, { ...env, AUTH_URL: 'https://given.example' })
    const told = await (await given.GET(contextOf('/api/auth/providers'))).text()
    expect(told).toContain('https://given.example/api/auth/signin/credentials')
  })

  test('does not trust the host of a request in an application that was built', async () => {
    for (const name of ['NODE_ENV', 'AUTH_URL', 'AUTH_TRUST_HOST']) vi.stubEnv(name, '')
    const strong = { ...config, secret: 'mNq3vT9xB4nL8sW1cR6yH3jF5pD0gZaE' }
    for (const given of [undefined, { PROD: true } as unknown as typeof env]) {
      const { GET } = AstroAuth(strong, given)
      expect((await GET(contextOf('/api/auth/providers'))).status).toBe(500)
    }
  })

  test('returns 500 without a secret', async () => {
    const { secret: _, ...open } = config
    expect((await AstroAuth(open, env).GET(contextOf('/api/auth/session'))).status).toBe(500)
  })
})

describe('signIn', () => {
  test('signs in, or throws the error', async () => {
    const { signIn } = AstroAuth(config, env)
    const context = contextOf('/sign-in', { method: 'POST' })
    const answer = await signIn(context, 'credentials', { name: 'Ada', redirectTo: '/next' })
    expect(answer.headers.get('location')).toBe('http://app.example/next')
    expect(answer.headers.getSetCookie().join()).toContain(`${SESSION}=`)
    const failing = signIn(context, 'credentials', { name: 'locked' })
    await expect(failing).rejects.toMatchObject({ type: 'CredentialsSignin', code: 'locked' })
  })

  test('`result` returns the error instead of throwing it', async () => {
    const { signIn } = AstroAuth(config, env)
    const context = contextOf('/sign-in', { method: 'POST' })
    expect(await signIn.result(context, 'credentials', { name: 'locked' })).toMatchObject({
      error: 'CredentialsSignin',
      code: 'locked',
    })
    const { headers, ...told } = await signIn.result(context, 'credentials', { name: 'Ada' })
    expect(told).toEqual({ url: 'http://app.example/' })
    expect(headers.getSetCookie().join()).toContain(`${SESSION}=`)
  })
})
