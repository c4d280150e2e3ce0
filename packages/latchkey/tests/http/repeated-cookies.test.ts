import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { getToken } from '../../src/verifier/jwt.ts'
import { createVerifier } from '../../src/verifier/session-verifier.ts'

const SECRET = 'a secret for tests, 0123456789abcdef'
const ORIGIN = 'https://shop.app.example'
const SESSION = '__Secure-authjs.session-token'
const CSRF = '__Host-authjs.csrf-token'

/** Before and after `domain` was configured. */
const shared: Partial<AuthConfig> = {
  cookies: {
    sessionToken: { options: { domain: 'app.example' } },
    csrfToken: {
      name: '__Secure-authjs.csrf-token',
      options: { domain: 'app.example', secure: true },
    },
  },
}

function site(strategy: 'jwt' | 'database', config: Partial<AuthConfig> = {}): World {
  const adapter = memoryAdapter()
  return createWorld(
    {
      secret: SECRET,
      session: { strategy },
      adapter,
      providers: [
        {
          id: 'credentials',
          name: 'Name',
          type: 'credentials',
          credentials: {},
          authorize: async ({ name }) =>
            (await adapter.getUserByEmail?.(`${String(name)}@example.com`)) ??
            adapter.createUser?.({
              id: String(name),
              name: String(name),
              email: `${String(name)}@example.com`,
              emailVerified: null,
            }) ??
            null,
        },
      ],
      ...config,
    },
    { origin: ORIGIN },
  )
}

async function sessionCookieOf(world: World, name: string): Promise<string> {
  const browser = world.otherBrowser()
  await browser.post('/auth/callback/credentials', { name })
  return browser.jar.get(SESSION) ?? ''
}

async function nameWith(world: World, cookie: string): Promise<unknown> {
  const answer = await world.otherBrowser().get('/auth/session', { headers: { cookie } })
  return ((await answer.json()) as { user?: { name: string } } | null)?.user?.name
}

/** The `Set-Cookie` headers of a response for one name: its domain, and whether it is cleared. */
function written(answer: Response, name: string): string[] {
  return answer.headers
    .getSetCookie()
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => {
      const domain = /Domain=([^;]*)/.exec(each)?.[1] ?? 'host only'
      return `${each.includes('Max-Age=0') ? 'cleared' : 'set'}: ${domain}`
    })
}

describe('PUB-1: a session cookie that the browser sends twice', () => {
  for (const strategy of ['jwt', 'database'] as const) {
    test(`${strategy}: is found in its valid copy, in any place`, async () => {
      const world = site(strategy, shared)
      const good = await sessionCookieOf(world, 'ada')
      expect(await nameWith(world, `${SESSION}=old; ${SESSION}=${good}`)).toBe('ada')
      expect(await nameWith(world, `${SESSION}=${good}; ${SESSION}=old`)).toBe('ada')
      expect(await nameWith(world, `${SESSION}=; ${SESSION}=${good}`)).toBe('ada')
      const repeated = world.log.filter(({ message }) => message === 'cookie-repeated')
      expect(repeated.map(({ level, detail }) => `${level} ${String(detail)}`)).toEqual([
        expect.stringMatching(/^warn __Secure-authjs\.session-token came more than once/),
      ])
    })

    test(`${strategy}: is the newer one of two valid ones`, async () => {
      const world = site(strategy, shared)
      const earlier = await sessionCookieOf(world, 'ada')
      world.advance(60)
      const later = await sessionCookieOf(world, 'bob')
      expect(await nameWith(world, `${SESSION}=${earlier}; ${SESSION}=${later}`)).toBe('bob')
      expect(await nameWith(world, `${SESSION}=${later}; ${SESSION}=${earlier}`)).toBe('bob')
    })

    test(`${strategy}: is there once after a sign-in, and gone after a sign-out`, async () => {
      const world = site(strategy, shared)
      const browser = world.otherBrowser()
      const csrf = await browser.csrfToken()
      const form = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const post = (path: string, session: string): Promise<Response> =>
        browser.request(path, {
          method: 'POST',
          headers: {
            cookie: `${form}; ${session}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ csrfToken: csrf, name: 'ada' }).toString(),
        })
      const entered = await post('/auth/callback/credentials', `${SESSION}=old; ${SESSION}=older`)
      expect(written(entered, SESSION)).toEqual([
        'cleared: host only',
        'cleared: shop.app.example',
        'set: app.example',
      ])
      const one = await sessionCookieOf(world, 'ada')
      world.advance(60)
      const other = await sessionCookieOf(world, 'ada')
      const left = await post('/auth/signout', `${SESSION}=${one}; ${SESSION}=${other}`)
      expect(written(left, SESSION).toSorted()).toEqual([
        'cleared: app.example',
        'cleared: host only',
        'cleared: shop.app.example',
      ])
      if (strategy === 'database') {
        expect(await nameWith(world, `${SESSION}=${one}`)).toBeUndefined()
        expect(await nameWith(world, `${SESSION}=${other}`)).toBeUndefined()
      }
    })

    test(`${strategy}: is cleared in all copies if none is valid`, async () => {
      const world = site(strategy)
      const answer = await world.get('/auth/session', {
        headers: { cookie: `${SESSION}=one; ${SESSION}=two` },
      })
      expect(await answer.json()).toBeNull()
      expect(written(answer, SESSION).toSorted()).toEqual([
        'cleared: app.example',
        'cleared: host only',
        'cleared: shop.app.example',
      ])
    })

    test(`${strategy}: does not change how a single cookie is cleared and set`, async () => {
      const world = site(strategy, shared)
      await world.post('/auth/callback/credentials', { name: 'ada' })
      expect(written(await world.post('/auth/signout'), SESSION)).toEqual(['cleared: app.example'])
    })
  }

  test('is found in chunks behind a whole one that is no longer valid', async () => {
    const world = site('jwt', {
      callbacks: { jwt: ({ token }) => ({ ...token, much: 'x'.repeat(5000) }) },
    })
    await world.post('/auth/callback/credentials', { name: 'ada' })
    const chunks = [...world.jar].filter(([name]) => name.startsWith(`${SESSION}.`))
    expect(chunks.length).toBeGreaterThan(1)
    const cookie = chunks.map(([name, value]) => `${name}=${value}`).join('; ')
    expect(await nameWith(world, `${SESSION}=old; ${cookie}`)).toBe('ada')
    const first = chunks[0]?.[0] ?? ''
    expect(await nameWith(world, `${first}=old; ${cookie}`)).toBe('ada')
  })

  test('is also found by a verifier and getToken', async () => {
    const world = site('jwt')
    const good = await sessionCookieOf(world, 'ada')
    const headers = new Headers({ cookie: `${SESSION}=old; ${SESSION}=${good}` })
    const token = await getToken({ req: { headers }, secret: SECRET, secureCookie: true })
    expect(token?.['name']).toBe('ada')
    const verify = createVerifier({ secret: SECRET, trustHost: true }, {})
    const session = await verify(new Request(`${ORIGIN}/`, { headers }))
    expect(session?.user?.name).toBe('ada')
  })
})

describe('PUB-1: a CSRF cookie that the browser sends twice', () => {
  for (const [what, config, name] of [
    ['with a domain', shared, '__Secure-authjs.csrf-token'],
    ['of one host', {}, CSRF],
  ] as const) {
    test(`${what}: accepts a form for either copy`, async () => {
      const world = site('jwt', config)
      const csrfToken = await world.csrfToken()
      const good = world.jar.get(name) ?? ''
      const stranger = world.otherBrowser()
      await stranger.csrfToken()
      for (const other of [stranger.jar.get(name) ?? '', 'old']) {
        const answer = await world.otherBrowser().request('/auth/callback/credentials', {
          method: 'POST',
          headers: {
            cookie: `${name}=${other}; ${name}=${good}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ csrfToken, name: 'ada' }).toString(),
        })
        expect(answer.headers.get('location')).not.toContain('error=')
        expect(written(answer, SESSION)).toHaveLength(1)
      }
    })
  }

  test('is replaced if no copy can be opened', async () => {
    const world = site('jwt', shared)
    const name = '__Secure-authjs.csrf-token'
    const answer = await world.get('/auth/csrf', {
      headers: { cookie: `${name}=old; ${name}=older` },
    })
    expect(written(answer, name)).toEqual([
      'cleared: host only',
      'cleared: shop.app.example',
      'set: app.example',
    ])
  })
})
