import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { JWT } from '../../src/model/jwt.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { stateCookieWith } from '../../src/options/markers.ts'
import { createSealer } from '../../src/protocols/sealing/sealer.ts'
import Credentials from '../../src/providers/credentials.ts'
import { stateCookie } from '../../src/session/carriers/state-cookie.ts'
import type { encode } from '../../src/verifier/jwt.ts'
import { failingAdapter, recordingAdapter, recordingEvents } from '../support/recording.ts'

const ORIGIN = 'https://app.example'
const COOKIE = '__Secure-authjs.session-token'
const SECRET = 'a secret for tests, 0123456789abcdef'
const DAY = 24 * 60 * 60

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', image: 'https://img.example/ada' }

/** A browser that is signed in. */
async function signedIn(config: Partial<AuthConfig> = {}): Promise<World> {
  const it = createWorld({ providers: [Credentials({ authorize: () => ada })], ...config })
  await it.post('/auth/callback/credentials')
  expect([...it.jar.keys()].some((name) => name.startsWith(COOKIE))).toBe(true)
  it.log.length = 0
  return it
}

async function database(config: Partial<AuthConfig> = {}) {
  const { adapter, calls, writes } = recordingAdapter()
  await adapter.createUser({ ...ada, emailVerified: null })
  const it = await signedIn({ adapter, ...config })
  const created = calls.findLast(([name]) => name === 'createSession')?.[1]
  const { sessionToken: stored } = created as { sessionToken: string }
  writes()
  return { it, adapter, calls, writes, stored }
}

/** `POST session` with the token of this browser. */
async function update(it: World, data: unknown): Promise<Response> {
  return it.request('/auth/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ csrfToken: await it.csrfToken(), data }),
  })
}

function types(it: World): unknown[] {
  return it.log
    .filter(({ level }) => level === 'error')
    .map(({ detail }) => (detail as { type?: string }).type)
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`${strategy} sessions`, () => {
    const open = async (config: Partial<AuthConfig> = {}): Promise<World> =>
      strategy === 'jwt' ? signedIn(config) : (await database(config)).it

    test('are returned as user and end', async () => {
      const it = await open()
      const answer = await it.get('/auth/session')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
      expect(answer.headers.get('expires')).toBe('0')
      expect(answer.headers.get('pragma')).toBe('no-cache')
      const { id: _, ...user } = ada
      expect(await answer.json()).toEqual({
        user,
        expires: new Date(it.now() + 30 * DAY * 1000).toISOString(),
      })
    })

    test('go on with each visit, for any lifetime of their cookie', async () => {
      const cookies = { sessionToken: { options: { maxAge: 3600 } } }
      const it = await open({ cookies })
      it.advance(1800)
      const answer = await it.get('/auth/session')
      expect(answer.headers.getSetCookie().join()).toContain('; Max-Age=3600;')
    })

    test('are `null` when the callback returns nothing, or `null`', async () => {
      for (const nothing of [undefined, null]) {
        const it = await open({ callbacks: { session: () => nothing as never } })
        for (const answer of [await it.get('/auth/session'), await update(it, {})]) {
          expect(answer.status).toBe(200)
          expect(await answer.json()).toBeNull()
        }
        expect(it.jar.has(COOKIE)).toBe(true)
      }
    })

    test('T-SESS-9: set nothing for a visitor without one', async () => {
      const { adapter, calls } = recordingAdapter()
      const it = createWorld(strategy === 'jwt' ? {} : { adapter })
      for (const cookie of [undefined, `${COOKIE}=`]) {
        const answer = await it.get('/auth/session', cookie ? { headers: { cookie } } : {})
        expect(answer.status).toBe(200)
        expect(await answer.json()).toBeNull()
        expect(answer.headers.getSetCookie()).toEqual([])
      }
      expect(calls).toEqual([])
    })

    test('T-SESS-9: set a cookie at a read only after updateAge has passed', async () => {
      const it = await open()
      it.advance(DAY - 1)
      for (let i = 0; i < 3; i++) {
        expect((await it.get('/auth/session')).headers.getSetCookie()).toEqual([])
      }
      it.advance(1)
      const cookies = (await it.get('/auth/session')).headers.getSetCookie()
      expect(cookies).toHaveLength(1)
      const expires = new Date(it.now() + 30 * DAY * 1000).toUTCString()
      expect(cookies[0]).toMatch(
        new RegExp(`^${COOKIE}=[^;]+; Path=/; Expires=${expires}; HttpOnly; Secure; SameSite=Lax$`),
      )
      expect((await it.get('/auth/session')).headers.getSetCookie()).toEqual([])
    })

    test('with an updateAge of zero are extended at each read', async () => {
      const it = await open({ session: { updateAge: 0 } })
      for (let i = 0; i < 3; i++) {
        expect((await it.get('/auth/session')).headers.getSetCookie()).toHaveLength(1)
      }
    })

    test('PAIR-13: log no error when they expire', async () => {
      const it = await open()
      const kept = new Map(it.jar)
      it.advance(31 * DAY)
      for (const [name, value] of kept) it.jar.set(name, value)
      expect(await it.session()).toBeNull()
      expect(types(it)).toEqual([])
    })

    test('NEW-6: end with a redirect to the site, and not to a protected page that the browser requested before', async () => {
      const it = await open()
      await it.get('/auth/signin?callbackUrl=/private')
      expect((await it.post('/auth/signout')).headers.get('location')).toBe(ORIGIN)
      const again = await open()
      const end = await again.post('/auth/signout', { callbackUrl: '/goodbye' })
      expect(end.headers.get('location')).toBe(`${ORIGIN}/goodbye`)
    })

    test('end after maxAge without a visit, and go on with visits', async () => {
      const it = await open({ session: { maxAge: 100, updateAge: 10 } })
      for (let i = 0; i < 5; i++) {
        it.advance(90)
        expect(await it.session()).not.toBeNull()
      }
      const cookie = it.jar.get(COOKIE) ?? ''
      it.advance(116)
      it.jar.set(COOKIE, cookie)
      expect(await it.session()).toBeNull()
      expect(it.jar.has(COOKIE)).toBe(false)
    })

    test('have the form that the session callback returns', async () => {
      const it = await open({
        callbacks: {
          session: ({ session }) => ({
            expires: session.expires,
            user: { name: session.user.name?.toUpperCase() ?? '' },
          }),
        },
      })
      expect((await it.session())?.user).toEqual({ name: 'ADA' })
    })

    test('T-FLOW-3: respond with 500 and null if the session callback fails, and keep the cookie', async () => {
      const it = await open({
        callbacks: {
          session: () => {
            throw new Error('the directory is down')
          },
        },
      })
      const answer = await it.get('/auth/session')
      expect(answer.status).toBe(500)
      expect(await answer.json()).toBeNull()
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(types(it)).toEqual([strategy === 'jwt' ? 'JWTSessionError' : 'SessionTokenError'])
    })

    test('send an event when they are read, and a handler that fails changes nothing', async () => {
      const { events, told } = recordingEvents()
      const it = await open({ events })
      const body = await it.session()
      expect(told.session).toHaveLength(1)
      expect(told.session?.[0]?.session).toEqual(body)
      expect('token' in (told.session?.[0] ?? {})).toBe(strategy === 'jwt')
      const failing = await open({
        events: {
          session: () => {
            throw new Error('no')
          },
        },
      })
      expect(await failing.session()).not.toBeNull()
      expect(types(failing)).toEqual(['EventError'])
    })

    test('are updated with the data of the client, which the application receives', async () => {
      const seen: unknown[] = []
      const it = await open({
        callbacks: {
          session({ session, newSession, trigger }) {
            seen.push([trigger, newSession])
            return session
          },
        },
      })
      const answer = await update(it, { name: 'Lovelace' })
      expect(answer.status).toBe(200)
      expect(seen).toEqual([['update', { name: 'Lovelace' }]])
      await it.session()
      expect(seen[1]).toEqual([undefined, undefined])
    })

    test('T-WEB-2: are not updated without the CSRF token, or from another site', async () => {
      const it = await open()
      const before = new Map(it.jar)
      for (const [body, headers] of [
        [{ data: {} }, {}],
        [{ csrfToken: 'x', data: {} }, {}],
        [{ csrfToken: await it.csrfToken(), data: {} }, { 'sec-fetch-site': 'cross-site' }],
        [{ csrfToken: await it.csrfToken(), data: {} }, { origin: 'https://evil.example' }],
      ] as [object, Record<string, string>][]) {
        const answer = await it.request('/auth/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
        expect(answer.status).toBe(400)
        expect(await answer.json()).toBeNull()
        expect(answer.headers.getSetCookie()).toEqual([])
      }
      expect(it.jar.get(COOKIE)).toBe(before.get(COOKIE))
    })

    test('are null after an update by a visitor without one', async () => {
      const it = createWorld(strategy === 'jwt' ? {} : { adapter: recordingAdapter().adapter })
      const answer = await update(it, {})
      expect([answer.status, await answer.json()]).toEqual([200, null])
    })

    test('end at sign-out, with an event', async () => {
      const { events, told } = recordingEvents()
      const it = await open({ events })
      const cookie = it.jar.get(COOKIE) ?? ''
      const end = await it.post('/auth/signout', { callbackUrl: '/bye' })
      expect(end.status).toBe(302)
      expect(end.headers.get('location')).toBe(`${ORIGIN}/bye`)
      expect(it.jar.has(COOKIE)).toBe(false)
      expect(told.signOut).toHaveLength(1)
      expect(told.signOut?.[0]).toMatchObject(
        strategy === 'jwt' ? { token: { sub: 'u1' } } : { session: { userId: 'u1' } },
      )
      if (strategy === 'database') {
        it.jar.set(COOKIE, cookie)
        expect(await it.session()).toBeNull()
      }
    })

    test('T-WEB-5: do not end by opening the page, nor without the CSRF token', async () => {
      const it = await open()
      expect((await it.get('/auth/signout')).status).toBe(200)
      const end = await it.postWithoutCsrf('/auth/signout')
      expect(end.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
      expect(await it.session()).not.toBeNull()
    })

    test('end without an event for a visitor without one', async () => {
      const { events, names } = recordingEvents()
      const it = createWorld({
        events,
        ...(strategy === 'jwt' ? {} : { adapter: recordingAdapter().adapter }),
      })
      expect((await it.post('/auth/signout')).headers.get('location')).toBe(ORIGIN)
      it.jar.set(COOKIE, 'unreadable')
      expect((await it.post('/auth/signout')).headers.get('location')).toBe(ORIGIN)
      expect(it.jar.has(COOKIE)).toBe(false)
      expect(names()).toEqual([])
    })

    test('with a state cookie tell scripts of sign-in, update and sign-out, and of nothing else', async () => {
      const STATE = '__Secure-latchkey.session-state'
      const wrapping = { [stateCookieWith]: stateCookie }
      const it = await open({ session: { updateAge: 0 }, ...wrapping })
      const seen = [it.jar.get(STATE)]
      expect(seen[0]).toMatch(/^[\w-]{4}$/)
      for (let i = 0; i < 3; i++) await it.session()
      expect(it.jar.get(STATE)).toBe(seen[0])
      const set: string[] = []
      for (const change of [
        () => update(it, { name: 'Lovelace' }),
        () => it.post('/auth/callback/credentials'),
        () => it.post('/auth/signout'),
      ]) {
        const answer = await change()
        set.push(...answer.headers.getSetCookie().filter((line) => line.startsWith(STATE)))
        seen.push(it.jar.get(STATE))
      }
      expect(new Set(seen).size).toBe(4)
      for (const line of set) expect(line).toMatch(/^[^;]+; Path=\/; Secure; SameSite=Lax$/)
      expect(set).toHaveLength(3)
      await update(it, {})
      expect(it.jar.get(STATE)).toBe(seen[3])
      it.jar.set(COOKIE, 'unreadable')
      await it.session()
      expect(it.jar.get(STATE)).not.toBe(seen[3])
    })

    for (const value of [
      'x',
      '....',
      'eyJ..a.b.c',
      '%00',
      '%zz',
      'lk1_'.padEnd(47, 'a'),
      'x'.repeat(6000),
    ]) {
      test(`ignore and clear an unreadable cookie (${value.slice(0, 12)})`, async () => {
        const it = createWorld(strategy === 'jwt' ? {} : { adapter: recordingAdapter().adapter })
        it.jar.set(COOKIE, value)
        const answer = await it.get('/auth/session')
        expect([answer.status, await answer.json()]).toEqual([200, null])
        expect(it.jar.has(COOKIE)).toBe(false)
      })
    }
  })
}

describe('jwt sessions', () => {
  test('keep their first end until an extension is due', async () => {
    const it = await signedIn()
    const first = (await it.session())?.expires
    it.advance(3600)
    expect((await it.session())?.expires).toBe(first)
  })

  test('are written again when the jwt callback changes them', async () => {
    let role = 'reader'
    const it = await signedIn({
      callbacks: {
        jwt: ({ token }) => ({ ...token, role }),
        session: ({ session, token }) => ({ ...session, role: token['role'] }),
      },
    })
    expect((await it.get('/auth/session')).headers.getSetCookie()).toEqual([])
    role = 'editor'
    const answer = await it.get('/auth/session')
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    expect(await answer.json()).toMatchObject({ role: 'editor' })
    expect((await it.get('/auth/session')).headers.getSetCookie()).toEqual([])
  })

  test('end if the jwt callback returns null', async () => {
    let valid = true
    const { events, told } = recordingEvents()
    const it = await signedIn({
      events,
      callbacks: { jwt: ({ token }) => (valid ? token : null) },
    })
    valid = false
    const answer = await it.get('/auth/session')
    expect([answer.status, await answer.json()]).toEqual([200, null])
    expect(it.jar.has(COOKIE)).toBe(false)
    expect(told.session).toBeUndefined()
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('T-FLOW-3: respond with 500 if a jwt callback or encoder fails, and keep the cookie', async () => {
    let fails = false
    const fail = (): void => {
      if (fails) throw new Error('no')
    }
    for (const config of [
      {
        callbacks: {
          jwt: ({ token }: { token: JWT }) => {
            fail()
            return token
          },
        },
      },
      {
        session: { updateAge: 0 },
        jwt: {
          encode: (params: Parameters<typeof encode>[0]) => {
            fail()
            return createSealer([SECRET], params.salt).seal(params.token as JWT, 60, {
              now: () => Date.UTC(2030, 0, 1),
              random: (length) => new Uint8Array(length),
            })
          },
        },
      },
    ]) {
      fails = false
      const it = await signedIn(config)
      fails = true
      const answer = await it.get('/auth/session')
      expect([answer.status, await answer.json()]).toEqual([500, null])
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(types(it)).toEqual(['JWTSessionError'])
    }
  })

  test('pass all stored claims to the jwt callback, and nothing else', async () => {
    const seen: Record<string, unknown>[] = []
    const it = await signedIn({
      callbacks: {
        jwt(params) {
          seen.push({ ...params })
          return params.token
        },
      },
    })
    await it.session()
    expect(seen[1]).toEqual({
      session: undefined,
      token: {
        name: 'Ada',
        email: 'ada@example.com',
        picture: 'https://img.example/ada',
        sub: 'u1',
        iat: it.now() / 1000,
        exp: it.now() / 1000 + 30 * DAY,
        jti: expect.any(String),
      },
    })
  })

  test('T-SESS-13: change at an update only what the jwt callback takes over', async () => {
    const it = await signedIn({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, name: String(session.name) } : token,
        session: ({ session, token }) => ({ ...session, token }),
      },
    })
    const answer = await update(it, {
      name: 'Lovelace',
      sub: 'u2',
      exp: 9e9,
      iat: 1,
      role: 'admin',
    })
    expect(answer.headers.getSetCookie().filter((c) => c.startsWith(COOKIE))).toHaveLength(1)
    const session = (await it.session()) as unknown as { token: JWT }
    expect(session.token).toMatchObject({
      name: 'Lovelace',
      sub: 'u1',
      exp: it.now() / 1000 + 30 * DAY,
    })
    expect(session.token).not.toHaveProperty('role')
  })

  test('T-SESS-12: of large size are kept in pieces, and leave none behind when they shrink', async () => {
    let size = 9000
    const it = await signedIn({
      callbacks: {
        jwt: ({ token }) => ({ ...token, big: 'x'.repeat(size) }),
        session: ({ session, token }) => ({ ...session, size: String(token['big']).length }),
      },
    })
    const names = (): string[] =>
      [...it.jar.keys()].filter((name) => name.startsWith(COOKIE)).sort()
    expect(names()).toEqual([`${COOKIE}.0`, `${COOKIE}.1`, `${COOKIE}.2`, `${COOKIE}.3`])
    for (const [next, pieces] of [
      [4000, [`${COOKIE}.0`, `${COOKIE}.1`]],
      [10, [COOKIE]],
      [4000, [`${COOKIE}.0`, `${COOKIE}.1`]],
    ] as const) {
      size = next
      expect(await it.session()).toMatchObject({ size: next })
      expect(names()).toEqual(pieces)
      expect(await it.session()).toMatchObject({ size: next })
    }
    await it.post('/auth/signout')
    expect(names()).toEqual([])
  })

  test('T-SESS-12: that fit into no request are refused, and large ones are warned about', async () => {
    let size = 0
    const it = createWorld({
      providers: [Credentials({ authorize: () => ada })],
      callbacks: { jwt: ({ token }) => ({ ...token, big: 'x'.repeat(size) }) },
    })
    for (const [next, target, warned] of [
      [8000, ORIGIN, false],
      [10_000, ORIGIN, true],
      [12_000, `${ORIGIN}/auth/error?error=Configuration`, false],
    ] as const) {
      size = next
      it.log.length = 0
      const end = await it.post('/auth/callback/credentials')
      expect(end.headers.get('location')).toBe(target)
      expect(it.log.some(({ message }) => message === 'session-size')).toBe(warned)
    }
  })

  test('are not disturbed by cookies of similar names, which are left alone', async () => {
    const it = await signedIn()
    it.jar.set(`${COOKIE}-x`, 'evil')
    it.jar.set(`${COOKIE}.x`, 'evil')
    it.jar.set(`${COOKIE}.9`, 'stale')
    expect(await it.session()).not.toBeNull()
    await it.post('/auth/signout')
    expect([...it.jar.keys()].filter((name) => name.startsWith(COOKIE))).toEqual([
      `${COOKIE}-x`,
      `${COOKIE}.x`,
    ])
  })

  test('of Auth.js are read, with either content encryption', async () => {
    const it = createWorld(
      { secret: 'latchkey-test-secret-0123456789abcdef' },
      { origin: 'http://app.example' },
    )
    it.jar.set(
      'authjs.session-token',
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoianVxcVNTcTlfRndlM3hIdmNhbUVIQlpYaVdzZWh0U2FwQ0hRSzhoYWQ1ajBPNWtVX0RjMUNIWHZKaFlDcm5INXBGcHlDT3Z3NEUwaTlva3ZsNDU0SEEifQ..AQEBAQEBAQEBAQEBAQEBAQ.i7-cWmhlG0_dxv_gsAhkOu_ZdhKTNbJWgnzUa4rU0hVcid6W-Sp9yMPMm_izvyak3H2XETmlZhZ8giuTrbzGCeQq6REOEwRuKZT8JjwUgugT-CTAxryAs6lLGeaETPCTnCaHELBL5FmYNIiJeKD9zXA0FwL1ymQ38tIBVc82m6BDp68-sV-SjOmfXek-ZUd7.KNAA5q3D0DxwQDV3iez77wc0SDqTLjaXTn1s-JdDZog',
    )
    expect((await it.session())?.user).toEqual({ name: 'Ada', email: 'ada@example.com' })
  })

  test('T-KEY-3: sealed with an old secret are read, and sealed with the new one when due', async () => {
    const old = await signedIn({ secret: 'old '.repeat(8) })
    const next = await signedIn({ secret: ['new '.repeat(8), 'old '.repeat(8)] })
    next.jar.set(COOKIE, old.jar.get(COOKIE) ?? '')
    expect(await next.session()).not.toBeNull()
    next.advance(DAY)
    expect(await next.session()).not.toBeNull()
    const last = createWorld({ secret: 'new '.repeat(8) })
    last.jar.set(COOKIE, next.jar.get(COOKIE) ?? '')
    expect(await last.session()).not.toBeNull()
  })

  test('may have a secret and a lifetime of their own', async () => {
    const it = await signedIn({ jwt: { secret: 'another secret of 32 characters!', maxAge: 60 } })
    const other = createWorld({})
    other.jar.set(COOKIE, it.jar.get(COOKIE) ?? '')
    expect(await other.session()).toBeNull()
    expect(await it.session()).not.toBeNull()
    it.advance(76)
    expect(await it.session()).toBeNull()
  })

  for (const [name, secret, own] of [
    ['text', SECRET, undefined],
    ['a list', [SECRET, 'one of earlier, 0123456789abcdef'], undefined],
    ['text of its own', SECRET, 'another secret of 32 characters!'],
    ['an empty one of its own', SECRET, ''],
  ] as const) {
    test(`pass the plain secret to functions of the application: ${name}`, async () => {
      const seen = new Set<unknown>()
      const note = ({ secret }: { secret: unknown }): void => void seen.add(secret)
      const it = await signedIn({
        secret,
        jwt: {
          ...(own === undefined ? {} : { secret: own }),
          encode: (params) => (note(params), 'token'),
          decode: (params) => (note(params), { sub: '1' }),
        },
      })
      await it.session()
      expect([...seen]).toEqual([own || secret])
    })
  }

  test('pass the lifetime to functions of the application', async () => {
    const seen: unknown[] = []
    const it = await signedIn({
      jwt: {
        maxAge: 600,
        encode: ({ maxAge }) => (seen.push(maxAge), 'token'),
        decode: ({ maxAge }) => (seen.push(maxAge), { sub: '1', iat: 1893456000 }),
      },
    })
    await it.session()
    expect(seen).toEqual([600, 600])
  })

  test('may be written and read by functions of the application', async () => {
    const seen: unknown[] = []
    const it = await signedIn({
      jwt: {
        encode: (params) => {
          seen.push(params)
          return `mine.${Buffer.from(JSON.stringify(params.token)).toString('base64url')}`
        },
        decode: ({ token = '' }) => JSON.parse(Buffer.from(token.slice(5), 'base64url').toString()),
      },
    })
    expect((await it.session())?.user?.['name']).toBe('Ada')
    expect(seen[0]).toMatchObject({ salt: COOKIE, secret: SECRET, maxAge: 30 * DAY })
    const empty = createWorld({ jwt: { decode: () => null } })
    empty.jar.set(COOKIE, 'x')
    expect(await empty.session()).toBeNull()
    expect(empty.jar.has(COOKIE)).toBe(false)
  })
})

describe('database sessions', () => {
  test('T-SESS-1: have tokens of 256 bits, unless the application generates them', async () => {
    const { it } = await database()
    expect(it.jar.get(COOKIE)).toMatch(/^[\w-]{43}$/)
    let drawn = 0
    const generateSessionToken = (): string => `a-token-of-the-application-${drawn++}`
    const own = await database({ session: { generateSessionToken } })
    expect(own.it.jar.get(COOKIE)).toBe(`a-token-of-the-application-${drawn - 1}`)
    expect(await own.it.session()).not.toBeNull()
  })

  test('T-SESS-4: are stored as hashes, and a hash is not accepted as a token', async () => {
    const { it, stored, calls } = await database()
    const token = it.jar.get(COOKIE) ?? ''
    expect(stored).toMatch(/^lk1_[\w-]{43}$/)
    expect(JSON.stringify(calls)).not.toContain(token)
    it.jar.set(COOKIE, stored)
    expect(await it.session()).toBeNull()
  })

  test('are extended in the store when that is due, and only then', async () => {
    const { it, writes, adapter, stored } = await database()
    it.advance(DAY - 1)
    await it.session()
    expect(writes()).toEqual([])
    it.advance(1)
    const body = await it.session()
    expect(writes()).toEqual(['updateSession'])
    const row = await adapter.getSessionAndUser(stored)
    expect(row?.session.expires.getTime()).toBe(it.now() + 30 * DAY * 1000)
    // What is shown is the end as it was read.
    expect(body?.expires).toBe(new Date(it.now() + 29 * DAY * 1000).toISOString())
  })

  test('T-SESS-7: are deleted when they have expired', async () => {
    const { it, writes, adapter, stored } = await database()
    const cookie = it.jar.get(COOKIE) ?? ''
    it.advance(30 * DAY)
    it.jar.set(COOKIE, cookie)
    expect(await it.session()).toBeNull()
    expect(writes()).toEqual(['deleteSession'])
    expect(await adapter.getSessionAndUser(stored)).toBeNull()
    expect(it.jar.has(COOKIE)).toBe(false)
  })

  for (const withAtomic of [true, false]) {
    test(`with a plain row of an existing table are found and upgraded ${withAtomic ? 'in one step' : 'in two'}`, async () => {
      const { adapter, writes } = recordingAdapter()
      await adapter.createUser({ ...ada, emailVerified: null })
      const it = createWorld({
        adapter: withAtomic ? adapter : ({ ...adapter, [atomic]: undefined } as unknown as Adapter),
      })
      const token = '0b9c2c3e-5f5a-4b0a-9d7e-2f7a3c1d4e5f'
      const expires = new Date(it.now() + 29.5 * DAY * 1000)
      await adapter.createSession({ sessionToken: token, userId: 'u1', expires })
      it.jar.set(COOKIE, token)
      writes()
      expect((await it.session())?.user?.['name']).toBe('Ada')
      expect(await adapter.getSessionAndUser(token)).toBeNull()
      if (!withAtomic) expect(writes()).toEqual(['createSession', 'deleteSession'])
      expect((await it.session())?.user?.['name']).toBe('Ada')
      await it.post('/auth/signout')
      expect(await it.session()).toBeNull()
    })
  }

  test('T-KEY-3: with a row of an old secret are found, and stored under the new one', async () => {
    const { it, adapter, stored } = await database({ secret: 'old '.repeat(8) })
    const after = createWorld({ adapter, secret: ['new '.repeat(8), 'old '.repeat(8)] })
    after.jar.set(COOKIE, it.jar.get(COOKIE) ?? '')
    expect(await after.session()).not.toBeNull()
    expect(await adapter.getSessionAndUser(stored)).toBeNull()
    const last = createWorld({ adapter, secret: 'new '.repeat(8) })
    last.jar.set(COOKIE, it.jar.get(COOKIE) ?? '')
    expect(await last.session()).not.toBeNull()
  })

  test('T-FLOW-3: respond with 500 and null if the store fails, and lose nothing', async () => {
    const { it } = await database()
    for (const method of ['getSessionAndUser', 'updateSession'] as const) {
      const broken = createWorld({
        adapter: { ...it.config.adapter, [method]: failingAdapter(method)[method] },
        session: { updateAge: 0 },
      })
      broken.jar.set(COOKIE, it.jar.get(COOKIE) ?? '')
      const answer = await broken.get('/auth/session')
      expect([answer.status, await answer.json()]).toEqual([500, null])
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(types(broken)).toEqual(['AdapterError', 'SessionTokenError'])
    }
    expect(await it.session()).not.toBeNull()
  })

  describe.each(['getSessionAndUser', 'deleteSession'] as const)(
    'T-SESS-5: a sign-out that the store cannot carry out, since %s fails,',
    (method) => {
      const broken = async (session: AuthConfig['session'] = {}, pages = {}) => {
        const { it, adapter } = await database()
        const world = createWorld({
          adapter: { ...adapter, ...pick(failingAdapter(method), method) },
          session,
          pages,
        })
        for (const [name, value] of it.jar) world.jar.set(name, value)
        return { it, world }
      }

      test('answers with a page that the visitor is still signed in, and keeps the cookie with the session', async () => {
        const { it, world } = await broken()
        const end = await world.post('/auth/signout')
        expect(end.status).toBe(503)
        expect(end.headers.get('retry-after')).toMatch(/^\d+$/)
        const text = await end.text()
        expect(text).toContain('You are still signed in')
        expect(text).toContain('href="/auth/signout"')
        expect(end.headers.getSetCookie().filter((line) => line.includes('session-token'))).toEqual(
          [],
        )
        expect(world.jar.get(COOKIE)).toBe(it.jar.get(COOKIE))
        expect(types(world)).toContain('SignOutError')
        expect(await it.session()).toMatchObject({ user: { name: 'Ada' } })
      })

      test('answers a program with a code', async () => {
        const { world } = await broken()
        const headers = { 'x-auth-return-redirect': '1' }
        const end = await world.post('/auth/signout', {}, { headers })
        expect(end.status).toBe(503)
        expect(end.headers.get('retry-after')).toMatch(/^\d+$/)
        expect(await end.json()).toMatchObject({
          error: 'SignOutError',
          url: `${ORIGIN}/auth/error?error=SignOutError`,
        })
        expect(world.jar.has(COOKIE)).toBe(true)
      })

      test('leads to the page of the application, with a code', async () => {
        const { world } = await broken({}, { error: '/oops' })
        const end = await world.post('/auth/signout')
        expect(end.headers.get('location')).toBe('/oops?error=SignOutError')
        expect(world.jar.has(COOKIE)).toBe(true)
      })

      test('clears the cookie if the application prefers that', async () => {
        const { world } = await broken({ signOutWithoutStore: 'clear' })
        const end = await world.post('/auth/signout')
        expect(end.headers.get('location')).toBe(ORIGIN)
        expect(world.jar.has(COOKIE)).toBe(false)
        expect(types(world)).toContain('SignOutError')
      })
    },
  )

  test('do not show stored values by default', async () => {
    const { it, stored } = await database()
    const text = await (await it.get('/auth/session')).text()
    for (const secret of [
      stored,
      'u1',
      'sessionToken',
      'emailVerified',
      it.jar.get(COOKIE) ?? '-',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  test('pass session and user to the session callback', async () => {
    const seen: unknown[] = []
    const { it, stored } = await database({
      callbacks: {
        session(params) {
          seen.push(params)
          return params.session
        },
      },
    })
    await it.session()
    expect(seen[0]).toMatchObject({
      session: {
        sessionToken: stored,
        userId: 'u1',
        expires: expect.any(Date),
        user: { id: 'u1' },
      },
      user: { id: 'u1', emailVerified: null },
    })
    expect(seen[0]).not.toHaveProperty('token')
  })

  test('clear the pieces that a jwt session left behind', async () => {
    const { it } = await database()
    it.jar.set(`${COOKIE}.0`, 'a')
    it.jar.set(`${COOKIE}.1`, 'b')
    await it.post('/auth/callback/credentials')
    expect([...it.jar.keys()].filter((name) => name.startsWith(COOKIE))).toEqual([COOKIE])
  })
})

function pick(from: Adapter, method: 'getSessionAndUser' | 'deleteSession'): Partial<Adapter> {
  return { [method]: from[method] }
}
