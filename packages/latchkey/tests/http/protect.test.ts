import { describe, expect, test } from 'vitest'
import { type AuthConfig, createLatchkey, type ProtectOptions } from '../../src/entries/index.ts'
import { encode } from '../../src/verifier/jwt.ts'
import { growth, LINEAR } from '../support/growth.ts'

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
  test('is open without an `authorized` callback', async () => {
    const { auth } = site()
    const { response, session } = await auth.protect(visit('/private'))
    expect([response, session]).toEqual([undefined, null])
  })

  test('is open for a signed-in user, whose extended session gets its cookie', async () => {
    const { auth } = site({ callbacks: { authorized: onlyUsers }, session: { updateAge: 0 } })
    const { response, session, headers } = await auth.protect(await asAda('/private'))
    expect(response).toBeUndefined()
    expect(session?.user).toMatchObject({ name: 'Ada' })
    expect(headers.getSetCookie()[0]).toMatch(/^__Secure-authjs\.session-token=/)
  })

  test('sends other visitors to the sign-in page, with the way back and nothing else', async () => {
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
  ])('sends visitors to the configured page %s', async (signIn, at) => {
    const { auth } = site({ callbacks: { authorized: onlyUsers }, pages: { signIn } })
    const { response } = await auth.protect(visit('/private'))
    const target = new URL(response?.headers.get('location') ?? '')
    expect(target.origin + target.pathname).toBe(new URL(at, origin).href)
    expect(target.searchParams.get('callbackUrl')).toBe(`${origin}/private`)
    expect(target.searchParams.get('theme')).toBe(signIn.includes('theme') ? 'dark' : null)
  })

  test('logs a warning if the sign-in page is requested under another origin than its own', async () => {
    const pages = { signIn: 'https://www.app.example/login' }
    const { auth, logged } = site({ callbacks: { authorized: onlyUsers }, pages })
    const sent = async (path: string): Promise<unknown> => {
      const { response } = await auth.protect(visit(path))
      return response?.headers.get('location')
    }
    const first = `${pages.signIn}?callbackUrl=${encodeURIComponent(`${origin}/login`)}`
    expect(await sent('/login')).toBe(first)
    expect(await sent(`/login?callbackUrl=${encodeURIComponent(`${origin}/a`)}`)).toBeNull()
    expect(logged).toEqual([
      'the redirect to the sign-in page would never end: `pages.signIn` is "https://www.app.example/login", which redirected the visitor to "https://app.example/login"; use the same origin in `pages.signIn` and AUTH_URL',
    ])
  })

  test('redirects a signed-in user away from the configured sign-in page if `authorized` does', async () => {
    const authorized: Authorized = ({ auth, request }) => {
      const { pathname } = new URL(request.url)
      if (auth && pathname === '/login') return Response.redirect(`${origin}/dashboard`)
      return auth !== null
    }
    const { auth } = site({ callbacks: { authorized }, pages: { signIn: '/login' } })
    const { response } = await auth.protect(await asAda('/login'))
    expect([response?.status, response?.headers.get('location')]).toEqual([
      302,
      `${origin}/dashboard`,
    ])
    expect((await auth.protect(visit('/login'))).response).toBeUndefined()
  })

  test.each(['/login', '/auth/error?error=AccessDenied'])(
    'leaves the sign-in page open if `authorized` redirects everybody to %s',
    async (to) => {
      const authorized: Authorized = () => Response.redirect(origin + to)
      const { auth, logged } = site({ callbacks: { authorized }, pages: { signIn: '/login' } })
      expect((await auth.protect(await asAda('/login'))).response).toBeUndefined()
      expect(logged).toEqual([])
    },
  )

  test('does not redirect a form to the sign-in page', async () => {
    const { auth } = site({ callbacks: { authorized: () => false } })
    const { response } = await auth.protect(visit('/private', { method: 'POST', body: 'a=b' }))
    expect(response?.status).toBe(303)
  })

  test('responds to a script with 401', async () => {
    const { auth } = site({ callbacks: { authorized: () => undefined } })
    const headers = { accept: 'application/json' }
    const { response } = await auth.protect(visit('/api/things', { headers }))
    expect([response?.status, await response?.json()]).toEqual([401, { message: 'Unauthorized' }])
    const page = { accept: 'text/html,application/json;q=0.9' }
    expect((await auth.protect(visit('/private', { headers: page }))).response?.status).toBe(307)
  })

  test('is closed if the session cannot be read', async () => {
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

  test('is closed if the callback fails', async () => {
    const { auth } = site({
      callbacks: {
        authorized: () => {
          throw new Error('out of order')
        },
      },
    })
    await expect(auth.protect(visit('/private'))).rejects.toThrow('out of order')
  })

  test('uses the path that the framework passes', async () => {
    const config = { callbacks: { authorized: onlyUsers }, pages: { signIn: '/login' } }
    const { auth } = site(config)
    const { response } = await auth.protect(visit('/docs/de/login'), { path: '/login' })
    expect(response).toBeUndefined()
  })

  test('passes the framework’s own request to the callback', async () => {
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

describe('a response that `authorized` returns', () => {
  const answering = (answer: Response) => site({ callbacks: { authorized: () => answer } })

  test('is returned unchanged', async () => {
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
    'that leads to the page itself (%j) is refused and logged',
    async (location) => {
      const { auth, logged } = answering(new Response(null, { status: 307, headers: { location } }))
      const { response } = await auth.protect(visit('/private'))
      expect([response?.status, response?.headers.get('location')]).toEqual([500, null])
      expect(await response?.text()).toBe('The server is not set up correctly.')
      const to = new URL(location, `${origin}/private`).href
      expect(logged).toEqual([
        `\`authorized\` redirects from "${origin}/private" to "${to}", which is the same page: the redirect would never end; return true for this page in \`authorized\`, or redirect to another page`,
      ])
    },
  )

  test('may lead to the same page with another query', async () => {
    const location = '/private?language=en&from=private'
    const { auth } = answering(new Response(null, { status: 307, headers: { location } }))
    const { response } = await auth.protect(visit('/private'))
    expect([response?.status, response?.headers.get('location')]).toEqual([307, origin + location])
  })

  test('that leads to the page over http is refused, since the site leads back to https', async () => {
    const location = 'http://app.example/private'
    const answer = () => new Response(null, { status: 307, headers: { location } })
    const { auth, logged } = answering(answer())
    expect((await auth.protect(visit('/private'))).response?.status).toBe(500)
    expect(logged).toEqual([expect.stringContaining(`to "${location}", which is the same page`)])
    const plain = answering(Response.redirect(`${origin}/private`, 307))
    const { response } = await plain.auth.protect(new Request(location))
    expect(response?.headers.get('location')).toBe(`${origin}/private`)
  })

  test('that leads to no valid address is refused', async () => {
    const { auth, logged } = answering(
      new Response(null, { status: 307, headers: { location: 'http://' } }),
    )
    expect((await auth.protect(visit('/private'))).response?.status).toBe(500)
    expect(logged).toEqual([
      `\`authorized\` redirects from "${origin}/private" to "http://", which is not a URL; return a redirect to a path or to an absolute URL`,
    ])
  })

  test('that leads to the page itself is logged without its query', async () => {
    const location = '/private?next=/private&token=secret'
    const { auth, logged } = answering(new Response(null, { status: 307, headers: { location } }))
    const { response } = await auth.protect(visit('/private?code=secret'))
    expect(response?.status).toBe(500)
    expect(logged).toEqual([expect.stringContaining(`to "${origin}/private", which is the same`)])
    expect(logged.join()).not.toContain('secret')
  })
})

describe('with `authorized` false for everybody,', () => {
  test.each(['signin', 'signin/acme', 'callback/acme', 'session', 'csrf', 'providers', 'error'])(
    '%s is open',
    async (action) => {
      const { auth } = site({ callbacks: { authorized: () => false } })
      expect((await auth.protect(visit(`/auth/${action}`))).response).toBeUndefined()
    },
  )

  test.each(['/auth', '/auth/', '/auth/admin', '/authentic/signin', '/login', '//auth/signin'])(
    '%s is protected',
    async (path) => {
      const { auth } = site({ callbacks: { authorized: () => false } })
      expect((await auth.protect(visit(path))).response?.status).toBe(307)
    },
  )
})

describe('T-HOST-4: a path that the service does not answer', () => {
  const closed = { callbacks: { authorized: () => false } }

  test.each([
    '/auth/providers/1/tokens',
    '/auth/session/1',
    '/auth/signin/acme/edit',
    '/auth//signin',
    '/auth/sessio%6e',
  ])('is protected: %s', async (path) => {
    const { response, open } = await site(closed).auth.protect(visit(path))
    expect([response?.status, open]).toEqual([307, false])
  })

  test('is protected below the root of the site', async () => {
    const { auth } = site({ ...closed, basePath: '/' })
    expect((await auth.protect(visit('/session/1'))).response?.status).toBe(307)
    expect((await auth.protect(visit('/session'))).open).toBe(true)
  })

  test('includes an action with a slash at the end, which gets an error and no redirect loop', async () => {
    const { auth, logged } = site(closed)
    const { response, open } = await auth.protect(visit('/auth/signin/'))
    expect([response?.status, open]).toEqual([400, false])
    expect(logged).toEqual([
      'the path of an action ends with a slash; set `trailingSlash` if the site adds slashes',
    ])
  })

  test('does not include an action with a slash at the end if the site adds one', async () => {
    const { auth } = site({ ...closed, trailingSlash: true })
    expect((await auth.protect(visit('/auth/signin/'))).open).toBe(true)
    expect((await auth.protect(visit('/auth/signin//'))).open).toBe(false)
  })

  test('is protected below the base path, beside a sign-in page of the application there', async () => {
    const { auth } = site({ ...closed, pages: { signIn: '/auth/login' } })
    expect((await auth.protect(visit('/auth/login/'))).open).toBe(true)
    expect((await auth.protect(visit('/auth/admin'))).open).toBe(false)
  })

  test('is protected in each form in which a server passes the address on', async () => {
    const { auth } = site({ ...closed, pages: { signIn: '/login' } })
    for (const path of ['/private/../auth/session', '/private/%2e%2e/login']) {
      // Some servers give a request the address as it was sent.
      const request = Object.defineProperty(visit('/private'), 'url', { value: origin + path })
      expect((await auth.protect(request)).open, path).toBe(false)
    }
  })
})

test('T-HOST-4: a long path of slashes takes linear time', async () => {
  const callbacks = { authorized: () => Response.redirect(`${origin}/elsewhere?next=/a`, 307) }
  const { auth } = site({ callbacks, pages: { signIn: '/login', error: '/problem' } })
  const protecting = (length: number) => {
    const request = visit(`/${'/'.repeat(length)}x`)
    return () => auth.protect(request)
  }
  expect(await growth(protecting, 64_000)).toBeLessThan(LINEAR)
})
