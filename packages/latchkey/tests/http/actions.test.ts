import { describe, expect, test } from 'vitest'
import { CredentialsSignin } from '../../src/base/errors.ts'
import { Auth } from '../../src/core/auth.ts'
import { createWorld } from '../../src/entries/testing.ts'
import { hash } from '../../src/http/cookies/csrf-token.ts'
import type { ResponseInternal } from '../../src/http/outcome.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { raw, skipCSRFCheck } from '../../src/options/markers.ts'
import Credentials from '../../src/providers/credentials.ts'
import { oauth } from '../../src/providers/define.ts'
import GitHub from '../../src/providers/github.ts'
import { failingAdapter } from '../support/recording.ts'

const ORIGIN = 'https://app.example'
const CONFIGURATION = `${ORIGIN}/auth/error?error=Configuration`
const RETURN = { headers: { 'x-auth-return-redirect': '' } }

const ada = { id: 'u1', name: 'Ada' }
const login = Credentials({ authorize: ({ password }) => (password === 'x' ? ada : null) })

describe('GET csrf', () => {
  test('returns a token and its cookie, and the same token from then on', async () => {
    const it = createWorld({})
    const answer = await it.get('/auth/csrf')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const { csrfToken } = (await answer.json()) as { csrfToken: string }
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    expect(answer.headers.getSetCookie()).toEqual([
      `__Host-authjs.csrf-token=${csrfToken}%7C${await hash(csrfToken, it.config.secret as string)}; Path=/; HttpOnly; Secure; SameSite=Lax`,
      '__Secure-authjs.callback-url=https%3A%2F%2Fapp.example; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    const again = await it.get('/auth/csrf')
    expect(await again.json()).toEqual({ csrfToken })
    expect(again.headers.getSetCookie()).toEqual([])
  })

  test('creates a new token for a cookie of another secret', async () => {
    const it = createWorld({})
    it.jar.set('__Host-authjs.csrf-token', `${'0'.repeat(64)}%7C${'0'.repeat(64)}`)
    expect(await it.csrfToken()).not.toBe('0'.repeat(64))
  })

  test('T-WEB-1: has names without prefixes over plain http', async () => {
    const it = createWorld({}, { origin: 'http://localhost:3000' })
    await it.get('/auth/csrf')
    expect([...it.jar.keys()]).toEqual(['authjs.csrf-token', 'authjs.callback-url'])
    const forced = createWorld({ useSecureCookies: true }, { origin: 'http://localhost:3000' })
    await forced.get('/auth/csrf')
    expect([...forced.jar.keys()]).toContain('__Host-authjs.csrf-token')
  })

  test('responds with 404 if CSRF protection is off, and clears the cookie', async () => {
    const it = createWorld({ skipCSRFCheck })
    const answer = await it.get('/auth/csrf')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('')
    expect(answer.headers.has('content-type')).toBe(false)
    expect(answer.headers.getSetCookie().at(-1)).toMatch(/^__Host-authjs.csrf-token=; Max-Age=0/)
    expect(it.log.map(({ message }) => message)).toContain('csrf-disabled')
  })

  test('accepts no token, and needs none, if `skipCSRFCheck` is set', async () => {
    const it = createWorld({ providers: [login], skipCSRFCheck })
    await it.postWithoutCsrf('/auth/callback/credentials', { password: 'x' })
    expect(await it.session()).not.toBeNull()
    expect(it.jar.has('__Host-authjs.csrf-token')).toBe(false)
  })

  test('is not needed to update a session if the protection is off', async () => {
    const it = createWorld({
      providers: [login],
      skipCSRFCheck,
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, name: String(session) } : token,
      },
    })
    await it.postWithoutCsrf('/auth/callback/credentials', { password: 'x' })
    const answer = await it.postWithoutCsrf('/auth/session', { data: 'Bob' })
    expect(await answer.json()).toMatchObject({ user: { name: 'Bob' } })
  })

  test('T-WEB-2: creates a token that counts in the body only, in its exact letters', async () => {
    const it = createWorld({ providers: [login] })
    const csrfToken = await it.csrfToken()
    const elsewhere = await it.request(`/auth/signout?csrfToken=${csrfToken}`, {
      method: 'POST',
      headers: { 'x-csrf-token': csrfToken, 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    })
    const upper = await it.postWithoutCsrf('/auth/signout', { csrfToken: csrfToken.toUpperCase() })
    const text = await it.request('/auth/signout', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: `csrfToken=${csrfToken}`,
    })
    for (const answer of [elsewhere, upper, text]) {
      expect(answer.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
    }
  })

  test('T-KEY-3: creates a token that still works after the secret was rotated', async () => {
    const before = createWorld({ providers: [login], secret: 'old '.repeat(8) })
    const csrfToken = await before.csrfToken()
    const after = createWorld({ providers: [login], secret: ['new '.repeat(8), 'old '.repeat(8)] })
    for (const [name, value] of before.jar) after.jar.set(name, value)
    await after.postWithoutCsrf('/auth/callback/credentials', { password: 'x', csrfToken })
    expect(await after.session()).not.toBeNull()
  })
})

test('an empty path of a page means the built-in one, also for errors', async () => {
  const it = createWorld({ providers: [login], pages: { signIn: '' } })
  const answer = await it.post('/auth/callback/credentials', { password: 'wrong' })
  const to = new URL(answer.headers.get('location') ?? '')
  expect(to.pathname).toBe('/auth/signin')
  expect(to.searchParams.get('error')).toBe('CredentialsSignin')
})

describe('GET providers', () => {
  test('lists what a sign-in page needs, and sets no cookie', async () => {
    const it = createWorld({ providers: [GitHub({ clientSecret: 'hidden' }), login] })
    const answer = await it.get('/auth/providers')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await answer.json()).toEqual({
      github: {
        id: 'github',
        name: 'GitHub',
        type: 'oauth',
        signinUrl: `${ORIGIN}/auth/signin/github`,
        callbackUrl: `${ORIGIN}/auth/callback/github`,
      },
      credentials: {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        signinUrl: `${ORIGIN}/auth/signin/credentials`,
        callbackUrl: `${ORIGIN}/auth/callback/credentials`,
      },
    })
  })

  test('has the addresses of the site in the request, not those of an earlier one', async () => {
    const { config } = createWorld({ providers: [login] })
    for (const origin of [ORIGIN, 'https://other.example', ORIGIN]) {
      const answer = await Auth(new Request(`${origin}/auth/providers`), config)
      expect(await answer.json()).toMatchObject({
        credentials: { signinUrl: `${origin}/auth/signin/credentials` },
      })
    }
  })

  test('returns a list of its own to a framework, also after the last one was changed', async () => {
    const config: AuthConfig = { ...createWorld({ providers: [login] }).config, raw }
    for (let time = 0; time < 2; time++) {
      const answer = await Auth(new Request(`${ORIGIN}/auth/providers`), config)
      const list = (answer as ResponseInternal).body as Record<string, { name: string }>
      expect(list['credentials']?.name).toBe('Credentials')
      Object.assign(list['credentials'] ?? {}, { name: 'changed' })
    }
  })

  test('lists a provider under the id that the application chose', async () => {
    const it = createWorld({
      providers: [GitHub({ id: 'work', name: 'Work' })],
      basePath: '/api/auth/',
    })
    expect(await (await it.get('/api/auth/providers')).json()).toMatchObject({
      work: { id: 'work', name: 'Work', signinUrl: `${ORIGIN}/api/auth/signin/work` },
    })
  })

  test('lists the first of two providers with one id, which is the one in use', async () => {
    const it = createWorld({ providers: [GitHub({ name: 'One' }), GitHub({ name: 'Two' })] })
    expect(await (await it.get('/auth/providers')).json()).toMatchObject({
      github: { name: 'One' },
    })
    expect(it.log.filter(({ message }) => message === 'duplicate-provider-id')).toHaveLength(1)
  })
})

describe('the base path', () => {
  for (const [basePath, path, status] of [
    ['/auth', '/auth/providers', 200],
    ['/auth', '/auth//providers', 400],
    ['/auth', '/auth/providers/', 400],
    ['/auth', '/auth/providers///', 400],
    ['/auth', '/authproviders', 400],
    ['/auth', '/authxproviders', 400],
    ['/auth', '/auth-providers', 400],
    ['/auth', '/Auth/providers', 400],
    ['/auth', '/x/auth/providers', 400],
    ['/auth', '/auth', 400],
    ['/auth', '/auth/', 400],
    ['/auth', '/', 400],
    ['auth/', '/auth/providers', 200],
    ['/a.b', '/aXb/providers', 400],
    ['/a.b', '/a.b/providers', 200],
    ['/a+b', '/a+b/providers', 200],
    ['/a/b', '/a/b/providers', 200],
    ['/', '/providers', 200],
    ['', '/providers', 200],
  ] as const) {
    test(`T-HOST-4: ${JSON.stringify(basePath)}: ${path} responds with ${status}`, async () => {
      const it = createWorld({ basePath, providers: [GitHub({})] })
      const answer = await it.get(path)
      expect(answer.status).toBe(status)
      if (status === 200) expect(await answer.text()).not.toMatch(/[^:]\/\//)
    })
  }
})

test.each([
  ['basePath', { basePath: 5 }],
  ['basePath', { basePath: new URL('https://app.example/auth') }],
  ['jwt', { callbacks: { jwt: true } }],
  ['signIn', { callbacks: { signIn: false } }],
  ['redirect', { callbacks: { redirect: '/welcome' } }],
  ['signOut', { events: { signOut: {} } }],
  ['redirectProxyUrl', { redirectProxyUrl: new URL('https://app.example/auth') }],
] as [string, object][])(
  'T-FLOW-3: %s of another type is a mistake of the configuration: %j',
  async (name, option) => {
    const logged: string[] = []
    const logger = { error: ({ message }: Error) => logged.push(message) }
    const it = createWorld({ providers: [login], logger, ...option })
    expect((await it.get('/auth/session')).status).toBe(500)
    expect((await it.get('/auth/callback/credentials')).status).toBe(500)
    const page = await it.get('/auth/signin')
    expect([page.status, await page.text()]).toEqual([
      500,
      expect.stringMatching(/not set up|on our side/),
    ])
    expect(logged).toHaveLength(3)
    for (const message of logged) expect(message).toContain(`\`${name}\``)
  },
)

test.each(["Acme.eu_1~2@3:4-5+(6)*7%20'!$&,;=", '...'])(
  'a provider with the id %s has working paths',
  async (id) => {
    const it = createWorld({ providers: [Credentials({ id, authorize: () => ({ id: '1' }) })] })
    const { signinUrl, callbackUrl } = ((await (await it.get('/auth/providers')).json()) as never)[
      id
    ]
    expect([signinUrl, callbackUrl]).toEqual(
      ['signin', 'callback'].map((action) => `${ORIGIN}/auth/${action}/${id}`),
    )
    const answer = await it.post(new URL(callbackUrl).pathname)
    expect(answer.headers.get('location')).toBe(ORIGIN)
  },
)

test.each([
  'acceptSessionsFrom',
  'callbacks',
  'cookies',
  'events',
  'jwt',
  'redirectProxyOrigins',
  'redirectProxyUrl',
  'session',
])('the option %s counts as absent if it is null', async (option) => {
  const login = Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) })
  const it = createWorld({ providers: [login], [option]: null })
  const answer = await it.post('/auth/callback/credentials')
  expect(answer.headers.get('location')).toBe('https://app.example')
  expect((await it.session())?.user).toMatchObject({ name: 'Ada' })
})

describe('the header X-Auth-Return-Redirect', () => {
  test('turns a redirect into its address, with all cookies', async () => {
    const it = createWorld({ providers: [login] })
    const answer = await it.post(
      '/auth/callback/credentials',
      { password: 'x', callbackUrl: '/x' },
      RETURN,
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/x`)
    expect(await answer.json()).toEqual({ url: `${ORIGIN}/x` })
    expect(await it.session()).not.toBeNull()
  })

  test('turns a failure into its address, without a Location', async () => {
    const it = createWorld({ providers: [login] })
    const answer = await it.post('/auth/callback/credentials', {}, RETURN)
    expect(answer.status).toBe(200)
    expect(answer.headers.has('location')).toBe(false)
    expect(await answer.json()).toEqual({
      url: `${ORIGIN}/auth/signin?error=CredentialsSignin&code=credentials`,
    })
  })

  test('leaves a CSRF cookie that the next form can use', async () => {
    const it = createWorld({ providers: [login] })
    const body = new URLSearchParams({ password: 'x' })
    const first = await it.request('/auth/callback/credentials', {
      ...RETURN,
      method: 'POST',
      body,
    })
    expect(await first.json()).toEqual({ url: `${ORIGIN}/auth/signin?error=MissingCSRF` })
    const cookies = first.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
    expect(cookies).toContain('__Host-authjs.csrf-token')
  })

  test('returns an absolute address even for a page that is a path', async () => {
    const it = createWorld({ pages: { signIn: '/login' } })
    const answer = await it.get('/auth/signin', RETURN)
    expect(answer.headers.get('location')).toMatch(/^\/login\?/)
    expect(((await answer.json()) as { url: string }).url).toMatch(
      /^https:\/\/app\.example\/login\?/,
    )
  })

  test('changes no other response', async () => {
    const it = createWorld({ providers: [login] })
    expect(await (await it.get('/auth/session', RETURN)).json()).toBeNull()
    expect(await (await it.get('/auth/csrf', RETURN)).json()).toHaveProperty('csrfToken')
    expect((await it.get('/auth/signin', RETURN)).headers.get('content-type')).toContain(
      'text/html',
    )
    expect((await it.get('/auth/nothing', RETURN)).status).toBe(400)
    const update = await it.request('/auth/session', { ...RETURN, method: 'POST' })
    expect([update.status, await update.json()]).toEqual([400, null])
  })
})

describe('raw mode', () => {
  const config: Partial<AuthConfig> = { providers: [login], raw, skipCSRFCheck }

  function ask(path: string, init: RequestInit = {}, more: Partial<AuthConfig> = {}) {
    const { core, config: complete } = createWorld({ ...config, ...more })
    return core.auth(new Request(ORIGIN + path, init), complete as AuthConfig & { raw: typeof raw })
  }

  const post = (fields: Record<string, string>, headers = {}): RequestInit => ({
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  })

  test('returns the parts of the response, with plain cookie values', async () => {
    const answer = (await ask(
      '/auth/callback/credentials',
      post({ password: 'x', callbackUrl: '/a' }),
    )) as ResponseInternal
    expect(answer).not.toBeInstanceOf(Response)
    expect(answer.redirect).toBe(`${ORIGIN}/a`)
    expect(answer.status).toBeUndefined()
    expect(answer.cookies?.map(({ name }) => name)).toEqual([
      '__Secure-authjs.callback-url',
      '__Secure-authjs.session-token',
    ])
    expect(answer.cookies?.[0]?.value).toBe(`${ORIGIN}/a`)
  })

  test('returns bodies that are not encoded yet', async () => {
    const providers = (await ask('/auth/providers')) as ResponseInternal
    expect(providers.body).toHaveProperty('credentials.id', 'credentials')
    expect(providers.headers?.get('content-type')).toBe('application/json')
    const page = (await ask('/auth/error?error=AccessDenied')) as ResponseInternal
    expect(page.status).toBe(403)
    expect(page.body).toContain('<!doctype html>')
  })

  test('throws errors of the service, unless the header asks for the address', async () => {
    await expect(ask('/auth/callback/credentials', post({}))).rejects.toBeInstanceOf(
      CredentialsSignin,
    )
    const answer = await ask('/auth/callback/credentials', post({}, RETURN.headers))
    expect(answer).toBeInstanceOf(Response)
    expect(await (answer as Response).json()).toHaveProperty('url')
  })

  test('responds to other errors, bad requests and faults', async () => {
    const broken = await ask(
      '/auth/signin',
      {},
      {
        callbacks: {
          redirect: () => {
            throw new Error('no')
          },
        },
      },
    )
    expect(broken).not.toBeInstanceOf(Response)
    const failing = await ask(
      '/auth/signin?callbackUrl=/x',
      {},
      {
        callbacks: {
          redirect: () => {
            throw new Error('no')
          },
        },
      },
    )
    expect(failing).toBeInstanceOf(Response)
    expect((failing as Response).headers.get('location')).toBe(CONFIGURATION)
    expect(((await ask('/auth/nothing')) as Response).status).toBe(400)
    expect(((await ask('/auth/session', {}, { secret: '' })) as Response).status).toBe(500)
  })
})

describe('a configuration that cannot be used', () => {
  const broken: Partial<AuthConfig> = { secret: '' }

  for (const [method, path] of [
    ['GET', '/auth/csrf'],
    ['GET', '/auth/providers'],
    ['GET', '/auth/session'],
    ['GET', '/auth/callback/github'],
    ['GET', '/auth/webauthn-options'],
    ['POST', '/auth/signin'],
    ['POST', '/auth/signout'],
    ['POST', '/auth/session'],
    ['POST', '/auth/error'],
  ] as const) {
    test(`makes ${method} ${path} respond with 500 and a message`, async () => {
      for (const headers of [{}, RETURN.headers]) {
        const it = createWorld({ ...broken, pages: { error: '/oops' } })
        const answer = await it.request(path, { method, headers })
        expect(answer.status).toBe(500)
        expect(answer.headers.getSetCookie()).toEqual([])
        const body = await answer.json()
        expect(Object.keys(body as object)).toEqual(['message'])
        expect(JSON.stringify(body)).not.toContain('secret')
        expect(it.log.map(({ detail }) => (detail as { type?: string }).type)).toEqual([
          'MissingSecret',
        ])
      }
    })
  }

  for (const path of ['/auth/signin', '/auth/signout', '/auth/error', '/auth/verify-request']) {
    test(`makes GET ${path} show the error page`, async () => {
      const answer = await createWorld(broken).get(path)
      expect(answer.status).toBe(500)
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(await answer.text()).toContain('on our side')
    })

    test(`makes GET ${path} lead to the application's error page`, async () => {
      const answer = await createWorld({ ...broken, pages: { error: '/oops?x=1' } }).get(path)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe(`${ORIGIN}/oops?x=1&error=Configuration`)
    })
  }

  test('causes no redirect loop', async () => {
    const it = createWorld({ ...broken, pages: { error: '/oops' } })
    const answer = await it.get('/auth/signin?callbackUrl=/oops?error=x')
    expect(answer.status).toBe(500)
    expect(it.log.map(({ detail }) => (detail as { type?: string }).type)).toEqual([
      'MissingSecret',
      'ErrorPageLoop',
    ])
  })

  test('includes one with a provider that throws', async () => {
    const it = createWorld({
      providers: [
        () => {
          throw new Error('no tenant')
        },
      ],
    })
    expect((await it.get('/auth/session')).status).toBe(500)
    expect(it.log[0]?.message).toBe('no tenant')
  })

  test('does not include one without a list of providers', async () => {
    const it = createWorld({ providers: undefined as never })
    expect(await (await it.get('/auth/providers')).json()).toEqual({})
  })

  test('is checked once, and once more after it changed', async () => {
    const it = createWorld({ secret: '' })
    expect((await it.get('/auth/session')).status).toBe(500)
    it.config.secret = 'x'.repeat(32)
    expect((await it.get('/auth/session')).status).toBe(200)
    expect(it.core.plan(it.config)).toBe(it.core.plan(it.config))
    it.config.providers = [login]
    expect(await (await it.get('/auth/providers')).json()).toHaveProperty('credentials')
    delete it.config.secret
    expect((await it.get('/auth/session')).status).toBe(500)
  })

  test('is not modified', async () => {
    const checks = Object.freeze(['pkce'] as const)
    const config = Object.freeze({
      trustHost: true,
      secret: 'x'.repeat(32),
      providers: Object.freeze([
        Object.freeze(oauth({ id: 'a', name: 'A', issuer: 'https://a.example', checks })()),
      ]),
      cookies: Object.freeze({}),
      logger: Object.freeze({ error: () => {}, warn: () => {} }),
    })
    expect((await Auth(new Request(`${ORIGIN}/auth/providers`), config)).status).toBe(200)
  })
})

describe('bad input', () => {
  const BAD = [400, 'application/json', 'Bad request.', []]
  const parts = async (answer: Response): Promise<unknown[]> => [
    answer.status,
    answer.headers.get('content-type'),
    await answer.json(),
    answer.headers.getSetCookie(),
  ]

  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
    test(`the method ${method} is refused`, async () => {
      const answer = await createWorld({}).request('/auth/session', { method })
      expect(answer.status).toBe(400)
      expect(answer.headers.has('allow')).toBe(false)
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    })
  }

  for (const path of [
    '/auth/unknown',
    '/auth/Session',
    '/auth/session/x',
    '/auth/csrf/x',
    '/auth/signin/a/b',
    '/auth/sess%69on',
    '/auth/constructor',
    '/auth/session;x',
    '/auth/%00',
    '/auth/%',
    '/auth/..%2fsession',
    '/auth/callback/git%68ub',
  ]) {
    test(`T-HOST-4: ${path} is not an action`, async () => {
      expect(await parts(await createWorld({}).get(path))).toEqual(BAD)
    })
  }

  for (const [method, path] of [
    ['POST', '/auth/csrf'],
    ['POST', '/auth/providers'],
    ['POST', '/auth/error'],
    ['POST', '/auth/verify-request'],
    ['POST', '/auth/webauthn-options'],
    ['GET', '/auth/signin/github'],
  ] as const) {
    test(`${method} ${path} leads to the error page`, async () => {
      const it = createWorld({ providers: [GitHub({})] })
      const answer = method === 'POST' ? await it.post(path) : await it.get(path)
      expect(answer.headers.get('location')).toBe(CONFIGURATION)
      expect(answer.status).toBe(302)
    })
  }

  test('the provider `undefined` counts as absent', async () => {
    const it = createWorld({})
    expect((await it.get('/auth/signin/undefined')).status).toBe(200)
    expect((await it.post('/auth/signin/undefined')).headers.get('location')).toBe(
      `${ORIGIN}/auth/signin`,
    )
    expect(await parts(await it.get('/auth/session/undefined'))).toEqual(BAD)
  })

  test('a request for the options of an unknown provider is refused', async () => {
    const answer = await createWorld({}).get('/auth/webauthn-options/x')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toHaveProperty('error')
  })

  test('malformed JSON is refused', async () => {
    const it = createWorld({ providers: [login] })
    for (const body of ['{', '', '\u0000']) {
      expect(
        await parts(
          await it.request('/auth/callback/credentials', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          }),
        ),
      ).toEqual(BAD)
    }
  })

  test('T-FLOW-5: a body over a mebibyte is refused, with and without a length', async () => {
    const it = createWorld({ providers: [login] })
    const long = `csrfToken=x&a=${'x'.repeat(1024 * 1024)}`
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const headers of [type, { ...type, 'content-length': String(long.length) }]) {
      expect(
        await parts(await it.request('/auth/signout', { method: 'POST', headers, body: long })),
      ).toEqual(BAD)
    }
    expect(await it.session()).toBeNull()
  })

  test('multipart bodies and unknown types have no fields', async () => {
    const it = createWorld({ providers: [login] })
    const body = new FormData()
    body.set('csrfToken', await it.csrfToken())
    const answer = await it.request('/auth/signout', { method: 'POST', body })
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
  })

  for (const body of [
    'null',
    '[]',
    '1',
    '"x"',
    '{"csrfToken":["x"]}',
    '{"csrfToken":{}}',
    '{"csrfToken":null}',
  ]) {
    test(`the JSON value ${body} has no CSRF token`, async () => {
      const it = createWorld({ providers: [login] })
      await it.csrfToken()
      const headers = { 'content-type': 'application/json' }
      const answer = await it.request('/auth/signout', { method: 'POST', headers, body })
      expect(answer.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
    })
  }

  test('T-FLOW-5: hundreds of cookies are read, and the session cookie among them', async () => {
    const it = createWorld({ providers: [login] })
    await it.post('/auth/callback/credentials', { password: 'x' })
    const ours = [...it.jar].map(([name, value]) => `${name}=${value}`)
    const others = Array.from({ length: 500 }, (_, i) => `c${i}=${i}`)
    const broken = ['=', ';;', 'a=%zz', 'b=%', '__proto__=x', 'constructor=x', 'x', '\u00e4=\u00f6']
    const cookie = [...broken, ...others, ...ours, ...others].join('; ')
    const answer = await it.get('/auth/session', { headers: { cookie } })
    expect(await answer.json()).toMatchObject({ user: { name: 'Ada' } })
  })

  for (const value of [
    '%zz',
    'javascript:alert(1)',
    'x',
    'https://evil.example/',
    '%00',
    'x'.repeat(5000),
  ]) {
    test(`T-REDIR-2: the callback URL ${value.slice(0, 30)} counts as absent, and the cookie is replaced`, async () => {
      const it = createWorld({ providers: [login] })
      it.jar.set('__Secure-authjs.callback-url', encodeURIComponent(value))
      const page = await it.get('/auth/signin')
      expect(page.status).toBe(200)
      expect(decodeURIComponent(it.jar.get('__Secure-authjs.callback-url') ?? '')).toBe(ORIGIN)
      const asked = await it.get(`/auth/signin?callbackUrl=${encodeURIComponent(value)}`)
      expect(asked.status).toBe(200)
      const end = await it.post('/auth/callback/credentials', { password: 'x', callbackUrl: value })
      expect(end.headers.get('location')).toBe(ORIGIN)
    })
  }

  test('T-FLOW-3: an adapter that throws ends a sign-in, and the next one works', async () => {
    const it = createWorld({ providers: [login], adapter: failingAdapter('getUser') })
    const answer = await it.post('/auth/callback/credentials', { password: 'x' })
    expect(answer.headers.get('location')).toBe(CONFIGURATION)
    expect(await it.session()).toBeNull()
    expect((await it.get('/auth/signin')).status).toBe(200)
  })
})

describe('the redirect callback', () => {
  test('decides where visitors go, which may be another site', async () => {
    const seen: unknown[] = []
    const it = createWorld({
      providers: [login],
      callbacks: {
        redirect(params) {
          seen.push(params)
          return 'https://other.example/x'
        },
      },
    })
    const end = await it.post('/auth/callback/credentials', { password: 'x', callbackUrl: '/y' })
    expect(end.headers.get('location')).toBe('https://other.example/x')
    expect(seen).toContainEqual({ url: '/y', baseUrl: ORIGIN })
  })

  for (const answer of ['javascript:alert(1)', '', undefined, 7]) {
    test(`that returns ${JSON.stringify(answer) ?? 'nothing'} leads to the site itself`, async () => {
      const it = createWorld({
        providers: [login],
        callbacks: { redirect: () => answer as string },
      })
      const end = await it.post('/auth/callback/credentials', { password: 'x', callbackUrl: '/y' })
      expect(end.headers.get('location')).toBe(ORIGIN)
      expect(it.log.map(({ message }) => message)).toContain('callback-url-unusable')
    })
  }

  test('logs a callback URL of another site once, by its origin only', async () => {
    const it = createWorld({ providers: [login] })
    const told = () => it.log.filter(({ message }) => message === 'callback-url-unusable')
    await it.get('/auth/signin?callbackUrl=/inbox')
    await it.get('/auth/signin', { headers: { referer: 'https://search.example/?q=x' } })
    expect(told()).toEqual([])
    for (const host of ['other.example', 'a.example', 'b.example']) {
      const callbackUrl = `https://${host}/path?token=secret`
      const end = await it.post('/auth/callback/credentials', { password: 'x', callbackUrl })
      expect(end.headers.get('location')).toBe(ORIGIN)
    }
    expect(told()).toHaveLength(1)
    expect(told()[0]?.detail).toContain(
      `a callback URL is of https://other.example, and the site is ${ORIGIN}`,
    )
    expect(JSON.stringify(told())).not.toMatch(/secret|path/)
  })

  test('logs no callback URL of another site that the callback allows', async () => {
    const it = createWorld({ providers: [login], callbacks: { redirect: ({ url }) => url } })
    const callbackUrl = 'https://other.example/x'
    const end = await it.post('/auth/callback/credentials', { password: 'x', callbackUrl })
    expect(end.headers.get('location')).toBe(callbackUrl)
    expect(it.log.map(({ message }) => message)).not.toContain('callback-url-unusable')
  })

  test('T-REDIR-1: receives no unusable target, but the one of the cookie', async () => {
    const seen: string[] = []
    const it = createWorld({
      providers: [login],
      callbacks: {
        redirect({ url }) {
          seen.push(url)
          return url
        },
      },
    })
    await it.get('/auth/signin?callbackUrl=/inbox')
    for (const callbackUrl of ['javascript:alert(1)', 'inbox', `/${'x'.repeat(2048)}`]) {
      seen.length = 0
      const end = await it.post('/auth/callback/credentials', { password: 'x', callbackUrl })
      expect(end.headers.get('location')).toBe(`${ORIGIN}/inbox`)
      expect(seen).not.toContain(callbackUrl)
      const told = it.log.findLast(({ level }) => level === 'warn')
      expect(told?.message).toBe('callback-url-unusable')
    }
  })

  test('T-SESS-9: is not called for a read of the session or the providers', async () => {
    let asked = 0
    const it = createWorld({
      callbacks: {
        redirect: () => {
          asked++
          return ORIGIN
        },
      },
    })
    for (const path of ['/auth/session?callbackUrl=/x', '/auth/providers?callbackUrl=/x']) {
      expect((await it.get(path)).headers.getSetCookie()).toEqual([])
    }
    expect(asked).toBe(0)
  })
})
