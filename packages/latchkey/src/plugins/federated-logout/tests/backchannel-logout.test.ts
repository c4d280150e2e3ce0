import { inspect } from 'node:util'
import { decodeJwt } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { strategies } from '../../../../tests/attacks/support/site.ts'
import {
  backchannelSite,
  corp,
  LOGOUT_EVENT,
  type LogoutSite,
  locationOf,
  logoutClaims,
  logoutToken,
  sendLogout,
  signInAtCorp,
  signOutToCorp,
} from '../../../../tests/support/logout-site.ts'
import { abilitiesOf, apiOf } from '../../../../tests/support/sessions-site.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  key,
} from '../../../../tests/support/simulated-provider.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { digestOf } from '../../../base/crypto/digest.ts'
import type { World } from '../../../entries/testing.ts'
import { withClientAddress } from '../../../http/origin/client-address.ts'
import { createLatchkey } from '../../../instance/create-latchkey.ts'
import { atomic } from '../../../model/adapter.ts'
import type { PluginRecord } from '../../../model/record.ts'
import { type ProviderTokensApi, providerTokens } from '../../provider-tokens/index.ts'
import { sessions } from '../../sessions/index.ts'
import { federatedLogout } from '../index.ts'

const live = async (world: World, userId: string): Promise<string[]> =>
  (await apiOf(world).list({ userId })).map(({ id }) => id)

/** Who is signed in here, by the store. */
const userOf = async ({ adapter }: LogoutSite): Promise<string> =>
  (await adapter?.getUserByEmail?.('ada@example.com'))?.id ?? ''

/** The provider signs in somebody, in a session of theirs there. */
function signInAs(site: LogoutSite, world: World, sub: string, sid: string | undefined) {
  site.op.misbehaviour = {
    ...site.op.misbehaviour,
    claims: { sub, sid, email: `${sub}@example.com`, name: sub },
  }
  return signInAtCorp({ op: site.op, world })
}

const told = async (answer: Response) => [answer.status, await answer.text()]

describe.each(strategies)('a logout token, with %s sessions', (strategy) => {
  test('T-OUT-3: ends the session of its `sid`, and no other', async () => {
    const ended: string[] = []
    const site = backchannelSite(strategy, {
      config: {
        events: {
          sessionEnded: ({ reason }) => void ended.push(reason),
          backchannelLogout: (message) => void ended.push(JSON.stringify(message)),
        },
      },
    })
    const { world } = site
    const [second, bob] = [world.otherBrowser(), world.otherBrowser()]
    await signInAs(site, world, 'ada', 'one')
    await signInAs(site, second, 'ada', 'two')
    await signInAs(site, bob, 'bob', 'three')
    const userId = await userOf(site)
    expect(await live(world, userId)).toHaveLength(2)
    const answer = await sendLogout(world, await logoutToken(world, { sid: 'one' }))
    expect(await told(answer)).toEqual([200, ''])
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(await live(world, userId)).toHaveLength(1)
    expect(ended).toEqual(['back-channel', `{"provider":"corp","ended":1,"userIds":["${userId}"]}`])
    expect(await world.session()).toBeNull()
    expect((await second.session())?.user).toMatchObject({ name: 'ada' })
    expect((await bob.session())?.user).toMatchObject({ name: 'bob' })
  })

  test('T-OUT-3: without `sid` ends all sessions of its subject, and no others', async () => {
    const site = backchannelSite(strategy)
    const { world } = site
    const [second, third, bob] = [1, 2, 3].map(() => world.otherBrowser()) as [World, World, World]
    await signInAs(site, world, 'ada', 'one')
    await signInAs(site, second, 'ada', 'two')
    await signInAs(site, third, 'ada', undefined)
    await signInAs(site, bob, 'bob', 'three')
    const userId = await userOf(site)
    expect(await live(world, userId)).toHaveLength(3)
    const token = await logoutToken(world, { sid: undefined, sub: 'ada' })
    expect((await sendLogout(world, token)).status).toBe(200)
    expect(await live(world, userId)).toEqual([])
    expect(await third.session()).toBeNull()
    expect((await bob.session())?.user).toMatchObject({ name: 'bob' })
  })

  test('for a session at the provider ends each local session that began with it', async () => {
    const site = backchannelSite(strategy)
    const { world } = site
    await signInAs(site, world, 'ada', 'one')
    await signInAs(site, world.otherBrowser(), 'ada', 'one')
    const userId = await userOf(site)
    await sendLogout(world, await logoutToken(world, { sid: 'one', sub: 'ada' }))
    expect(await live(world, userId)).toEqual([])
  })

  test('SEC-24, T-OUT-3: for a session at the provider ends all local ones that began with it, in any number', async () => {
    const site = backchannelSite(strategy)
    const { world } = site
    await signInAs(site, world, 'ada', 'one')
    for (let i = 0; i < 60; i++) await signInAs(site, world.otherBrowser(), 'ada', 'one')
    const other = world.otherBrowser()
    await signInAs(site, other, 'ada', 'two')
    const userId = await userOf(site)
    expect(await live(world, userId)).toHaveLength(62)
    expect((await sendLogout(world, await logoutToken(world, { sid: 'one' }))).status).toBe(200)
    expect(await world.session()).toBeNull()
    expect(await live(world, userId)).toHaveLength(1)
    expect(await other.session()).not.toBeNull()
  })

  test.each<[{ sub?: string }, boolean[]]>([
    [{ sub: 'ada' }, [false, true]],
    [{ sub: 'bob' }, [true, false]],
    [{}, [false, false]],
    [{ sub: 'eve' }, [true, true]],
  ])(
    'SEC-24, T-OUT-3: for a session at the provider with two subjects ends exactly those of %j',
    async (meant, goOn) => {
      const site = backchannelSite(strategy)
      const { world } = site
      const [first, bob] = [world.otherBrowser(), world.otherBrowser()]
      await signInAs(site, first, 'ada', 'one')
      const userId = await userOf(site)
      for (let i = 0; i < 55; i++) await signInAs(site, world.otherBrowser(), 'ada', 'one')
      await signInAs(site, bob, 'bob', 'one')
      const answer = await sendLogout(world, await logoutToken(world, { sid: 'one', ...meant }))
      expect(answer.status).toBe(meant.sub === 'eve' ? 400 : 200)
      const isSignedIn = async (each: World): Promise<boolean> => (await each.session()) !== null
      expect([await isSignedIn(first), await isSignedIn(bob)]).toEqual(goOn)
      expect(await live(world, userId)).toHaveLength(goOn[0] ? 56 : 0)
    },
  )

  test('SEC-24, T-OUT-3: finds each user of a session at the provider and of a subject, in any number', async () => {
    const site = backchannelSite(strategy)
    const { world, adapter } = site
    const browsers: World[] = []
    // The account moves from user to user, each with a session of its own.
    for (let i = 0; i < 55; i++) {
      const browser = world.otherBrowser()
      site.op.misbehaviour = {
        ...site.op.misbehaviour,
        claims: { sub: 'ada', sid: 'one', email: `ada-${i}@example.com`, name: `ada ${i}` },
      }
      await signInAtCorp({ op: site.op, world: browser })
      await adapter?.unlinkAccount?.({ provider: 'corp', providerAccountId: 'ada' })
      browsers.push(browser)
    }
    const [first, last] = [browsers[0], browsers.at(-1)]
    expect(await first?.session()).not.toBeNull()
    const bySession = await logoutToken(world, { sid: 'one' })
    expect((await sendLogout(world, bySession)).status).toBe(200)
    expect([await first?.session(), await last?.session()]).toEqual([null, null])
  })

  test('SEC-24, T-OUT-3: without `sid` finds each user of a subject, in any number', async () => {
    const site = backchannelSite(strategy)
    const { world, adapter } = site
    const browsers: World[] = []
    for (let i = 0; i < 55; i++) {
      const browser = world.otherBrowser()
      site.op.misbehaviour = {
        ...site.op.misbehaviour,
        claims: { sub: 'ada', sid: undefined, email: `ada-${i}@example.com`, name: `ada ${i}` },
      }
      await signInAtCorp({ op: site.op, world: browser })
      await adapter?.unlinkAccount?.({ provider: 'corp', providerAccountId: 'ada' })
      browsers.push(browser)
    }
    const bySubject = await logoutToken(world, { sid: undefined, sub: 'ada' })
    expect((await sendLogout(world, bySubject)).status).toBe(200)
    for (const browser of [browsers[0], browsers.at(-1)])
      expect(await browser?.session()).toBeNull()
  })

  test('ends a session that got another token and name', async () => {
    const site = backchannelSite(strategy)
    const { world } = site
    await signInAs(site, world, 'ada', 'one')
    const cookie = [...world.jar].map((pair) => pair.join('=')).join('; ')
    const { headers } = await apiOf(world).renew(
      new Request('https://app.example/', { headers: { cookie } }),
      { amr: ['pwd'] },
    )
    expect(headers.getSetCookie()).not.toEqual([])
    const userId = await userOf(site)
    expect(await live(world, userId)).toHaveLength(1)
    await sendLogout(world, await logoutToken(world, { sid: 'one' }))
    expect(await live(world, userId)).toEqual([])
  })

  test('ends a session that was extended many times', async () => {
    const site = backchannelSite(strategy)
    await signInAs(site, site.world, 'ada', 'one')
    for (let i = 0; i < 4; i++) {
      site.world.advance(20 * 24 * 60 * 60)
      expect(await site.world.session()).not.toBeNull()
    }
    await sendLogout(site.world, await logoutToken(site.world, { sid: 'one' }))
    expect(await live(site.world, await userOf(site))).toEqual([])
  })

  test('of one account leaves the sessions of another account of the same user', async () => {
    const site = backchannelSite(strategy)
    const { world } = site
    await signInAs(site, world, 'ada', 'one')
    // Somebody who is signed in adds an account, and their session begins anew with it.
    await signInAs(site, world, 'carol', 'two')
    await signInAs(site, world.otherBrowser(), 'ada', 'three')
    const userId = await userOf(site)
    expect(await live(world, userId)).toHaveLength(2)
    await sendLogout(world, await logoutToken(world, { sid: undefined, sub: 'ada' }))
    expect(await live(world, userId)).toHaveLength(1)
    expect((await world.session())?.user).toMatchObject({ name: 'ada' })
  })

  test('with nothing to end is accepted', async () => {
    const { world } = backchannelSite(strategy)
    expect((await sendLogout(world, await logoutToken(world, { sid: 'unknown' }))).status).toBe(200)
    const bySubject = await logoutToken(world, { sid: undefined, sub: 'nobody' })
    expect((await sendLogout(world, bySubject)).status).toBe(200)
  })

  describe('T-ST-18: is refused with', () => {
    const event = { [LOGOUT_EVENT]: {} }
    const hour = 60 * 60

    /** One thing that is wrong with each, by the check that finds it. `now` is in seconds. */
    const mutations: [string, number, (now: number) => Record<string, unknown>][] = [
      ['of another issuer', 5, () => ({ iss: 'https://other.example' })],
      ['without issuer', 5, () => ({ iss: undefined })],
      ['with a list of issuers', 5, () => ({ iss: [ISSUER] })],
      ['for another client', 5, () => ({ aud: 'other' })],
      ['for several others', 5, () => ({ aud: ['other', 'another'] })],
      ['without audience', 5, () => ({ aud: undefined })],
      ['from long ago', 8, (now) => ({ iat: now - 181, exp: now + 60 })],
      ['from the future', 8, (now) => ({ iat: now + 61 })],
      ['without `iat`', 8, () => ({ iat: undefined })],
      ['with `iat` as text', 8, (now) => ({ iat: String(now) })],
      ['that is over', 8, (now) => ({ exp: now })],
      ['without end', 8, () => ({ exp: undefined })],
      ['with an end as text', 8, (now) => ({ exp: String(now + hour) })],
      ['that has not begun', 8, (now) => ({ nbf: now + 61 })],
      ['without events', 9, () => ({ events: undefined })],
      ['with a list of events', 9, () => ({ events: [event] })],
      ['with another event', 9, () => ({ events: { 'https://other.example': {} } })],
      ['whose event is no object', 9, () => ({ events: { [LOGOUT_EVENT]: true } })],
      ['whose event is a list', 9, () => ({ events: { [LOGOUT_EVENT]: [] } })],
      ['without `sub` and `sid`', 10, () => ({ sid: undefined })],
      ['with an empty `sid`', 10, () => ({ sid: '', sub: 'ada' })],
      ['with a `sid` that is no text', 10, () => ({ sid: 1 })],
      ['with a long `sid`', 10, () => ({ sid: 'x'.repeat(256) })],
      ['with a `sub` that is no text', 10, () => ({ sub: { name: 'ada' } })],
      ['with the `sub` of somebody else', 10, () => ({ sub: 'bob' })],
      ['with a nonce', 11, () => ({ nonce: 'x' })],
      ['with an empty nonce', 11, () => ({ nonce: null })],
      ['without `jti`', 12, () => ({ jti: undefined })],
      ['with an empty `jti`', 12, () => ({ jti: '' })],
      ['with a long `jti`', 12, () => ({ jti: 'x'.repeat(256) })],
    ]

    async function expectRefused(
      check: number,
      make: (site: LogoutSite) => string | Promise<string>,
      more: Parameters<typeof backchannelSite>[1] = {},
    ): Promise<void> {
      const site = backchannelSite(strategy, more)
      await signInAs(site, site.world, 'ada', 'session-at-op')
      const answer = await sendLogout(site.world, await make(site))
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'invalid_request', error_description: `check ${check}` },
      ])
      expect(await live(site.world, await userOf(site))).toHaveLength(1)
      // What was refused does not stand in the way of the right one.
      expect((await sendLogout(site.world, await logoutToken(site.world))).status).toBe(200)
      expect(await live(site.world, await userOf(site))).toEqual([])
    }

    test.each(mutations)('%s (check %i)', async (_, check, claims) => {
      await expectRefused(check, ({ world }) =>
        logoutToken(world, claims(Math.floor(world.now() / 1000))),
      )
    })

    test.each([
      ['text', 'no token', 2],
      ['two parts', 'a.b', 2],
      ['five parts', 'a.b.c.d.e', 2],
      ['an empty signature', 'e30.e30.', 2],
    ])('%s', (_, token, check) => expectRefused(check, () => token))

    test('a header above 1 KiB', () =>
      expectRefused(2, ({ world }) =>
        logoutToken(world, {}, { header: { note: 'x'.repeat(1024) } }),
      ))

    test('critical parameters', () =>
      expectRefused(2, async ({ world }) => {
        const right = await logoutToken(world)
        return withHeader(right, { alg: 'RS256', kid: 'usual', crit: ['x'], x: 1 })
      }))

    test.each(['none', 'HS256', 'RS1', 'dir', 1, undefined])('the algorithm %s', (alg) =>
      expectRefused(3, async ({ world }) =>
        withHeader(await logoutToken(world), { alg, typ: 'JWT' }),
      ),
    )

    test('HMAC with the public key', () =>
      expectRefused(3, async ({ world }) => {
        const { jwk } = await key('usual')
        return withMac(logoutClaims(world), JSON.stringify(jwk))
      }))

    test('HMAC with the secret, unless it is configured', async () => {
      await expectRefused(3, ({ world }) => withMac(logoutClaims(world), CLIENT_SECRET))
      const client = { id_token_signed_response_alg: 'HS256' }
      const site = backchannelSite(strategy, { provider: { client } })
      const { world } = site
      expect((await sendLogout(world, await logoutToken(world))).status).toBe(400)
      const wrong = await withMac(logoutClaims(world), 'another secret')
      expect(await (await sendLogout(world, wrong)).text()).toContain('check 7')
      const right = await withMac(logoutClaims(world), CLIENT_SECRET)
      expect((await sendLogout(world, right)).status).toBe(200)
    })

    test('an algorithm that the metadata does not list', () =>
      expectRefused(
        7,
        ({ world }) => logoutToken(world, {}, { signer: key('elliptic', 'ES256') }),
        {
          told: { keys: async () => [await key('usual'), await key('elliptic', 'ES256')] },
        },
      ))

    test.each(['at+jwt', 'id_token+jwt', 'application/at+jwt', 'JOSE', '', 1])(
      'the type %s',
      (typ) => expectRefused(4, ({ world }) => logoutToken(world, {}, { header: { typ } })),
    )

    test('a signature by another key', () =>
      expectRefused(7, ({ world }) =>
        logoutToken(world, {}, { signer: key('other', 'RS256', 'usual') }),
      ))

    test('a key that the issuer does not have', () =>
      expectRefused(7, ({ world }) => logoutToken(world, {}, { signer: key('unknown') })))

    test('a signature of another token', () =>
      expectRefused(7, async ({ world }) => {
        const [head, , signature] = (await logoutToken(world)).split('.')
        const [, payload] = (await logoutToken(world, { sid: 'other' })).split('.')
        return [head, payload, signature].join('.')
      }))

    test('an ID token in its place', () =>
      expectRefused(9, ({ world }) =>
        logoutToken(
          world,
          { events: undefined, jti: undefined, sub: 'ada', name: 'Ada' },
          { header: { typ: 'JWT' } },
        ),
      ))

    test('a token without `sid` where that is required', () =>
      expectRefused(10, ({ world }) => logoutToken(world, { sid: undefined, sub: 'ada' }), {
        options: { backchannel: { requireSid: true } },
      }))

    test('a body that is not a form, is too long, or has no token or two', async () => {
      const { world } = backchannelSite(strategy)
      const token = await logoutToken(world)
      const post = (type: string, body: string) =>
        world.request('/auth/logout/backchannel/corp', {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        })
      const form = 'application/x-www-form-urlencoded'
      const bodies: [string, string][] = [
        ['application/json', JSON.stringify({ logout_token: token })],
        ['text/plain', `logout_token=${token}`],
        [form, ''],
        [form, `logout_token=${token}&logout_token=${token}`],
        [form, `logout_token=${token}&more=${'x'.repeat(16 * 1024)}`],
      ]
      for (const [type, body] of bodies) expect((await post(type, body)).status).toBe(400)
      expect((await post(`${form}; charset=utf-8`, `logout_token=${token}`)).status).toBe(200)
    })

    test('another method, and for providers that are not listened to', async () => {
      const { world } = backchannelSite(strategy, {
        config: {
          providers: [corp(), corp({ id: 'second' })],
          plugins: [sessions(), federatedLogout({ backchannel: { providers: ['corp'] } })],
        },
      })
      const other = await world.get('/auth/logout/backchannel/corp')
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST'])
      for (const provider of ['second', 'unknown', '__proto__']) {
        expect(await told(await sendLogout(world, await logoutToken(world), provider))).toEqual([
          404,
          '',
        ])
      }
    })
  })

  test.each(['JWT', 'logout+jwt', 'LOGOUT+JWT', 'application/logout+jwt', undefined])(
    'may have the type %s',
    async (typ) => {
      const { world } = backchannelSite(strategy)
      const token = await logoutToken(world, {}, { header: { typ } })
      expect((await sendLogout(world, token)).status).toBe(200)
    },
  )

  test('may have no expiry for providers that are known for that', async () => {
    const { world } = backchannelSite(strategy, { provider: { logoutToken: { exp: 'optional' } } })
    expect((await sendLogout(world, await logoutToken(world, { exp: undefined }))).status).toBe(200)
    const text = await logoutToken(world, { exp: 'never' })
    expect((await sendLogout(world, text)).status).toBe(400)
  })

  test('T-OUT-2: is processed once, also when it comes twenty times at once', async () => {
    const ended: string[] = []
    const site = backchannelSite(strategy, {
      config: { events: { sessionEnded: ({ sid }) => void ended.push(sid) } },
    })
    const { world } = site
    await signInAs(site, world, 'ada', 'session-at-op')
    const token = await logoutToken(world)
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendLogout(world, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    expect(ended).toHaveLength(1)
    expect((await sendLogout(world, token)).status).toBe(400)
    // Until it would be too old.
    world.advance(119)
    expect(await (await sendLogout(world, token)).text()).toContain('check 12')
    world.advance(62)
    expect(await (await sendLogout(world, token)).text()).toContain('check 8')
  })

  test('that an interrupted instance processed is accepted once more after a minute', async () => {
    const site = backchannelSite(strategy)
    const { world } = site
    await signInAs(site, world, 'ada', 'session-at-op')
    const token = await logoutToken(world)
    const { jti = '' } = decodeJwt(token)
    const key = await digestOf('logout-jti', ISSUER, CLIENT_ID, jti)
    const [now, expires] = [new Date(world.now()), new Date(world.now() + 60_000)]
    const record = { kind: 'logout-jti', key, data: { state: 'running' }, version: 1 }
    await abilitiesOf(world).createRecord?.({ ...record, createdAt: now, expires }, now)
    world.advance(59)
    expect(await (await sendLogout(world, token)).text()).toContain('check 12')
    world.advance(2)
    expect((await sendLogout(world, token)).status).toBe(200)
    expect(await live(world, await userOf(site))).toEqual([])
  })

  test('OUT-11: ends a session once, also if two tokens name it', async () => {
    const ended: string[] = []
    const site = backchannelSite(strategy, {
      config: { events: { sessionEnded: ({ sid }) => void ended.push(sid) } },
    })
    await signInAs(site, site.world, 'ada', 'session-at-op')
    const pair = [await logoutToken(site.world), await logoutToken(site.world)]
    const answers = await Promise.all(pair.map((token) => sendLogout(site.world, token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(ended).toHaveLength(1)
  })

  test('that could not be carried out can be sent a second time', async () => {
    let isDown = false
    const inner = memoryAdapter()
    const abilities = inner[atomic]
    const adapter = {
      ...inner,
      [atomic]: {
        ...abilities,
        getRecord: (asked: { kind: string; key: string }) => {
          if (isDown && asked.kind === 'op-session') throw new Error('the store is away')
          return abilities?.getRecord?.(asked) ?? null
        },
      },
    } as typeof inner
    const refused: unknown[] = []
    const events = { backchannelLogoutRefused: (message: object) => void refused.push(message) }
    const site = backchannelSite(strategy, { adapter, config: { events } })
    await signInAs(site, site.world, 'ada', 'session-at-op')
    const token = await logoutToken(site.world)
    isDown = true
    expect(await told(await sendLogout(site.world, token))).toEqual([
      400,
      '{"error":"server_error"}',
    ])
    expect(refused).toEqual([{ provider: 'corp', why: 'failure' }])
    isDown = false
    expect((await sendLogout(site.world, token)).status).toBe(200)
    expect(await live(site.world, await userOf(site))).toEqual([])
  })

  test.each([
    ['profile', []],
    ['profile offline_access', ['corp']],
  ])('with the scope %s leaves tokens at %j', async (scope, left) => {
    const plugins = [sessions(), providerTokens(), federatedLogout({ backchannel: true })]
    const told = { tokens: { refresh_token: 'to renew', scope } }
    const site = backchannelSite(strategy, { told, config: { plugins } })
    const { world } = site
    await signInAtCorp(site)
    const api = world.core.plan(world.config).plugins?.api('providerTokens') as ProviderTokensApi
    const request = new Request('https://app.example/', {
      headers: { cookie: [...world.jar].map((pair) => pair.join('=')).join('; ') },
    })
    expect(Object.keys(await api.status(request))).toEqual(['corp'])
    const userId = await userOf(site)
    await sendLogout(world, await logoutToken(world))
    const kinds = [{ kind: 'provider-tokens', userId, limit: 10 }]
    const stored = await Promise.all(kinds.map((kind) => abilitiesOf(world).listRecords?.(kind)))
    expect(stored.flatMap((page) => page?.records ?? []).map(() => 'corp')).toEqual(left)
  })

  test('OUT-11: is processed once by two instances on one store', async () => {
    const adapter = memoryAdapter()
    const first = backchannelSite(strategy, { adapter, seed: 901 })
    const second = backchannelSite(strategy, { adapter, seed: 902 })
    await signInAs(first, first.world, 'ada', 'session-at-op')
    const copy = new Map(first.world.jar)
    for (const [name, value] of copy) second.world.jar.set(name, value)
    expect(await second.world.session()).not.toBeNull()
    const token = await logoutToken(first.world)
    const answers = await Promise.all([first, second].map(({ world }) => sendLogout(world, token)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
    for (const { world } of [first, second]) {
      for (const [name, value] of copy) world.jar.set(name, value)
      world.advance(2)
      expect(await world.session()).toBeNull()
    }
    expect(await live(second.world, await userOf(first))).toEqual([])
  })

  describe('T-ST-20: a sign-in that is under way', () => {
    test.each([
      ['its session there ended', { sid: 'one' }],
      ['all sessions of its subject ended', { sid: undefined, sub: 'ada' }],
    ])('gets no session if %s', async (_, claims) => {
      const site = backchannelSite(strategy)
      const { world, op } = site
      op.misbehaviour = { ...op.misbehaviour, claims: { sid: 'one' } }
      const begun = await world.post('/auth/signin/corp')
      const answer = op.authorize(new URL(begun.headers.get('location') ?? ''))
      world.advance(1)
      // The provider issues the ID token, and the logout comes before the sign-in completes.
      const iat = Math.floor(world.now() / 1000)
      op.misbehaviour = { ...op.misbehaviour, claims: { sid: 'one', iat } }
      expect((await sendLogout(world, await logoutToken(world, claims))).status).toBe(200)
      world.advance(1)
      const end = await world.get(`/auth/callback/corp?${answer}`)
      expect(end.headers.get('location')).toContain('error=AccessDenied')
      expect(await world.session()).toBeNull()
      expect(await live(world, await userOf(site))).toEqual([])
    })

    test('gets no session in either order of the plugins if the logout comes in between', async () => {
      for (const plugins of [
        [sessions(), federatedLogout({ backchannel: true })],
        [federatedLogout({ backchannel: true }), sessions()],
      ]) {
        const inner = memoryAdapter()
        let between: (() => Promise<unknown>) | undefined
        const abilities = inner[atomic]
        const adapter = {
          ...inner,
          [atomic]: {
            ...abilities,
            async createRecord(record: PluginRecord, now: Date) {
              const isMade = await abilities?.createRecord?.(record, now)
              if (record.kind === 'op-session') {
                const meanwhile = between
                between = undefined
                await meanwhile?.()
              }
              return isMade
            },
          },
        } as typeof inner
        const site = backchannelSite(strategy, { adapter, config: { plugins } })
        const token = await logoutToken(site.world)
        between = () => sendLogout(site.world, token)
        const end = await signInAs(site, site.world, 'ada', 'session-at-op')
        expect(end.headers.get('location')).toContain('error=AccessDenied')
        expect(await live(site.world, await userOf(site))).toEqual([])
      }
    })

    test('gets a session if it begins after the logout', async () => {
      const site = backchannelSite(strategy)
      const { world } = site
      await sendLogout(world, await logoutToken(world, { sid: undefined, sub: 'ada' }))
      world.advance(2)
      await signInAs(site, world, 'ada', 'two')
      expect((await world.session())?.user).toMatchObject({ name: 'ada' })
    })
  })
})

test('T-AUD-1: no log holds an ID token, a logout token or a ticket', async () => {
  const site = backchannelSite('jwt', { config: { debug: true } })
  const { world } = site
  const secrets: string[] = []
  await signInAs(site, world, 'ada', 'session-at-op')
  const asked = await signOutToCorp(world)
  secrets.push(asked.searchParams.get('id_token_hint') ?? '', asked.searchParams.get('state') ?? '')
  await signInAs(site, world, 'ada', 'session-at-op')
  const goOn = locationOf(await world.post('/auth/signout', { federated: '1' }))
  secrets.push(goOn.searchParams.get('t') ?? '')
  for (const signer of [key('unknown'), key('other', 'RS256', 'usual'), key('usual')]) {
    const token = await logoutToken(world, {}, { signer })
    secrets.push(...token.split('.'))
    await sendLogout(world, token)
  }
  const logged = inspect(world.log, { depth: 20, maxStringLength: null, maxArrayLength: null })
  expect(logged).toContain('logout token')
  expect(secrets.filter((secret) => secret.length < 20 || logged.includes(secret))).toEqual([])
})

describe('T-ST-19, T-OUT-4: forged logout tokens', () => {
  test('cause at most one more request for keys', async () => {
    const site = backchannelSite('database')
    const { world, op } = site
    await signInAs(site, world, 'ada', 'session-at-op')
    op.asked.length = 0
    const forged = await logoutToken(world, {}, { signer: key('unknown') })
    const statuses = new Map<number, number>()
    for (let i = 0; i < 10_000; i++) {
      const { status } = await sendLogout(world, forged)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 400: 600, 429: 9400 })
    const keys = op.asked.filter(({ path }) => path === '/keys')
    expect(keys.length).toBeLessThanOrEqual(1)
    const limited = await sendLogout(world, forged)
    expect(limited.headers.get('retry-after')).toBe('60')
    // LIM-1: nobody knows the networks, so all clients share a wider limit.
    const warnings = world.log.filter(({ message }) => message === 'limits-unknown-client')
    expect(warnings).toHaveLength(1)
    // The right one is heard all the same.
    expect((await sendLogout(world, await logoutToken(world))).status).toBe(200)
  })

  test.each([
    ['whose key nobody has', () => key('unknown')],
    ['that name the key of the provider', () => key('other', 'RS256', 'usual')],
  ])('SEC-23: %s never prevent a valid token from being read', async (_, signer) => {
    const site = backchannelSite('database')
    const { world, op } = site
    await signInAs(site, world, 'ada', 'session-at-op')
    op.asked.length = 0
    const forged = await logoutToken(world, {}, { signer: signer() })
    for (let i = 0; i < 700; i++) await sendLogout(world, forged)
    expect((await sendLogout(world, forged)).status).toBe(429)
    expect((await sendLogout(world, await logoutToken(world))).status).toBe(200)
    expect(await world.session()).toBeNull()
    expect(op.asked.length).toBeLessThanOrEqual(1)
  })

  test('SEC-23: above the limit cost no signature check if their claims are wrong', async () => {
    const site = backchannelSite('database')
    const { world } = site
    const forged = await logoutToken(world, {}, { signer: key('unknown') })
    for (let i = 0; i < 601; i++) await sendLogout(world, forged)
    const verify = vi.spyOn(crypto.subtle, 'verify')
    try {
      const stale = await logoutToken(world, { iat: 1 }, { signer: key('other', 'RS256', 'usual') })
      expect((await sendLogout(world, stale)).status).toBe(429)
      expect(verify).not.toHaveBeenCalled()
    } finally {
      verify.mockRestore()
    }
  })

  test('for another issuer or client cause no request for keys, and are not counted', async () => {
    const { world, op } = backchannelSite('jwt')
    for (let i = 0; i < 100; i++) {
      const claims = i % 2 === 0 ? { iss: 'https://other.example' } : { aud: 'other' }
      expect((await sendLogout(world, await logoutToken(world, claims))).status).toBe(400)
    }
    expect(op.asked).toEqual([])
    expect((await sendLogout(world, await logoutToken(world))).status).toBe(200)
  })

  test('from one network do not affect other networks', async () => {
    const refused: object[] = []
    const events = { backchannelLogoutRefused: (message: object) => void refused.push(message) }
    const { world } = backchannelSite('database', { config: { events } })
    const from = async (address: string, token: string) => {
      const request = new Request('https://app.example/auth/logout/backchannel/corp', {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      })
      return (await world.core.auth(withClientAddress(request, address), world.config)).status
    }
    const forged = await logoutToken(world, {}, { signer: key('unknown') })
    for (let i = 0; i < 60; i++) expect(await from(`192.0.2.${i}`, forged)).toBe(400)
    expect(refused).toHaveLength(60)
    expect(refused.at(-1)).toEqual({ provider: 'corp', why: 'check', check: 7 })
    expect(await from('192.0.2.200', forged)).toBe(429)
    expect(world.log.filter(({ message }) => message === 'limits-unknown-client')).toEqual([])
    expect(refused.at(-1)).toEqual({ provider: 'corp', why: 'limit' })
    expect(await from('::ffff:192.0.2.201', await logoutToken(world))).toBe(200)
    expect(await from('198.51.100.1', await logoutToken(world))).toBe(200)
    expect(await from('2001:db8:1::1', await logoutToken(world))).toBe(200)
  })
})

test('records are found by the digests of issuer, client and names', async () => {
  expect(
    await digestOf(
      'op-session',
      'https://idp.example',
      'client-1',
      '08a5019c-17e1-4977-8f42-65a12843ea02',
    ),
  ).toBe('8Lb0cDRsGW7lxAtQcKT0hFXTauy88IJpi0XkGNjBSeM')
  expect(await digestOf('logout-jti', 'https://idp.example', 'client-1', 'bWJq')).toBe(
    'aigSesYYqkyHFk61qml6hhpu9xEZBlGFvYq76z3bpD4',
  )
})

describe('OUT-12: the start is refused', () => {
  const start = (options: Parameters<typeof federatedLogout>[0], more: object = {}) =>
    createLatchkey({
      secret: 'a secret for tests, 0123456789abcdef',
      adapter: memoryAdapter(),
      providers: [corp()],
      plugins: [sessions(), federatedLogout(options)],
      ...more,
    })

  test('without the plugin `sessions`', () => {
    for (const options of [{ backchannel: true }, { frontchannel: { providers: ['corp'] } }]) {
      expect(() => start(options, { plugins: [federatedLogout(options)] })).toThrow(
        'the plugin federatedLogout needs the plugin sessions',
      )
    }
    expect(() => start({}, { plugins: [federatedLogout()], adapter: undefined })).not.toThrow()
  })

  test.each([
    [{ backchannel: { providers: ['corp', 'copr'] } }, '`backchannel` contains "copr"'],
    [{ frontchannel: { providers: ['copr'] } }, '`frontchannel` contains "copr"'],
  ])('for an unknown provider, %j', (options, message) => {
    expect(() => start(options)).toThrow(message)
    expect(() => start({ backchannel: { providers: ['corp'] } })).not.toThrow()
  })
})

/** A token with another header, and the signature as it was. */
function withHeader(token: string, header: object): string {
  const [, payload, signature] = token.split('.')
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.')
}

async function withMac(claims: object, secret: string): Promise<string> {
  const { CompactSign } = await import('jose')
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
    .sign(new TextEncoder().encode(secret))
}
