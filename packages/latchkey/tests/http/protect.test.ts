import { describe, expect, test } from 'vitest'
import { type AuthConfig, createLatchkey, type ProtectOptions } from '../../src/index.ts'
import { encode } from '../../src/jwt.ts'

const secret = 'a secret of these tests, 0123456789abcdef'
const origin = 'https://app.example'

type Authorized = NonNullable<ProtectOptions['authorized']>

function site(config: Partial<AuthConfig> = {}) {
  const logged: string[] = []
  const logger = {
    error: (error: Error) => void logged.push(error.message),
    warn() {},
    debug() {},
  }
  const base = { providers: [], secret, trustHost: true, logger }
  return { logged, auth: createLatchkey({ ...base, ...config }, {}) }
}

function visit(path: string, init?: RequestInit): Request {
  return new Request(origin + path, init)
}

async function asAda(path: string): Promise<Request> {
  const name = '__Secure-authjs.session-token'
  const token = await encode({ secret, salt: name, token: { sub: '1', name: 'Ada' } })
  return visit(path, { headers: { cookie: `${name}=${token}` } })
}

const onlyUsers: Authorized = ({ auth }) => auth !== null

describe('a page that is protected', () => {
  test('is open without a callback', async () => {
    const { auth } = site()
    const { response, session } = await auth.protect(visit('/private'))
    expect([response, session]).toEqual([undefined, null])
  })

  test('is open for who is signed in, who gets the cookie of a session that was extended', async () => {
    const { auth } = site({ callbacks: { authorized: onlyUsers }, session: { updateAge: 0 } })
    const { response, session, headers } = await auth.protect(await asAda('/private'))
    expect(response).toBeUndefined()
    expect(session?.user).toMatchObject({ name: 'Ada' })
    expect(headers.getSetCookie()[0]).toMatch(/^__Secure-authjs\.session-token=/)
  })

  test('sends others to sign in, with the way back and nothing else', async () => {
    const { auth } = site({ callbacks: { authorized: onlyUsers } })
    const { response } = await auth.protect(visit('/private?token=secret&page=2'))
    expect(response?.status).toBe(307)
    const target = new URL(response?.headers.get('location') ?? '')
    expect(target.origin + target.pathname).toBe(`${origin}/auth/signin`)
    expect([...target.searchParams]).toEqual([
      ['callbackUrl', `${origin}/private?token=secret&page=2`],
    ])
  })

  test.each([
    ['/login', '/login'],
    ['/login?theme=dark', '/login'],
    ['/login/', '/login/'],
    ['https://id.example/login', 'https://id.example/login'],
  ])('sends them to the configured page %s', async (signIn, at) => {
    const { auth } = site({ callbacks: { authorized: onlyUsers }, pages: { signIn } })
    const { response } = await auth.protect(visit('/private'))
    const target = new URL(response?.headers.get('location') ?? '')
    expect(target.origin + target.pathname).toBe(new URL(at, origin).href)
    expect(target.searchParams.get('callbackUrl')).toBe(`${origin}/private`)
    expect(target.searchParams.get('theme')).toBe(signIn.includes('theme') ? 'dark' : null)
  })

  test('does not send a form to the sign-in page', async () => {
    const { auth } = site({ callbacks: { authorized: () => false } })
    const { response } = await auth.protect(visit('/private', { method: 'POST', body: 'a=b' }))
    expect(response?.status).toBe(303)
  })

  test('answers a script with 401', async () => {
    const { auth } = site({ callbacks: { authorized: () => undefined } })
    const headers = { accept: 'application/json' }
    const { response } = await auth.protect(visit('/api/things', { headers }))
    expect([response?.status, await response?.json()]).toEqual([401, { message: 'Unauthorized' }])
    const page = { accept: 'text/html,application/json;q=0.9' }
    expect((await auth.protect(visit('/private', { headers: page }))).response?.status).toBe(307)
  })

  test('is not open when who is signed in cannot be found out', async () => {
    const { auth } = site({
      callbacks: {
        authorized: onlyUsers,
        jwt: () => {
          throw new Error('out of order')
        },
      },
    })
    const { response } = await auth.protect(await asAda('/private'))
    expect(response?.status).toBe(307)
  })

  test('is not open when the callback fails', async () => {
    const { auth } = site({
      callbacks: {
        authorized: () => {
          throw new Error('out of order')
        },
      },
    })
    await expect(auth.protect(visit('/private'))).rejects.toThrow('out of order')
  })

  test('goes by the path that the framework says, too', async () => {
    const config = { callbacks: { authorized: onlyUsers }, pages: { signIn: '/login' } }
    const { auth } = site(config)
    const { response } = await auth.protect(visit('/docs/de/login'), { path: '/login' })
    expect(response).toBeUndefined()
  })

  test('gives the callback the framework’s own request', async () => {
    const native = visit('/private')
    const seen: Request[] = []
    const { auth } = site()
    await auth.protect(visit('/private'), {
      native,
      authorized: ({ request }) => {
        seen.push(request)
        return true
      },
    })
    expect(seen).toEqual([native])
  })
})

describe('an answer of the application', () => {
  const answering = (answer: Response) => site({ callbacks: { authorized: () => answer } })

  test('is given as it is', async () => {
    const { auth } = answering(new Response('No.', { status: 403, headers: { 'x-why': 'so' } }))
    const { response } = await auth.protect(visit('/private'))
    expect([response?.status, response?.headers.get('x-why')]).toEqual([403, 'so'])
    expect(await response?.text()).toBe('No.')
  })

  test('may have a relative address', async () => {
    const { auth } = answering(new Response(null, { status: 302, headers: { location: '/plans' } }))
    const { response } = await auth.protect(visit('/private'))
    expect([response?.status, response?.headers.get('location')]).toEqual([302, `${origin}/plans`])
  })

  test.each(['/private', '/private/', '/%70rivate', `${origin}/private`, ''])(
    'that leads to the page itself (%j) is refused, and says so',
    async (location) => {
      const { auth, logged } = answering(new Response(null, { status: 307, headers: { location } }))
      const { response } = await auth.protect(visit('/private'))
      expect([response?.status, response?.headers.get('location')]).toEqual([500, null])
      expect(logged).toEqual([
        expect.stringMatching(/^the redirect of the `authorized` callback for \/private leads to/),
      ])
    },
  )

  test('may lead to the same page with another query', async () => {
    const location = '/private?language=en&from=private'
    const { auth } = answering(new Response(null, { status: 307, headers: { location } }))
    const { response } = await auth.protect(visit('/private'))
    expect([response?.status, response?.headers.get('location')]).toEqual([307, origin + location])
  })

  test('that leads to no address is refused', async () => {
    const { auth, logged } = answering(
      new Response(null, { status: 307, headers: { location: 'http://' } }),
    )
    expect((await auth.protect(visit('/private'))).response?.status).toBe(500)
    expect(logged).toEqual([expect.stringContaining('leads to what is no address')])
  })
})

/** How many redirects within the site follow one another, up to ten. */
async function stepsFrom(
  { protect }: Pick<ReturnType<typeof site>['auth'], 'protect'>,
  url: string,
): Promise<number> {
  let next: string | null | undefined = url
  for (let steps = 0; steps < 10; steps++) {
    if (!next?.startsWith(`${origin}/`)) return steps
    const { response } = await protect(new Request(next))
    next = response?.headers.get('location')
  }
  return 10
}

describe('nobody is sent in circles', () => {
  const verdicts: Record<string, Authorized> = {
    no: () => false,
    nothing: () => undefined,
    'only users': onlyUsers,
    'to the sign-in page': () => Response.redirect(`${origin}/auth/signin`, 307),
    'to /login': () => new Response(null, { status: 307, headers: { location: '/login' } }),
    'to /login, with the way back': ({ request }) =>
      Response.redirect(`${origin}/login?next=${encodeURIComponent(request.url)}`, 307),
    'to /login, with the way back as a path': ({ request }) => {
      const { pathname, search } = new URL(request.url)
      return Response.redirect(
        `${origin}/login?${new URLSearchParams({ next: pathname + search })}`,
      )
    },
    'to itself': ({ request }) => Response.redirect(request.url, 307),
    'to itself, relatively': ({ request }) =>
      new Response(null, {
        status: 307,
        headers: { location: new URL(request.url).pathname },
      }),
  }
  const pages: Record<string, AuthConfig['pages']> = {
    'our pages': {},
    'pages of its own': { signIn: '/login', error: '/problem', verifyRequest: '/look' },
    'a slash at the end': { signIn: '/login/' },
    'a query': { signIn: '/login?from=here' },
    'an address': { signIn: `${origin}/login` },
    'a sign-in page elsewhere': { signIn: 'https://id.example/login' },
  }
  const bases = ['/auth', '/api/auth', '/a/b/c']
  const starts = ['/', '/private', '/login', '/login/', '/auth/signin', '/problem', '/look']

  for (const [what, authorized] of Object.entries(verdicts)) {
    for (const [which, own] of Object.entries(pages)) {
      test(`by "${what}" with ${which}`, async () => {
        for (const basePath of bases) {
          const { auth } = site({ basePath, ...(own && { pages: own }), callbacks: { authorized } })
          for (const start of [...starts, `${basePath}/callback/acme`, `${basePath}/signout`]) {
            expect([basePath, start, await stepsFrom(auth, origin + start)]).toEqual([
              basePath,
              start,
              expect.toSatisfy((steps: number) => steps < 4),
            ])
          }
        }
      })
    }
  }

  test.each(['signin', 'signin/acme', 'callback/acme', 'session', 'csrf', 'providers', 'error'])(
    'nor kept from %s',
    async (action) => {
      const { auth } = site({ callbacks: { authorized: () => false } })
      expect((await auth.protect(visit(`/auth/${action}`))).response).toBeUndefined()
    },
  )

  test.each(['/auth', '/auth/', '/auth/admin', '/authentic/signin', '/login', '//auth/signin'])(
    'but %s is protected like any other',
    async (path) => {
      const { auth } = site({ callbacks: { authorized: () => false } })
      expect((await auth.protect(visit(path))).response?.status).toBe(307)
    },
  )
})
