import type { JWTPayload } from 'jose'
import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { parseCookies } from '../../src/http/cookies/cookies.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { credentials } from '../../src/providers/define.ts'
import { sealedByNextAuth4 as sealed } from '../support/next-auth-4.ts'
import { recordingAdapter, recordingEvents } from '../support/recording.ts'
import fixtures from './next-auth-4.json' with { type: 'json' }

const THEIRS = '__Secure-next-auth.session-token'
const OURS = '__Secure-authjs.session-token'
const DAY = 24 * 60 * 60
const { secret } = fixtures

const password = credentials({ authorize: async () => ({ id: 'u2', name: 'Grace' }) })

function worldWith(value: string, config: Partial<AuthConfig> = {}): World {
  const it = createWorld({
    secret,
    providers: [password],
    acceptSessionsFrom: ['next-auth@4'],
    ...config,
  })
  it.jar.set(THEIRS, value)
  return it
}

const ada = { name: 'Ada', email: 'ada@example.com', sub: 'u1' }

function setNames(response: Response): string[] {
  return response.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf('=')))
}

describe('a session that next-auth 4 sealed', () => {
  test('signs nobody in and is left alone while it cannot be rewritten', async () => {
    let isBroken = true
    const encode = async ({ token }: { token?: object | undefined }): Promise<string> => {
      if (isBroken) throw new Error('the key is away')
      return Buffer.from(JSON.stringify(token)).toString('base64url')
    }
    const decode = async ({ token = '' }: { token?: string | undefined }) =>
      JSON.parse(Buffer.from(token, 'base64url').toString()) as JWTPayload
    const it = worldWith(fixtures.session, { jwt: { encode, decode } })
    expect(await it.session()).toBeNull()
    expect([...it.jar.keys()]).toEqual([THEIRS])
    const logged = it.log.map(({ detail }) => (detail as { type?: string } | undefined)?.type)
    expect(logged).toContain('SessionTokenError')
    isBroken = false
    expect(await it.session()).toMatchObject({ user: { name: 'Ada' } })
  })

  test('is read, and goes on as a session of Latchkey', async () => {
    const it = worldWith(fixtures.session)
    const first = await it.get('/auth/session')
    expect(await first.json()).toMatchObject({
      user: { name: 'Ada', email: 'ada@example.com', image: 'https://app.example/ada.png' },
    })
    expect([...it.jar.keys()]).toEqual([OURS])
    const second = await it.get('/auth/session')
    expect(await second.json()).toMatchObject({ user: { name: 'Ada' } })
    expect(second.headers.getSetCookie()).toEqual([])
    it.advance(29 * DAY)
    expect((await it.session())?.user?.['name']).toBe('Ada')
  })

  test('is passed to the callbacks like a session of Latchkey', async () => {
    const seen: unknown[] = []
    const it = worldWith(fixtures.session, {
      callbacks: {
        jwt: ({ token }) => {
          seen.push(token)
          return { ...token, role: 'reader' }
        },
        session: ({ session, token }) => ({ ...session, role: token['role'] }),
      },
    })
    expect(await it.session()).toMatchObject({ role: 'reader' })
    expect(seen[0]).toMatchObject({ sub: 'u1', email: 'ada@example.com' })
    expect([...it.jar.keys()]).toEqual([OURS])
    expect(await it.session()).toMatchObject({ role: 'reader' })
  })

  test('is read from its pieces, and written in pieces', async () => {
    const it = worldWith('')
    it.jar.clear()
    it.jar.set(`${THEIRS}.0`, fixtures.large.slice(0, 3900))
    it.jar.set(`${THEIRS}.1`, fixtures.large.slice(3900))
    expect((await it.session())?.user?.['name']).toBe('Ada')
    expect([...it.jar.keys()]).toEqual([`${OURS}.0`, `${OURS}.1`])
    expect((await it.session())?.user?.['name']).toBe('Ada')
  })

  test('has a name without a prefix over http', async () => {
    const it = createWorld(
      { secret, acceptSessionsFrom: ['next-auth@4'] },
      { origin: 'http://localhost:3000' },
    )
    it.jar.set('next-auth.session-token', fixtures.session)
    expect((await it.session())?.user?.['name']).toBe('Ada')
    expect([...it.jar.keys()]).toEqual(['authjs.session-token'])
    const secure = worldWith('')
    secure.jar.clear()
    secure.jar.set('next-auth.session-token', fixtures.session)
    expect(await secure.session()).toBeNull()
  })

  test('is read if no cookie can be set, and stays', async () => {
    const auth = createLatchkey(
      { secret, providers: [], trustHost: true, acceptSessionsFrom: ['next-auth@4'] },
      {},
    )
    const request = (): Request =>
      new Request('https://app.example/', { headers: { cookie: `${THEIRS}=${fixtures.session}` } })
    expect((await auth.auth(request()))?.user?.name).toBe('Ada')
    expect((await auth.auth(request().headers))?.user?.name).toBe('Ada')
    const { session, headers } = await auth.session(request())
    expect(session?.user?.name).toBe('Ada')
    expect(headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([OURS, THEIRS])
  })

  test('is not read unless `acceptSessionsFrom` names the library', async () => {
    for (const acceptSessionsFrom of [undefined, []]) {
      const it = worldWith(fixtures.session, { acceptSessionsFrom })
      const answer = await it.get('/auth/session')
      expect(await answer.json()).toBeNull()
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('may use any secret in the list, and `jwt.secret`', async () => {
    for (const config of [
      { secret: ['a new secret, 0123456789abcdef01', secret] },
      { secret: 'a new secret, 0123456789abcdef01', jwt: { secret } },
    ]) {
      expect((await worldWith(fixtures.session, config).session())?.user?.['name']).toBe('Ada')
    }
  })

  for (const [what, value] of [
    ['of another secret', fixtures.otherSecret],
    ['that has expired', fixtures.expired],
    ['sealed for another purpose', fixtures.salted],
    ['that holds the state of a sign-in', fixtures.state],
    ['that was changed', fixtures.session.replace(/.{4}$/, 'AAAA')],
    ['that is none', 'x'],
    ['that names no key', 'x..x.x.x'],
  ] as const) {
    test(`T-SESS-7, T-SESS-8: is ignored and left alone if it is ${what}`, async () => {
      const it = worldWith(value)
      const answer = await it.get('/auth/session')
      expect([answer.status, await answer.json()]).toEqual([200, null])
      expect(answer.headers.getSetCookie()).toEqual([])
      await it.post('/auth/signout')
      expect(it.jar.get(THEIRS)).toBe(value)
      expect(it.log.filter(({ level }) => level === 'error')).toEqual([])
    })
  }

  test.each(['sub', 'email', 'name'])('is read if it contains only `%s`', async (name) => {
    const it = worldWith(await sealed({ [name]: 'ada' }))
    expect(await it.session()).not.toBeNull()
    expect([...it.jar.keys()]).toEqual([OURS])
  })

  test('T-KEY-4, T-SESS-8: is read in exactly its own form', async () => {
    const good = await sealed(ada)
    expect((await worldWith(good).session())?.user?.['name']).toBe('Ada')
    for (const bad of [
      await sealed(ada, { header: { kid: 'x' } }),
      await sealed(ada, { header: { zip: 'DEF' } }).catch(() => 'x'),
      await sealed(ada, { key: `${secret} ` }),
      await sealed(ada, { exp: null }),
      await sealed(ada, { exp: '4000000000' }),
      await sealed({ ...ada, nbf: Date.UTC(2035, 0, 1) / 1000 }),
      await sealed({ code_verifier: 'x' }),
      await sealed({ sub: 1 as never }),
    ]) {
      expect(await worldWith(bad).session()).toBeNull()
    }
  })

  test('T-SESS-8: is no session under the name of Latchkey, nor the other way round', async () => {
    const it = worldWith(fixtures.session)
    await it.session()
    const ours = it.jar.get(OURS) ?? ''
    expect(await worldWith(ours).session()).toBeNull()
    const swapped = worldWith('x')
    swapped.jar.set(OURS, fixtures.session)
    expect(await swapped.session()).toBeNull()
  })

  test('does not come back when the session of Latchkey has ended', async () => {
    const it = worldWith(fixtures.session)
    await it.session()
    await it.post('/auth/signout')
    expect([...it.jar.keys()].filter((name) => name.includes('session'))).toEqual([])
    expect(await it.session()).toBeNull()
  })

  test('T-SESS-5: ends at sign-out, beside a session of Latchkey and alone', async () => {
    for (const beside of [true, false]) {
      const { events, told } = recordingEvents()
      const it = worldWith(fixtures.session, { events })
      if (beside) {
        await it.session()
        it.jar.set(THEIRS, fixtures.session)
      }
      const end = await it.post('/auth/signout')
      expect(setNames(end)).toEqual(expect.arrayContaining([THEIRS]))
      expect(it.jar.has(OURS)).toBe(false)
      expect(it.jar.has(THEIRS)).toBe(false)
      expect(told.signOut).toHaveLength(1)
      expect(told.signOut?.[0]).toMatchObject({ token: { sub: 'u1' } })
    }
  })

  test('ends if the application ends it', async () => {
    const it = worldWith(fixtures.session, { callbacks: { jwt: () => null } })
    expect(await it.session()).toBeNull()
    expect([...it.jar.keys()]).toEqual([])
  })

  test('is replaced at a new sign-in', async () => {
    const it = worldWith(fixtures.session)
    await it.post('/auth/callback/credentials', { x: '1' })
    expect((await it.session())?.user?.['name']).toBe('Grace')
    expect(it.jar.has(THEIRS)).toBe(false)
  })

  test('is replaced by a session of Latchkey', async () => {
    const it = createWorld({ secret, providers: [password], acceptSessionsFrom: ['next-auth@4'] })
    await it.post('/auth/callback/credentials', { x: '1' })
    it.jar.set(THEIRS, fixtures.session)
    expect((await it.session())?.user?.['name']).toBe('Grace')
  })
})

describe('a session that next-auth 4 stored', () => {
  const token = '0b9c2c3e-5f5a-4b0a-9d7e-2f7a3c1d4e5f'

  async function stored(more: Partial<AuthConfig> = {}) {
    const { adapter, calls } = recordingAdapter()
    const { events, told } = recordingEvents()
    const it = worldWith(token, { adapter, events, ...more })
    await adapter.createUser({
      id: 'u1',
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: null,
    })
    const expires = new Date(it.now() + 10 * DAY * 1000)
    await adapter.createSession({ sessionToken: token, userId: 'u1', expires })
    calls.length = 0
    return { it, adapter, calls, told }
  }

  test('is read, and goes on as a session of Latchkey, under a hash', async () => {
    const { it, adapter } = await stored()
    expect((await it.session())?.user?.['name']).toBe('Ada')
    expect([...it.jar]).toEqual([[OURS, token]])
    expect(await adapter.getSessionAndUser(token)).toBeNull()
    it.advance(29 * DAY)
    expect((await it.session())?.user?.['name']).toBe('Ada')
  })

  test('is not read unless `acceptSessionsFrom` names the library', async () => {
    const { it, adapter } = await stored({ acceptSessionsFrom: undefined })
    expect(await it.session()).toBeNull()
    expect(await adapter.getSessionAndUser(token)).not.toBeNull()
  })

  test('is cleared if it is unknown or has expired', async () => {
    for (const late of [false, true]) {
      const { it } = await stored()
      if (late) it.advance(11 * DAY)
      else it.jar.set(THEIRS, 'another-token-of-somebody')
      expect(await it.session()).toBeNull()
      expect([...it.jar.keys()]).toEqual([])
    }
  })

  test('T-SESS-5: ends at sign-out, also in the store', async () => {
    const { it, adapter, told } = await stored()
    await it.post('/auth/signout')
    expect(it.jar.has(THEIRS)).toBe(false)
    expect(told.signOut?.[0]).toMatchObject({ session: { userId: 'u1' } })
    it.jar.set(THEIRS, token)
    expect(await it.session()).toBeNull()
    expect(await adapter.getSessionAndUser(token)).toBeNull()
  })

  test('ends when another user signs in', async () => {
    const { it, adapter } = await stored()
    await adapter.createUser({ id: 'u2', name: 'Grace', email: 'g@x.example', emailVerified: null })
    await it.post('/auth/callback/credentials', { x: '1' })
    expect((await it.session())?.user?.['name']).toBe('Grace')
    expect(it.jar.has(THEIRS)).toBe(false)
    it.jar.set(THEIRS, token)
    it.jar.delete(OURS)
    expect(await it.session()).toBeNull()
  })

  test('is the user to whom an account is linked', async () => {
    const { it } = await stored()
    const request = { secure: true, cookies: parseCookies(`${THEIRS}=${token}`) }
    const plan = it.core.plan(it.config)
    expect(await plan.session.currentUser(request)).toMatchObject({ id: 'u1' })
  })

  test('T-SESS-5: ends at sign-out together with a session of Latchkey', async () => {
    const { it, adapter } = await stored()
    it.jar.delete(THEIRS)
    await adapter.createUser({ id: 'u2', name: 'Grace', email: 'g@x.example', emailVerified: null })
    await it.post('/auth/callback/credentials', { x: '1' })
    const ours = it.jar.get(OURS) ?? ''
    it.jar.set(THEIRS, token)
    await it.post('/auth/signout')
    for (const [name, value] of [
      [OURS, ours],
      [THEIRS, token],
    ] as const) {
      it.jar.set(name, value)
      expect(await it.session()).toBeNull()
      it.jar.delete(name)
    }
  })

  test('stays with its cookie if the store cannot carry out a sign-out', async () => {
    const { it, adapter } = await stored()
    adapter.getSessionAndUser = async () => {
      throw new Error('the store is gone')
    }
    const answer = await it.get('/auth/session')
    expect(answer.status).toBe(500)
    expect(it.jar.get(THEIRS)).toBe(token)
    expect((await it.post('/auth/signout')).status).toBe(503)
    expect(it.jar.get(THEIRS)).toBe(token)
  })

  test('T-SESS-4: is not found by its stored hash', async () => {
    const { it, calls } = await stored()
    await it.session()
    const asked = calls.filter(([name]) => name === 'getSessionAndUser').map(([, key]) => key)
    const hash = String(asked.find((key) => key !== token))
    expect(hash).toMatch(/^lk1_/)
    const thief = it.otherBrowser()
    thief.jar.set(THEIRS, hash)
    expect(await thief.session()).toBeNull()
  })
})

test('an unknown library in `acceptSessionsFrom` is an error of the configuration', () => {
  const acceptSessionsFrom = ['next-auth@3'] as never
  expect(() =>
    createLatchkey({ secret, providers: [], trustHost: true, acceptSessionsFrom }, {}),
  ).toThrow(/next-auth@4.*next-auth@3/)
})
