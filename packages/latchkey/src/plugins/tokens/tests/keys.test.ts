import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSite, passwordSignIn, SECRET } from '../../../../tests/attacks/support/site.ts'
import { abilitiesOf } from '../../../../tests/support/sessions-site.ts'
import { sharedStores } from '../../../../tests/support/shared-stores.ts'
import {
  API,
  DAY,
  decoded,
  ISSUER,
  keysOf,
  oneApi,
  tokenOf,
  tokensApi,
} from '../../../../tests/support/tokens-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { createTokenVerifier } from '../../../verifier/session-verifier.ts'
import { type TokensOptions, tokens } from '../index.ts'

/** Instances of one site, each a process of its own on one store, with one clock. */
async function instances(
  count: number,
  {
    options = oneApi,
    adapter = memoryAdapter(),
    secret,
  }: { options?: TokensOptions; adapter?: Adapter; secret?: string | string[] } = {},
) {
  const worlds: World[] = []
  for (let seed = 0; seed < count; seed++) {
    const { world } = await createSite({
      seed,
      strategy: 'jwt',
      adapter: { ...adapter },
      config: { plugins: [tokens(options)], ...(secret && { secret }) },
    })
    worlds.push(world)
  }
  const advance = (seconds: number) => {
    for (const world of worlds) world.advance(seconds)
  }
  return { worlds, advance, adapter }
}

const first = ([world]: readonly World[]): World => world as World
const kidOf = (token: string) => String(decoded(token).header['kid'])
const kidsOf = async (world: World) =>
  (await keysOf(world)).map((key) => (key as { kid: string }).kid)
const records = async (adapter: Adapter, kind: string) =>
  (await adapter[atomic]?.listRecords?.({ kind, limit: 100 }))?.records ?? []

describe('signing keys in records', () => {
  test('TOK-5: are one for eight processes that start at once with an empty store', async () => {
    const { worlds, adapter } = await instances(8)
    await Promise.all(worlds.map((world) => passwordSignIn(world)))
    const all = await Promise.all(worlds.map((world) => tokenOf(world)))
    expect(new Set(all.map(kidOf)).size).toBe(1)
    expect(await records(adapter, 'signing-key')).toHaveLength(1)
    for (const world of worlds) expect(await kidsOf(world)).toEqual([kidOf(all[0] ?? '')])
  })

  test('TOK-5: are one also for processes with different clocks', async () => {
    const { worlds, adapter } = await instances(2)
    worlds[0]?.advance(3600)
    await Promise.all(worlds.map((world) => passwordSignIn(world)))
    const all = [await tokenOf(first(worlds)), await tokenOf(worlds[1] as World)]
    expect(new Set(all.map(kidOf)).size).toBe(1)
    expect(await records(adapter, 'signing-key')).toHaveLength(1)
  })

  test('TOK-4: are stored sealed, bound to their record', async () => {
    const { worlds, adapter } = await instances(1)
    await passwordSignIn(first(worlds))
    await tokenOf(first(worlds))
    const [key] = await records(adapter, 'signing-key')
    expect(Object.keys(key?.data ?? {}).sort()).toEqual(['alg', 'from', 'made', 'public', 'sealed'])
    expect(key?.data['public']).not.toHaveProperty('d')
    expect(key?.userId).toBeUndefined()
    expect(key?.expires).toBeUndefined()
    expect(String(key?.data['sealed']).split('.')).toHaveLength(5)
  })

  test('T-ST-23, TOK-4: are published a day before they sign, and until their last token expired', async () => {
    const { worlds, advance, adapter } = await instances(4)
    await Promise.all(worlds.map((world) => passwordSignIn(world)))
    const [world, ...others] = worlds as [World, ...World[]]
    const before = kidOf(await tokenOf(world))

    advance(90 * DAY)
    await Promise.all(worlds.map((each) => passwordSignIn(each)))
    const during = await Promise.all(worlds.map((each) => tokenOf(each)))
    expect(new Set(during.map(kidOf))).toEqual(new Set([before]))
    const [one = '', next = '', ...more] = await kidsOf(world)
    expect([one, more]).toEqual([before, []])
    for (const other of others) expect(await kidsOf(other)).toEqual([before, next])

    advance(DAY)
    const late = await tokenOf(world)
    expect(kidOf(late)).toBe(next)
    for (const other of others) expect(kidOf(await tokenOf(other))).toBe(next)

    advance(300 + DAY - 1)
    expect(await kidsOf(world)).toEqual([before, next])
    advance(61)
    for (const each of worlds) expect(await kidsOf(each)).toEqual([next])
    expect(await records(adapter, 'signing-key')).toHaveLength(1)
  })

  test('T-ST-23: verify every token while keys change, hour by hour, for each issuer', async () => {
    const { worlds, advance } = await instances(3, {
      options: { jwt: { ...oneApi.jwt, rotateEvery: 2 * DAY, audiences: { [API]: {} } } },
    })
    const kids = new Set<string>()
    for (let hour = 0; hour < 24 * 7; hour++) {
      const issuer = worlds[hour % 3] as World
      await passwordSignIn(issuer)
      const token = await tokenOf(issuer)
      kids.add(kidOf(token))
      advance(299)
      for (const world of worlds) {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await world.otherBrowser().get('/auth/token/check', { headers })
        expect(answer.status, `hour ${hour}`).toBe(204)
      }
      advance(3600 - 299)
    }
    expect(kids.size).toBeGreaterThanOrEqual(3)
  })

  test('T-ST-23, TOK-6: are removed if they are compromised, and their tokens end', async () => {
    const { worlds, advance } = await instances(2)
    const [world, other] = worlds as [World, World]
    await passwordSignIn(world)
    await passwordSignIn(other)
    const old = await tokenOf(world)
    await tokenOf(other)
    await tokensApi(world).rotate({ compromised: true })
    const fresh = await tokenOf(world)
    expect(kidOf(fresh)).not.toBe(kidOf(old))
    expect(await kidsOf(world)).toEqual([kidOf(fresh)])
    const check = async (at: World, token: string) =>
      (await at.get('/auth/token/check', { headers: { authorization: `Bearer ${token}` } })).status
    expect(await check(world, old)).toBe(401)
    advance(2)
    // The other process does not know that key, and asks.
    expect(await check(other, fresh)).toBe(204)
    expect(await check(other, old)).toBe(401)
    expect(kidOf(await tokenOf(other))).toBe(kidOf(fresh))
  })

  test('T-ST-23, TOK-6: do not sign after they were compromised, also if they were being read just then', async () => {
    const { worlds, advance } = await instances(1)
    const world = first(worlds)
    await passwordSignIn(world)
    const old = kidOf(await tokenOf(world))
    advance(61)
    const abilities = abilitiesOf(world)
    const { getRecord } = abilities
    let isHeld = false
    const held = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    abilities.getRecord = async (...asked) => {
      const record = (await getRecord?.(...asked)) ?? null
      if (record?.key === old && !isHeld) {
        isHeld = true
        isRead.resolve()
        await held.promise
      }
      return record
    }
    const reading = keysOf(world)
    await isRead.promise
    await tokensApi(world).rotate({ compromised: true })
    held.resolve()
    await reading
    expect(kidOf(await tokenOf(world))).not.toBe(old)
    expect(await kidsOf(world)).not.toContain(old)
  })

  test('TOK-6: are published before they sign after a usual rotation', async () => {
    const { worlds, advance } = await instances(1)
    const world = first(worlds)
    await passwordSignIn(world)
    const before = kidOf(await tokenOf(world))
    await tokensApi(world).rotate()
    expect(kidOf(await tokenOf(world))).toBe(before)
    expect(await kidsOf(world)).toHaveLength(2)
    advance(DAY)
    expect(kidOf(await tokenOf(world))).not.toBe(before)
  })

  test('TOK-5: are read before they sign by a process that was away', async () => {
    const { worlds, advance } = await instances(2)
    const [world, away] = worlds as [World, World]
    await passwordSignIn(world)
    await passwordSignIn(away)
    await tokenOf(away)
    await tokensApi(world).rotate()
    advance(DAY)
    expect(kidOf(await tokenOf(away))).toBe(kidOf(await tokenOf(world)))
  })

  test('TOK-5: are replaced if they cannot be opened, and their tokens are still accepted', async () => {
    const adapter = memoryAdapter()
    const before = await instances(1, { adapter })
    await passwordSignIn(first(before.worlds))
    const old = await tokenOf(first(before.worlds))
    const after = await instances(1, { adapter, secret: 'quite another secret, 0123456789 abc' })
    const world = first(after.worlds)
    await passwordSignIn(world)
    const fresh = await tokenOf(world)
    expect(kidOf(fresh)).not.toBe(kidOf(old))
    expect(await kidsOf(world)).toEqual([kidOf(old), kidOf(fresh)])
    await tokenOf(world)
    const logged = world.log.filter(({ message }) => message.includes('is not configured any more'))
    expect(logged).toHaveLength(1)
    const both = await instances(1, {
      adapter,
      secret: ['one more secret, 0123456789 abcdef', SECRET],
    })
    await passwordSignIn(first(both.worlds))
    expect(kidOf(await tokenOf(first(both.worlds)))).toBe(kidOf(old))
  })

  test('are used without the store until the next one would sign', async () => {
    const { worlds, advance } = await instances(1)
    const world = first(worlds)
    const abilities = abilitiesOf(world)
    await passwordSignIn(world)
    const before = kidOf(await tokenOf(world))
    const { getRecord } = abilities
    abilities.getRecord = () => Promise.reject(new Error('the store is away'))
    advance(3600)
    expect(kidOf(await tokenOf(world))).toBe(before)
    advance(DAY)
    expect((await world.get('/auth/token')).status).toBe(503)
    Object.assign(abilities, { getRecord })
    expect((await world.get('/auth/token')).status).toBe(200)
  })

  test('T-ACC-47: are read again if a read of them never ends', async () => {
    const adapter = memoryAdapter()
    const abilities = adapter[atomic] ?? {}
    const { getRecord } = abilities
    const hangs = vi.fn<() => Promise<null>>(() => new Promise(() => {}))
    let isAway = false
    abilities.getRecord = async (asked) =>
      isAway && asked.kind === 'signing-keys' ? hangs() : (getRecord?.(asked) ?? null)
    const { world } = await createSite({
      strategy: 'jwt',
      adapter,
      config: { plugins: [tokens(oneApi)] },
    })
    await passwordSignIn(world)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      isAway = true
      const answer = world.get('/auth/token')
      await expect.poll(() => hangs.mock.calls).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(10_000)
      expect((await answer).status).toBe(500)
      isAway = false
      expect(await tokenOf(world)).toEqual(expect.any(String))
    } finally {
      vi.useRealTimers()
    }
  })

  test('that a stopped process left behind are removed by maintenance', async () => {
    const adapter = memoryAdapter()
    const { worlds, advance } = await instances(1, { adapter })
    const world = first(worlds)
    await passwordSignIn(world)
    await tokenOf(world)
    const [key] = await records(adapter, 'signing-key')
    if (!key) throw new Error('no key')
    await adapter[atomic]?.createRecord?.({ ...key, key: 'left' }, new Date(world.now()))
    await world.core.plan(world.config).plugins?.maintain(1000)
    expect(await records(adapter, 'signing-key')).toHaveLength(2)
    advance(3601)
    await world.core.plan(world.config).plugins?.maintain(1000)
    expect((await records(adapter, 'signing-key')).map((each) => each.key)).toEqual([key.key])
  })

  test('do not let a reader of the store make a token', async () => {
    const { worlds, adapter } = await instances(1)
    const world = first(worlds)
    await passwordSignIn(world)
    await tokenOf(world)
    const [key] = await records(adapter, 'signing-key')
    const verify = createTokenVerifier({
      issuer: ISSUER,
      audience: API,
      jwks: await keysOf(world),
    })
    for (const value of [key?.key, key?.data['sealed']])
      expect(await verify(String(value))).toBeNull()
  })
})

describe('processes that share a real store', () => {
  const stores = sharedStores('keys')
  beforeAll(stores.open)
  afterAll(stores.close)

  test.each(['PostgreSQL', 'Redis'] as const)('TOK-5: make one key on %s', async (name) => {
    const authorize = async () => ({ id: 'ada', name: 'ada' })
    const credentials = {
      id: 'credentials',
      name: 'P',
      type: 'credentials' as const,
      credentials: {},
    }
    const worlds = Array.from({ length: 8 }, (_, seed) =>
      createWorld(
        {
          adapter: stores.adapter(name),
          session: { strategy: 'jwt' },
          plugins: [tokens(oneApi)],
          providers: [{ ...credentials, authorize }],
        },
        { seed },
      ),
    )
    await Promise.all(worlds.map((world) => passwordSignIn(world)))
    const all = await Promise.all(worlds.map((world) => tokenOf(world)))
    expect(new Set(all.map(kidOf)).size).toBe(1)
    expect(await records(stores.adapter(name), 'signing-key')).toHaveLength(1)
  })
})
