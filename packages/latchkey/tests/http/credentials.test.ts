import { describe, expect, test } from 'vitest'
import { AccessDenied, AuthError, CredentialsSignin, MissingSecret } from '../../src/base/errors.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { User } from '../../src/model/user.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { CredentialsConfig } from '../../src/options/provider-options.ts'
import Credentials from '../../src/providers/credentials.ts'
import { recordingAdapter, recordingEvents } from '../support/recording.ts'

const ORIGIN = 'https://app.example'
const CALLBACK = '/auth/callback/credentials'

type Authorize = CredentialsConfig['authorize']

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', image: 'https://img.example/ada' }

function location(response: Response): string | null {
  return response.headers.get('location')
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`a sign-in with credentials and ${strategy} sessions`, () => {
    async function world(
      authorize: Authorize = () => ada,
      more: Partial<AuthConfig> = {},
    ): Promise<World> {
      const { adapter } = recordingAdapter()
      await adapter.createUser({ ...ada, emailVerified: null })
      return createWorld({
        providers: [Credentials({ authorize, credentials: { username: {}, password: {} } })],
        ...(strategy === 'database' ? { adapter } : {}),
        ...more,
      })
    }

    test('ends at the page where it began, signed in', async () => {
      const it = await world()
      const end = await it.post(CALLBACK, { username: 'ada', callbackUrl: '/inbox' })
      expect(end.status).toBe(302)
      expect(location(end)).toBe(`${ORIGIN}/inbox`)
      expect((await it.session())?.user).toEqual({
        name: 'Ada',
        email: 'ada@example.com',
        image: 'https://img.example/ada',
      })
    })

    test('leads to the target of the cookie if the form has none', async () => {
      const it = await world()
      await it.get('/auth/signin?callbackUrl=/from-the-page')
      expect(location(await it.post(CALLBACK))).toBe(`${ORIGIN}/from-the-page`)
    })

    test('accepts JSON', async () => {
      const it = await world(({ username }) => (username === 'ada' ? ada : null))
      const body = JSON.stringify({ csrfToken: await it.csrfToken(), username: 'ada' })
      const headers = { 'content-type': 'application/json' }
      expect(location(await it.request(CALLBACK, { method: 'POST', headers, body }))).toBe(ORIGIN)
      expect(await it.session()).not.toBeNull()
    })

    for (const [what, answer] of [
      ['null', null],
      ['undefined', undefined],
      ['false', false],
      ['an empty text', ''],
    ] as const) {
      test(`is refused if authorize returns ${what}`, async () => {
        const it = await world(() => answer as unknown as User)
        const end = await it.post(CALLBACK)
        expect(location(end)).toBe(`${ORIGIN}/auth/signin?error=CredentialsSignin&code=credentials`)
        expect(await it.session()).toBeNull()
        expect(it.log.filter(({ level }) => level === 'error')).toHaveLength(1)
      })
    }

    for (const [what, answer] of [
      ['a text', 'ada'],
      ['true', true],
      ['a number', 42],
      ['a function', () => ada],
      ['a list', [ada]],
      ['an error', Object.assign(new Error('no'), { id: 'u1' })],
      ['the answer of another server', Object.assign(Response.error(), { id: 'u1' })],
      ['a user whose id nobody waited for', { ...ada, id: Promise.resolve('u1') }],
      ['a user whose id is a row', { ...ada, id: { value: 'u1' } }],
      ['an address', Object.assign(new URL('https://app.example/denied'), { id: 'u1' })],
    ] as const) {
      test(`T-FLOW-3: signs nobody in if authorize returns ${what}, which is not a user`, async () => {
        const it = await world(() => answer as unknown as User)
        expect(location(await it.post(CALLBACK))).toBe(`${ORIGIN}/auth/error?error=Configuration`)
        expect(await it.session()).toBeNull()
        const [logged] = it.log.filter(({ level }) => level === 'error')
        expect(logged?.detail).toMatchObject({ cause: { err: expect.any(TypeError) } })
      })
    }

    test('is refused with the code of a subclass of the error, encoded', async () => {
      class Locked extends CredentialsSignin {
        override code = 'locked & bolted'
      }
      const it = await world(() => {
        throw new Locked()
      })
      expect(location(await it.post(CALLBACK))).toBe(
        `${ORIGIN}/auth/signin?error=CredentialsSignin&code=locked%20%26%20bolted`,
      )
    })

    test('shows the code of no other error', async () => {
      class Blocked extends AccessDenied {
        readonly code = 'internal'
      }
      const it = await world(() => {
        throw new Blocked('on a list')
      })
      expect(location(await it.post(CALLBACK))).toBe(`${ORIGIN}/auth/error?error=AccessDenied`)
    })

    test('is refused by another error of the service according to the rule of that error', async () => {
      const it = await world(() => {
        throw new MissingSecret('a vault is closed')
      })
      expect(location(await it.post(CALLBACK))).toBe(`${ORIGIN}/auth/error?error=Configuration`)
      expect(it.log.map(({ detail }) => (detail as AuthError).type)).toContain('MissingSecret')
    })

    test('T-FLOW-3: fails with any other error, whose text stays in the log', async () => {
      const it = await world(() => {
        throw new RangeError('the directory is down')
      })
      const end = await it.post(CALLBACK)
      expect(location(end)).toBe(`${ORIGIN}/auth/error?error=Configuration`)
      const [logged] = it.log.filter(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({
        type: 'CallbackRouteError',
        message: 'the directory is down',
        cause: { provider: 'credentials', err: expect.any(RangeError) },
      })
      expect(await it.session()).toBeNull()
    })

    test('T-WEB-2: needs the CSRF token, and does not call authorize without it', async () => {
      let asked = 0
      const it = await world(() => {
        asked++
        return ada
      })
      const end = await it.postWithoutCsrf(CALLBACK, { username: 'ada' })
      expect(location(end)).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
      const theirs = await it.otherBrowser().csrfToken()
      const foreign = await it.postWithoutCsrf(CALLBACK, { csrfToken: theirs })
      expect(location(foreign)).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
      expect(asked).toBe(0)
    })

    test('logs why a form lacks its CSRF proof', async () => {
      const it = await world()
      const reasonOf = async (fields: Record<string, string>, headers?: HeadersInit) => {
        await it.request(CALLBACK, {
          method: 'POST',
          body: new URLSearchParams(fields),
          ...(headers ? { headers } : {}),
        })
        return it.log.findLast(({ level }) => level === 'error')?.detail
      }
      const withReason = (message: string) => ({
        type: 'MissingCSRF',
        message: expect.stringContaining(message),
      })
      const csrfToken = await it.otherBrowser().csrfToken()
      expect(await reasonOf({ csrfToken })).toMatchObject(
        withReason('the browser sent no cookie __Host-authjs.csrf-token'),
      )
      expect(await reasonOf({})).toMatchObject(withReason('the form has no field `csrfToken`'))
      await it.csrfToken()
      expect(await reasonOf({ csrfToken })).toMatchObject(
        withReason('the form does not match the cookie'),
      )
      expect(await reasonOf({ csrfToken }, { 'sec-fetch-site': 'cross-site' })).toMatchObject(
        withReason('another site sent the form'),
      )
      it.jar.set('__Host-authjs.csrf-token', `${csrfToken}|${'0'.repeat(64)}`)
      expect(await reasonOf({ csrfToken })).toMatchObject(
        withReason('was made with another secret'),
      )
    })

    test('leaves a token after a failed first form, with which the next one works', async () => {
      const it = await world()
      await it.postWithoutCsrf(CALLBACK)
      expect([...it.jar.keys()]).toContain('__Host-authjs.csrf-token')
      expect(location(await it.post(CALLBACK))).toBe(ORIGIN)
    })

    test('is not possible by GET', async () => {
      const it = await world()
      expect(location(await it.get(`${CALLBACK}?username=ada`))).toBe(
        `${ORIGIN}/auth/error?error=Configuration`,
      )
    })

    test('leads to the page if the form was sent to the wrong address', async () => {
      const it = await world()
      expect(location(await it.post('/auth/signin/credentials'))).toBe(`${ORIGIN}/auth/signin`)
    })

    test('calls authorize with the fields, and with a request whose body it can read as JSON', async () => {
      const seen: { fields?: unknown; body?: unknown; request?: Request } = {}
      const it = await world(async (fields, request) => {
        Object.assign(seen, { fields, request, body: await request.json() })
        return ada
      })
      await it.post(
        `${CALLBACK}?a=1`,
        { username: 'ada', password: 'x' },
        { headers: { 'x-a': 'b' } },
      )
      const expected = { username: 'ada', password: 'x', csrfToken: expect.any(String) }
      expect(seen.fields).toEqual(expected)
      expect(seen.body).toEqual(expected)
      expect(seen.request?.url).toBe(`${ORIGIN}${CALLBACK}?a=1`)
      expect(seen.request?.method).toBe('POST')
      expect(seen.request?.headers.get('content-type')).toBe('application/json')
      expect(seen.request?.headers.get('x-a')).toBe('b')
    })

    test('calls the signIn callback with user, account, fields and target', async () => {
      const seen: unknown[] = []
      const it = await world(undefined, {
        callbacks: {
          signIn(params) {
            seen.push(params)
            return true
          },
        },
      })
      await it.post(CALLBACK, { username: 'ada' })
      expect(seen).toEqual([
        {
          user: ada,
          account: { provider: 'credentials', providerAccountId: 'u1', type: 'credentials' },
          credentials: { csrfToken: expect.any(String), username: 'ada' },
          callbackUrl: ORIGIN,
        },
      ])
    })

    test('T-FLOW-2: may be refused, failed and redirected by the signIn callback', async () => {
      for (const [answer, target] of [
        [false, `${ORIGIN}/auth/error?error=AccessDenied`],
        [undefined, `${ORIGIN}/auth/error?error=AccessDenied`],
        ['/pending', `${ORIGIN}/pending`],
        ['https://evil.example/', ORIGIN],
        [new Error('no'), `${ORIGIN}/auth/error?error=AccessDenied`],
        [new AuthError('no'), `${ORIGIN}/auth/error?error=Configuration`],
      ] as const) {
        const { events, names } = recordingEvents()
        const it = await world(undefined, {
          events,
          callbacks: {
            signIn: () => {
              if (answer instanceof Error) throw answer
              return answer as boolean
            },
          },
        })
        expect(location(await it.post(CALLBACK)), String(answer)).toBe(target)
        expect(await it.session(), String(answer)).toBeNull()
        expect(names()).toEqual([])
      }
    })

    test('T-SESS-2: begins a new session and a new CSRF token', async () => {
      const it = await world()
      const before = await it.csrfToken()
      await it.post(CALLBACK)
      const first = it.jar.get('__Secure-authjs.session-token')
      const after = await it.csrfToken()
      expect(after).not.toBe(before)
      it.advance(1)
      await it.post(CALLBACK)
      expect(it.jar.get('__Secure-authjs.session-token')).not.toBe(first)
      const stale = await it.request('/auth/signout', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `csrfToken=${after}`,
      })
      expect(location(stale)).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
    })

    test('sends each event once', async () => {
      const { events, told, names } = recordingEvents()
      const it = await world(undefined, { events })
      await it.post(CALLBACK)
      expect(names()).toEqual(['signIn'])
      expect(told.signIn?.[0]).toMatchObject({
        user: { id: 'u1' },
        account: { type: 'credentials' },
      })
    })

    test('creates no user in the adapter', async () => {
      const { adapter } = recordingAdapter()
      await adapter.createUser({ ...ada, emailVerified: null })
      const { events, told } = recordingEvents()
      const it = await world(undefined, {
        adapter,
        events,
        session: { strategy },
        pages: { newUser: '/welcome' },
      })
      expect(location(await it.post(CALLBACK, { callbackUrl: '/inbox' }))).toBe(`${ORIGIN}/inbox`)
      expect(told.signIn).toMatchObject([{ user: { id: 'u1' }, isNewUser: false }])
      expect(told.signIn?.[0]?.account?.userId).toBe('u1')
    })

    test('cannot use the fields of one provider at another', async () => {
      const it = await world()
      expect((await it.post('/auth/callback/Credentials')).status).toBe(404)
      expect((await it.post('/auth/callback/cr%65dentials')).status).toBe(400)
    })
  })
}

describe('with jwt sessions', () => {
  test('the jwt callback receives what is known at sign-in', async () => {
    const seen: Record<string, unknown>[] = []
    const it = createWorld({
      providers: [Credentials({ authorize: () => ({ ...ada, role: 'admin' }) as User })],
      callbacks: {
        jwt(params) {
          seen.push(structuredClone(params) as unknown as Record<string, unknown>)
          return params.token
        },
      },
    })
    await it.post(CALLBACK)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      token: {
        name: 'Ada',
        email: 'ada@example.com',
        picture: 'https://img.example/ada',
        sub: 'u1',
      },
      user: { id: 'u1', role: 'admin' },
      account: { provider: 'credentials', providerAccountId: 'u1', type: 'credentials' },
      trigger: 'signIn',
    })
    expect(Object.keys(seen[0]?.['token'] as object)).toEqual(['name', 'email', 'picture', 'sub'])
    expect(seen[0]).not.toHaveProperty('profile')
  })

  test('a jwt callback that returns null leaves nobody signed in, and the redirect unchanged', async () => {
    const it = createWorld({
      providers: [Credentials({ authorize: () => ada })],
      callbacks: { jwt: () => null },
    })
    expect(location(await it.post(CALLBACK, { callbackUrl: '/x' }))).toBe(`${ORIGIN}/x`)
    expect(it.log.map(({ message }) => message)).toContain('the `jwt` callback began no session')
    expect(await it.session()).toBeNull()
  })

  test('a user without an id gets one, and a number or an object with a text becomes a text', async () => {
    const seen: unknown[] = []
    for (const id of [undefined, null, 42, { toString: () => '5a1f' }]) {
      const it = createWorld({
        providers: [Credentials({ authorize: () => ({ id, name: 'Ada' }) as unknown as User })],
        callbacks: {
          jwt({ token }) {
            seen.push(token.sub)
            return token
          },
        },
      })
      await it.post(CALLBACK)
    }
    const drawn = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(seen).toEqual([drawn, drawn, '42', '5a1f'])
  })

  test('the adapter is not asked to store anything', async () => {
    const { adapter, writes } = recordingAdapter()
    const it = createWorld({
      providers: [Credentials({ authorize: () => ada })],
      adapter,
      session: { strategy: 'jwt' },
    })
    await it.post(CALLBACK)
    expect(await it.session()).not.toBeNull()
    expect(writes()).toEqual([])
  })
})

test('without an adapter nobody is new: the `jwt` callback receives `isNewUser` false', async () => {
  const told: unknown[] = []
  const it = createWorld({
    providers: [Credentials({ authorize: () => ada })],
    callbacks: {
      jwt: ({ token, isNewUser, trigger }) => {
        if (trigger) told.push([trigger, isNewUser])
        return token
      },
    },
  })
  await it.post(CALLBACK)
  expect(told).toEqual([['signIn', false]])
})

describe('with database sessions', () => {
  test('a user that the adapter does not have is a configuration error, with its reason in the log', async () => {
    const { adapter, writes } = recordingAdapter()
    const it = createWorld({ providers: [Credentials({ authorize: () => ada })], adapter })
    expect(location(await it.post(CALLBACK))).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    const [logged] = it.log.filter(({ level }) => level === 'error')
    expect(logged?.message).toContain('`authorize` must return a stored user')
    expect(writes()).toEqual([])
    expect(await it.session()).toBeNull()
  })

  test('T-SESS-2: signing in again ends the session that this browser had', async () => {
    const { adapter, calls, writes } = recordingAdapter()
    await adapter.createUser({ ...ada, emailVerified: null })
    const it = createWorld({ providers: [Credentials({ authorize: () => ada })], adapter })
    await it.post(CALLBACK)
    const old = it.jar.get('__Secure-authjs.session-token') ?? ''
    const created = calls.find(([name]) => name === 'createSession')?.[1]
    const { sessionToken: stored } = created as { sessionToken: string }
    writes()
    await it.post(CALLBACK)
    expect(writes()).toEqual(['createSession', 'deleteSession'])
    expect(await adapter.getSessionAndUser(stored)).toBeNull()
    it.jar.set('__Secure-authjs.session-token', old)
    expect(await it.session()).toBeNull()
  })
})
