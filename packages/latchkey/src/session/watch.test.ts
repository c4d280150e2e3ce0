import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { compileCallbacks } from '../core/compile/callbacks.ts'
import { compileSession } from '../core/compile/session.ts'
import { sessionAges } from '../core/compile/session-options.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import { atomic } from '../model/adapter.ts'
import type { JsonObject } from '../model/json.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { cookieSpecs } from '../options/cookie-policy.ts'
import { createLogger } from '../options/redacting-logger.ts'
import { createStore } from '../store/store.ts'
import type { Sessions } from './sessions.ts'
import type { Proof } from './strategy.ts'
import { type SessionHooks, type Verdict, watchOf } from './watch.ts'

const DAY = 24 * 60 * 60
const SID = /^[A-Za-z0-9_-]{22}$/
const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: null }

type Strategy = 'jwt' | 'database'

/** A browser and how its sessions are kept, with hooks of hand-made plugins. */
async function keeping(
  strategy: Strategy,
  hooks: Readonly<Record<string, SessionHooks>>,
  more: Partial<AuthConfig> = {},
) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const jar = new Map<string, string>()
  const ports = {
    now: () => clock.now,
    random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const adapter = more.adapter ?? memoryAdapter()
  const user =
    (await adapter.getUserByEmail?.(ada.email)) ?? (await adapter.createUser?.(ada)) ?? ada
  const secret = more.secret ?? 'a secret of thirty-two characters'
  const config: AuthConfig = {
    providers: [],
    secret,
    adapter,
    session: { strategy, maxAge: 30 * DAY },
    ...more,
  }
  const logged: string[] = []
  const logger = createLogger({ error: ({ message }) => void logged.push(message) }, false, console)
  const secrets = [secret].flat()
  const sessions: Sessions = compileSession(
    config,
    {
      ports,
      secrets,
      cookies: (secure) => cookieSpecs(secure, undefined),
      ...sessionAges(config),
      plainTokens: false,
      callbacks: compileCallbacks(config),
      logger,
      watch: watchOf(hooks, ports),
      tellsSignOut: false,
      emit: () => undefined,
    },
    createStore(adapter, logger),
  )
  const original = new Request('https://app.example/')
  const request: SiteRequest = {
    method: 'GET',
    origin: 'https://app.example',
    base: 'https://app.example/auth',
    query: new URLSearchParams(),
    form: {},
    original,
    secure: true,
    cookies: { get: (name: string) => jar.get(name), names: () => [...jar.keys()] },
  }
  const take = (cookies: readonly Cookie[]): void => {
    for (const { name, value, options } of cookies)
      if (options.maxAge === 0) jar.delete(name)
      else jar.set(name, value)
  }
  const proof: Proof = {
    user,
    account: { provider: 'github', providerAccountId: '1', type: 'oauth' },
    request,
    amr: ['fed'],
    authTime: 1_893_456_000,
    before: {},
    since: 1_893_456_000_000,
    kept: {},
  }
  return {
    adapter,
    clock,
    jar,
    logged,
    request,
    sessions,
    user,
    async signIn() {
      take(await sessions.issue({ user, account: proof.account }, request, proof))
    },
    async read(update?: unknown) {
      const how = update === undefined ? {} : { update: { data: update } }
      const reading = await sessions.read(request, how)
      take(reading.cookies)
      return reading
    },
    async revoke() {
      const revoked = await sessions.revoke(request)
      take(revoked.cookies)
      return revoked
    },
  }
}

/** Hooks that write down what they are told. */
function noting(told: string[], name = ''): SessionHooks {
  return {
    beforeIssue() {
      told.push(`${name}beforeIssue`)
      return undefined
    },
    afterIssue: () => void told.push(`${name}afterIssue`),
    onEnd: (_, reason) => void told.push(`${name}onEnd ${reason}`),
  }
}

describe.each(['jwt', 'database'] as const)('sessions kept by %s, with hooks', (strategy) => {
  test('have the same name at each read, and differ from each other', async () => {
    const kept = await keeping(strategy, { a: {} })
    await kept.signIn()
    const first = await kept.sessions.current(kept.request)
    expect(await first?.facts.sid()).toMatch(SID)
    expect(first?.user).toMatchObject({ id: kept.user.id, name: 'Ada' })
    expect(first?.facts).toMatchObject({ strategy, userId: kept.user.id })
    expect(first?.facts.expires).toBe(kept.clock.now + 30 * DAY * 1000)
    kept.clock.now += 2 * DAY * 1000
    expect((await kept.read()).cookies).not.toEqual([])
    const later = await kept.sessions.current(kept.request)
    expect(await later?.facts.sid()).toBe(await first?.facts.sid())
    kept.jar.clear()
    await kept.signIn()
    const other = await kept.sessions.current(kept.request)
    expect(await other?.facts.sid()).not.toBe(await first?.facts.sid())
  })

  test('that a plugin ended sign nobody in, and their cookie is cleared', async () => {
    let verdict: 'good' | 'ended' = 'good'
    const kept = await keeping(strategy, { a: { onRead: () => verdict } })
    await kept.signIn()
    expect((await kept.read()).session).toMatchObject({ user: { name: 'Ada' } })
    verdict = 'ended'
    const { jar } = kept
    expect(jar.size).toBe(1)
    expect(await kept.read()).toMatchObject({ session: null, expired: false })
    expect(jar.size).toBe(0)
  })

  test.each(['current', 'currentUser', 'revoke'] as const)(
    'call the hooks for %s',
    async (method) => {
      const asked: boolean[] = []
      const told: string[] = []
      const onRead: SessionHooks['onRead'] = (_, { readOnly }) => {
        asked.push(readOnly)
        return 'ended'
      }
      const kept = await keeping(strategy, { a: { ...noting(told), onRead } })
      await kept.signIn()
      const answer = await kept.sessions[method](kept.request)
      expect(method === 'revoke' ? Object(answer).ended : answer).toBe(
        method === 'revoke' ? undefined : null,
      )
      expect(asked).toEqual([true])
      expect(told).toEqual(['beforeIssue', 'afterIssue'])
    },
  )

  test('of which a plugin is unsure are confirmed', async () => {
    let verdict: Verdict = 'good'
    const hooks: SessionHooks = { onRead: async () => 'unsure' as const, confirm: () => verdict }
    const kept = await keeping(strategy, { a: hooks })
    await kept.signIn()
    expect((await kept.read()).session).not.toBeNull()
    verdict = 'ended'
    expect((await kept.read()).session).toBeNull()
    expect(kept.jar.size).toBe(0)
  })

  test('that cannot be confirmed are unavailable, and are not signed out', async () => {
    const confirm = (): Verdict => {
      throw new Error('the log is away')
    }
    const kept = await keeping(strategy, { a: { onRead: () => 'unsure', confirm } })
    await kept.signIn()
    expect(await kept.read()).toMatchObject({ session: null, cookies: [], failed: true })
    expect(kept.jar.size).toBe(1)
    expect(kept.logged.join()).toContain('the log is away')
    await expect(kept.sessions.current(kept.request)).rejects.toThrow('the log is away')
    await expect(kept.sessions.currentUser(kept.request)).rejects.toThrow('the log is away')
    // Whoever signs out has signed out, whatever can be found out.
    if (strategy === 'jwt') expect(await kept.revoke()).toMatchObject({ ended: { token: {} } })
    else await expect(kept.revoke()).rejects.toThrow('the log is away')
  })

  test.each(['extend', 'later', 'ended'] as const)(
    'are extended as plugins decide: %s',
    async (verdict) => {
      const asked: number[] = []
      const onExtend: SessionHooks['onExtend'] = (_, until) => {
        asked.push(until)
        return verdict
      }
      const kept = await keeping(strategy, { a: { onExtend } })
      await kept.signIn()
      const before = await kept.sessions.current(kept.request)
      await kept.read()
      expect(asked).toEqual([])
      kept.clock.now += 2 * DAY * 1000
      const { session, cookies } = await kept.read()
      expect(asked).toEqual([kept.clock.now + 30 * DAY * 1000])
      const after = await kept.sessions.current(kept.request)
      expect([
        session !== null,
        cookies.length,
        (after?.facts.expires ?? 0) - (before?.facts.expires ?? 0),
      ]).toEqual(
        {
          extend: [true, 1, 2 * DAY * 1000],
          later: [true, 0, 0],
          ended: [false, 1, -(before?.facts.expires ?? 0)],
        }[verdict],
      )
    },
  )

  test('that end are reported to all plugins, in their order', async () => {
    const told: string[] = []
    const kept = await keeping(strategy, { a: noting(told, 'a '), b: noting(told, 'b ') })
    await kept.signIn()
    expect(told.splice(0)).toEqual([
      'a beforeIssue',
      'b beforeIssue',
      'a afterIssue',
      'b afterIssue',
    ])
    const first = await kept.sessions.current(kept.request)
    await kept.signIn()
    expect(told.splice(0).slice(4)).toEqual(['a onEnd replaced', 'b onEnd replaced'])
    expect(await first?.facts.sid()).toMatch(SID)
    await kept.revoke()
    expect(told).toEqual(['a onEnd sign-out', 'b onEnd sign-out'])
    expect(kept.jar.size).toBe(0)
  })

  test.each(['beforeIssue', 'afterIssue'] as const)('never begin if %s refuses', async (name) => {
    const ended: string[] = []
    const kept = await keeping(strategy, {
      a: { onEnd: async (session, reason) => void ended.push(`${await session.sid()} ${reason}`) },
      b: {
        [name]: () => {
          throw new Error('refused')
        },
        onEnd: () => {
          throw new Error('the second reason')
        },
      },
    })
    await expect(kept.signIn()).rejects.toThrow('refused')
    expect(kept.jar.size).toBe(0)
    expect(ended).toEqual([expect.stringMatching(/^\S{22} failed$/)])
    expect((await kept.adapter[atomic]?.listSessionsByUserId?.(kept.user.id)) ?? []).toEqual([])
  })
})

describe('the claims of a sealed session', () => {
  const given: SessionHooks = { claims: ['epo'], beforeIssue: () => ({ epo: 7 }) }

  test('have its name, the time and methods of the proof, and claims of plugins', async () => {
    const kept = await keeping('jwt', { a: given })
    await kept.signIn()
    const { facts } = (await kept.sessions.current(kept.request)) ?? {}
    expect(await facts?.known()).toMatchObject({
      sid: expect.stringMatching(SID),
      auth_time: 1_893_456_000,
      amr: ['fed'],
      epo: 7,
    })
  })

  const changes: readonly (readonly [string, (token: JsonObject) => JsonObject])[] = [
    ['drops them', ({ sid, amr, epo, ...token }) => (sid && amr && epo ? token : {})],
    ['changes them', (token) => ({ ...token, sid: 'mine', epo: 8 })],
    [
      'changes one within',
      (token) => {
        ;(token['amr'] as string[]).push('mfa')
        return token
      },
    ],
    [
      'makes a token of its own',
      ({ sub = '', name = '', email = '', iat = 0, exp = 0, jti = '' }) => ({
        name,
        email,
        picture: null,
        sub,
        iat,
        exp,
        jti,
      }),
    ],
  ]
  test.each(changes)('stay in their place if the `jwt` callback %s', async (_, change) => {
    const kept = await keeping(
      'jwt',
      { a: given },
      {
        callbacks: { jwt: ({ token, trigger }) => (trigger ? token : change(token as JsonObject)) },
      },
    )
    await kept.signIn()
    const { known } = (await kept.sessions.current(kept.request))?.facts ?? {}
    const before = await known?.()
    // An unchanged text is how a read knows that nothing is to be written.
    expect((await kept.read()).cookies).toEqual([])
    kept.clock.now += 2 * DAY * 1000
    expect((await kept.read()).cookies).toHaveLength(1)
    const after = await (await kept.sessions.current(kept.request))?.facts.known()
    expect(before?.amr).toEqual(['fed'])
    const { sid, auth_time, amr, epo } = { ...before }
    expect(after).toMatchObject({ sid, auth_time, amr, epo })
  })

  test('are missing in an older token, which is named by its hash and keeps that name', async () => {
    const adapter = memoryAdapter()
    const before = await keeping('jwt', {}, { adapter })
    await before.signIn()
    const now = await keeping('jwt', { a: {} }, { adapter })
    for (const [name, value] of before.jar) now.jar.set(name, value)
    const name = await (await now.sessions.current(now.request))?.facts.sid()
    expect(name).toMatch(SID)
    now.clock.now += 2 * DAY * 1000
    await now.read()
    const { facts } = (await now.sessions.current(now.request)) ?? {}
    expect(await facts?.sid()).toBe(name)
    expect(await facts?.known()).toMatchObject({ sid: name })
  })
})

describe('a stored session', () => {
  test('has the facts that a plugin stores, read once and only on demand', async () => {
    let reads = 0
    const known: SessionHooks['known'] = () => {
      reads++
      return { amr: ['fed'], auth_time: 5 }
    }
    const kept = await keeping('database', { a: {}, b: { known } })
    await kept.signIn()
    const { facts } = (await kept.sessions.current(kept.request)) ?? {}
    expect(reads).toBe(0)
    expect(await facts?.known()).toEqual({ amr: ['fed'], auth_time: 5 })
    await facts?.known()
    expect(reads).toBe(1)
  })

  test('that has expired is reported when it is found', async () => {
    const told: string[] = []
    const kept = await keeping('database', { a: noting(told) })
    await kept.signIn()
    kept.clock.now += 31 * DAY * 1000
    expect(await kept.read()).toMatchObject({ session: null, expired: true })
    expect(told.at(-1)).toBe('onEnd idle')
  })

  test('gets another key with a new secret, reported before and after, and keeps its name', async () => {
    const adapter = memoryAdapter()
    const old = 'an old secret of thirty-two characters'
    const before = await keeping('database', { a: {} }, { adapter, secret: old })
    await before.signIn()
    const name = await (await before.sessions.current(before.request))?.facts.sid()
    const renamed: string[] = []
    let refuses = true
    const onRename: SessionHooks['onRename'] = async (session, to, when) => {
      renamed.push(`${when} ${session.key === to} ${await session.sid()}`)
      if (refuses) throw new Error('not now')
    }
    const secret = ['a new secret of thirty-two characters', old]
    const after = await keeping('database', { a: { onRename } }, { adapter, secret })
    for (const [cookie, value] of before.jar) after.jar.set(cookie, value)
    expect((await after.read()).session).not.toBeNull()
    expect(renamed.splice(0)).toEqual([`before false ${name}`])
    refuses = false
    expect((await after.read()).session).not.toBeNull()
    expect(renamed).toEqual([`before false ${name}`, `after false ${name}`])
    const now = await after.sessions.current(after.request)
    expect(await now?.facts.sid()).toBe(name)
    await after.read()
    expect(renamed).toHaveLength(2)
  })
})

test('a sealed session from before plugins keeps its name from its next read on', async () => {
  const before = await keeping('jwt', {})
  await before.signIn()
  const after = await keeping('jwt', { a: {} }, { adapter: before.adapter })
  for (const [cookie, value] of before.jar) after.jar.set(cookie, value)
  const named = await (await after.sessions.current(after.request))?.facts.sid()
  expect(named).toMatch(SID)
  expect((await after.read()).cookies).not.toEqual([])
  const { facts } = (await after.sessions.current(after.request)) ?? {}
  expect(await facts?.sid()).toBe(named)
  expect((await after.read()).cookies).toEqual([])
})

test('without hooks there is no watch, and a session still has facts', async () => {
  expect(watchOf({}, { random: (length) => new Uint8Array(length) })).toBeUndefined()
  for (const strategy of ['jwt', 'database'] as const) {
    const kept = await keeping(strategy, {})
    await kept.signIn()
    const { facts, user } = (await kept.sessions.current(kept.request)) ?? {}
    expect(await facts?.sid()).toMatch(SID)
    expect(user?.name).toBe('Ada')
  }
})
