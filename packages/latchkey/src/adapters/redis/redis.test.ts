import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { Redis as Upstash } from '@upstash/redis'
import { Redis as Ioredis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAdapter } from '../../../tests/contracts/adapter-contract.ts'
import { expectApart } from '../../../tests/contracts/apart.ts'
import {
  connectRedis,
  redisUrl,
  removeKeys,
  startUpstashFront,
  type TestRedis,
} from '../../../tests/support/redis.ts'
import { type RedisCluster, startRedisCluster } from '../../../tests/support/redis-cluster.ts'
import { atomic } from '../../model/adapter.ts'
import type { AdapterUser } from '../../model/user.ts'
import {
  type CompleteAdapter,
  checkAdapter,
  interruptible,
  type OpenedAdapter,
} from '../../testing/adapter/index.ts'
import { fromIoredis, fromNodeRedis, fromUpstash, type RedisClient, redisAdapter } from './index.ts'

const run = `latchkey-test-${randomBytes(6).toString('hex')}`
let redis: TestRedis
let ioredis: Ioredis
let front: Awaited<ReturnType<typeof startUpstashFront>>
beforeAll(async () => {
  redis = await connectRedis()
  ioredis = new Ioredis(redisUrl)
  front = await startUpstashFront(redis)
})
afterAll(async () => {
  await removeKeys(redis, run)
  ioredis.disconnect()
  await front[Symbol.asyncDispose]()
  await redis.close()
})

let stores = 0
/** Opens an adapter without any keys. */
function open(client: RedisClient = fromNodeRedis(redis)) {
  const prefix = `${run}:{${++stores}}:`
  const adapter = redisAdapter(client, { prefix }) as CompleteAdapter
  return { prefix, adapter, atomic: adapter[atomic] }
}

const upstash = (enableAutoPipelining = true) =>
  new Upstash({ url: front.url, token: 'token', enableTelemetry: false, enableAutoPipelining })

/** The second client of a store is of another package. */
function openTwo(client: RedisClient, other: RedisClient): OpenedAdapter {
  const { prefix, adapter } = open(client)
  return { ...adapter, again: async () => redisAdapter(other, { prefix }) }
}

const without = { without: ['transaction'] } as const
describeAdapter(
  'Redis (redis)',
  async () => openTwo(fromNodeRedis(redis), fromIoredis(ioredis)),
  // A client that is not connected.
  {
    ...without,
    failing: async () => redisAdapter(fromNodeRedis(createClient())),
    async interruptible() {
      // Scripts may change something, so each one counts as a change.
      const { wrap, interrupt } = interruptible((method) => method.startsWith('eval'))
      return { ...open(wrap(fromNodeRedis(redis))).adapter, interrupt }
    },
  },
)
describeAdapter(
  'Redis (ioredis)',
  async () => openTwo(fromIoredis(ioredis), fromUpstash(upstash())),
  without,
)
describeAdapter(
  'Redis (@upstash/redis)',
  async () => openTwo(fromUpstash(upstash()), fromNodeRedis(redis)),
  without,
)

const ada: AdapterUser = { id: '1', name: 'Ada', email: 'ada@x.example', emailVerified: null }
const HOUR = 3_600_000
const inAnHour = () => new Date(Date.now() + HOUR)

async function keysOf(prefix: string): Promise<string[]> {
  const pattern = prefix.replaceAll(/[{}]/g, '\\$&')
  return (await redis.keys(`${pattern}*`)).map((key) => key.slice(prefix.length)).toSorted()
}

describe('in Redis', () => {
  test('an invalid date is refused, and leaves nothing', async () => {
    const { prefix, adapter, atomic } = open()
    await adapter.createUser(ada)
    const before = await keysOf(prefix)
    const [now, none] = [new Date(), new Date(Number.NaN)]
    await expect(
      adapter.createSession({ sessionToken: 's', userId: '1', expires: none }),
    ).rejects.toThrow(RangeError)
    await expect(atomic.countAttempt({ key: 'k', limit: 1, now, expires: none })).rejects.toThrow(
      RangeError,
    )
    expect(await keysOf(prefix)).toEqual(before)
  })

  test('sessions and verification tokens expire an hour after their end', async () => {
    const { prefix, adapter } = open()
    const expires = inAnHour()
    await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: 's', userId: '1', expires })
    await adapter.createVerificationToken({ identifier: 'a', token: 't', expires })
    for (const key of [
      'user:session:s',
      'user:session:by-user-id:1',
      'user:token:a:t',
      'user:token:by-identifier:a',
    ]) {
      expect(await redis.pExpireTime(prefix + key)).toBe(expires.getTime() + HOUR)
    }
    const later = new Date(expires.getTime() + HOUR)
    await adapter.updateSession({ sessionToken: 's', expires: later })
    for (const key of ['user:session:s', 'user:session:by-user-id:1']) {
      expect(await redis.pExpireTime(prefix + key)).toBe(later.getTime() + HOUR)
    }
    expect(await redis.ttl(`${prefix}user:1`)).toBe(-1)
  })

  test('records are removed with all keys that lead to them', async () => {
    const { prefix, adapter, atomic } = open()
    const record = { kind: 'k', data: {}, version: 1, createdAt: new Date(), expires: inAnHour() }
    for (const key of ['taken', 'over', 'owned']) {
      expect(await atomic.createRecord({ ...record, key, userId: '1' }, new Date())).toBe(true)
    }
    await atomic.takeRecord({ kind: 'k', key: 'taken' })
    const over = { ...record, key: 'over', userId: '1', version: 2, expires: new Date(1) }
    await atomic.replaceRecord(over)
    expect(await atomic.cleanup({ now: new Date(), batch: 5 })).toBe(1)
    await adapter.deleteUser('1')
    expect(await keysOf(prefix)).toEqual([])
  })

  test('records that expired long ago are removed with the next creation', async () => {
    const { atomic } = open()
    const record = { kind: 'k', key: 'a', data: {}, version: 1, createdAt: new Date(0) }
    const over = new Date(Date.now() - 2 * HOUR)
    await atomic.createRecord({ ...record, expires: over }, new Date(0))
    expect(await atomic.getRecord(record)).not.toBeNull()
    await atomic.createRecord({ ...record, key: 'b' }, new Date())
    expect(await atomic.getRecord(record)).toBeNull()
    expect(await atomic.listRecords({ kind: 'k', limit: 5 })).toMatchObject({
      records: [{ key: 'b' }],
    })
  })

  test('attempts have an expiry of their own', async () => {
    const { prefix, atomic } = open()
    const expires = inAnHour()
    await atomic.countAttempt({ key: 'k', limit: 2, now: new Date(), expires })
    await atomic.countAttempt({ key: 'k', limit: 2, now: new Date(), expires: new Date() })
    expect(await redis.pExpireTime(`${prefix}user:attempts:k`)).toBe(expires.getTime() + HOUR)
  })

  test('T-SESS-5: the sessions of a user are removed with all keys that lead to them', async () => {
    const { prefix, adapter, atomic } = open()
    await adapter.createUser(ada)
    for (const sessionToken of ['a', 'b', 'c']) {
      await adapter.createSession({ sessionToken, userId: '1', expires: inAnHour() })
    }
    await atomic.renameSession('b', 'd')
    expect(await atomic.deleteSessionsByUserId('1', 'd')).toBe(2)
    expect(await redis.zRange(`${prefix}user:session:by-user-id:1`, 0, -1)).toEqual([
      `${prefix}user:session:d`,
    ])
    expect(await atomic.deleteSessionsByUserId('1')).toBe(1)
    expect(await keysOf(prefix)).toEqual(['user:1', 'user:email:ada@x.example', 'user:index:users'])
  })

  test('T-LINK-8: nothing is left of a deleted user', async () => {
    const { prefix, adapter } = open()
    await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: 's', userId: '1', expires: inAnHour() })
    await adapter.linkAccount({
      userId: '1',
      type: 'webauthn',
      provider: 'passkey',
      providerAccountId: 'c',
    })
    await adapter.createAuthenticator({
      credentialID: 'c',
      userId: '1',
      providerAccountId: 'c',
      credentialPublicKey: 'key',
      counter: 0,
      credentialDeviceType: 'singleDevice',
      credentialBackedUp: false,
    })
    const identifier = ada.email
    await adapter.createVerificationToken({ identifier, token: 't', expires: inAnHour() })
    await adapter.deleteUser('1')
    expect(await keysOf(prefix)).toEqual([])
  })

  test('a session that expired in the store leaves the list of its user', async () => {
    const { prefix, adapter, atomic } = open()
    await adapter.createUser(ada)
    for (const sessionToken of ['a', 'b']) {
      await adapter.createSession({ sessionToken, userId: '1', expires: inAnHour() })
    }
    await redis.del(`${prefix}user:session:a`)
    expect(await atomic.listSessionsByUserId('1')).toMatchObject([{ sessionToken: 'b' }])
    expect(await redis.zCard(`${prefix}user:session:by-user-id:1`)).toBe(1)
  })

  test('the list of all sessions does not grow with expired ones', async () => {
    const { prefix, adapter } = open()
    await adapter.createUser(ada)
    for (let index = 0; index < 10; index++) {
      await redis.zAdd(`${prefix}user:index:sessions`, { score: index, value: `gone-${index}` })
    }
    for (const sessionToken of ['a', 'b', 'c']) {
      await adapter.createSession({ sessionToken, userId: '1', expires: inAnHour() })
    }
    expect(await redis.zCard(`${prefix}user:index:sessions`)).toBe(3)
  })

  test('keys are those of the adapters for @auth/core, unless they would have two meanings', async () => {
    const { prefix, adapter } = open()
    await adapter.createUser(ada)
    const account = {
      userId: '1',
      type: 'oauth',
      provider: 'acme',
      providerAccountId: 'a:b',
    } as const
    await adapter.linkAccount(account)
    await adapter.linkAccount({ ...account, provider: 'a:b', providerAccountId: 'c' })
    await adapter.linkAccount({ ...account, provider: 'by-user-id', providerAccountId: '1' })
    await adapter.createSession({ sessionToken: 'by-user-id:1', userId: '1', expires: inAnHour() })
    await adapter.createUser({ ...ada, id: 'email:ada@x.example', email: 'b@x.example' })
    expect(await keysOf(prefix)).toEqual(
      [
        'user:1',
        'user:account:%62y-user-id:1',
        'user:account:a%3Ab:c',
        'user:account:acme:a:b',
        'user:account:by-user-id:1',
        'user:email%3Aada@x.example',
        'user:email:ada@x.example',
        'user:email:b@x.example',
        'user:index:sessions',
        'user:index:users',
        'user:session:by-user-id%3A1',
        'user:session:by-user-id:1',
      ].toSorted(),
    )
    expect(JSON.parse((await redis.get(`${prefix}user:account:acme:a:b`)) ?? '')).toEqual({
      ...account,
      id: 'acme:a:b',
    })
  })

  test('a user without an address does not block others', async () => {
    const { adapter } = open()
    const nameless = { ...ada, email: null as unknown as string }
    await adapter.createUser(nameless)
    await adapter.createUser({ ...nameless, id: '2' })
    await adapter.updateUser({ id: '2', email: 'b@x.example' })
    expect(await adapter.getUserByEmail('b@x.example')).toMatchObject({ id: '2' })
    await adapter.updateUser({ id: '2', email: nameless.email })
    expect(await adapter.getUserByEmail('b@x.example')).toBeNull()
  })

  test('a name that ends within a character does no harm', async () => {
    const { adapter } = open()
    await adapter.createUser({ ...ada, name: 'Ada \u{1F9D1}'.slice(0, 5) })
    await adapter.updateUser({ id: '1', image: '\udc00' })
    const user = { name: 'Ada \ufffd', image: '\ufffd' }
    expect(await adapter.getUserByEmail(ada.email)).toMatchObject(user)
    expect(await adapter.deleteUser('1')).toMatchObject(user)
  })

  test('a list in a record is read as it was written, also if it is empty', async () => {
    const { adapter } = open()
    const given = { ...ada, roles: [], big: 2 ** 53 - 1, tiny: 0.1 }
    await adapter.createUser(given)
    expect(await adapter.updateUser({ id: '1', name: 'A' })).toEqual({
      ...given,
      name: 'A',
      image: null,
    })
  })
})

describe('data of another adapter for @auth/core in Redis', () => {
  const put = (prefix: string, rows: Record<string, unknown>) =>
    Promise.all(
      Object.entries(rows).map(([key, row]) =>
        redis.set(prefix + key, typeof row === 'string' ? row : JSON.stringify(row)),
      ),
    )

  async function peer() {
    const opened = open()
    const { prefix } = opened
    const account = { provider: 'acme', type: 'oauth', providerAccountId: '7', userId: '1' }
    await put(prefix, {
      'user:1': { ...ada, emailVerified: '2026-02-03T04:05:06.789Z' },
      'user:email:ada@x.example': '1',
      'user:account:acme:7': { ...account, id: 'acme:7' },
      'user:account:by-user-id:1': `${prefix}user:account:acme:7`,
      'user:session:s': { sessionToken: 's', userId: '1', expires: '2030-01-01T00:00:00.123Z' },
      'user:session:by-user-id:1': `${prefix}user:session:s`,
      'user:token:a@x.example:t': {
        identifier: 'a@x.example',
        token: 't',
        expires: '2030-01-01T00:00:00.123Z',
      },
      'authenticator:Yw==': { credentialID: 'Yw==', userId: '1', counter: 0 },
      'authenticator:Zg==': { credentialID: 'Zg==', userId: '1', counter: 0 },
      'authenticator:by-user-id:1': ['Zg==', 'Yw=='],
    })
    return opened
  }

  test('is read as users, accounts and sessions', async () => {
    const { adapter, atomic } = await peer()
    const user = { ...ada, image: null, emailVerified: new Date('2026-02-03T04:05:06.789Z') }
    const expires = new Date('2030-01-01T00:00:00.123Z')
    expect(await adapter.getUserByEmail('ada@x.example')).toEqual(user)
    expect(await adapter.getUserByAccount({ provider: 'acme', providerAccountId: '7' })).toEqual(
      user,
    )
    expect(await adapter.getAccount('7', 'acme')).toMatchObject({ userId: '1', access_token: null })
    const session = { sessionToken: 's', userId: '1', expires }
    expect(await adapter.getSessionAndUser('s')).toEqual({ session, user })
    expect(await adapter.useVerificationToken({ identifier: 'a@x.example', token: 't' })).toEqual({
      identifier: 'a@x.example',
      token: 't',
      expires,
    })
    expect(await adapter.listAuthenticatorsByUserId('1')).toHaveLength(2)
    expect(await atomic.listSessionsByUserId('1')).toEqual([session])
    expect(await atomic.listAccountsByUserId('1')).toMatchObject([{ providerAccountId: '7' }])
  })

  test('is kept beside newer data, and removed with it', async () => {
    const { prefix, adapter, atomic } = await peer()
    const expires = inAnHour()
    await adapter.createSession({ sessionToken: 's2', userId: '1', expires })
    expect(await redis.ttl(`${prefix}user:session:by-user-id:1`)).toBe(-1)
    const account = {
      userId: '1',
      type: 'oauth',
      provider: 'acme',
      providerAccountId: '8',
    } as const
    await adapter.linkAccount(account)
    expect(await atomic.listSessionsByUserId('1')).toHaveLength(2)
    expect(await atomic.listAccountsByUserId('1')).toHaveLength(2)
    await adapter.deleteUser('1')
    expect(await keysOf(prefix)).toEqual(['user:token:a@x.example:t'])
  })

  test('is ignored if it is left over: the key of an old address, an account without a user', async () => {
    const { prefix, adapter } = open()
    await put(prefix, {
      'user:1': ada,
      'user:email:old@x.example': '1',
      'user:email:gone@x.example': '9',
      'user:account:acme:7': { provider: 'acme', providerAccountId: '7', userId: '9' },
    })
    expect(await adapter.getUserByEmail('old@x.example')).toBeNull()
    await adapter.createUser({ ...ada, id: '2', email: 'old@x.example' })
    await adapter.createUser({ ...ada, id: '3', email: 'gone@x.example' })
    await adapter.linkAccount({
      userId: '3',
      type: 'oauth',
      provider: 'acme',
      providerAccountId: '7',
    })
    expect(
      await adapter.getUserByAccount({ provider: 'acme', providerAccountId: '7' }),
    ).toMatchObject({ id: '3' })
  })
})

describe('a failure in Redis', () => {
  const secret = 'the-secret-token'

  const clients: Record<string, () => RedisClient> = {
    redis: () => fromNodeRedis(redis),
    ioredis: () => fromIoredis(ioredis),
    '@upstash/redis': () => fromUpstash(upstash()),
    '@upstash/redis, one call after the other': () => fromUpstash(upstash(false)),
  }

  test.each(Object.keys(clients))('of %s has no values in its message', async (name) => {
    const { prefix, adapter } = open(clients[name]?.())
    await redis.lPush(`${prefix}user:session:${secret}`, 'no text')
    const error = await Promise.resolve(adapter.getSessionAndUser(secret)).catch((why) => why)
    expect(String(error)).toContain('WRONGTYPE')
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret)
  })

  test('of the server is not the same as no result', async () => {
    const { adapter } = open({
      eval: async () => undefined,
      evalSha: async () => {
        throw new Error('READONLY You can not write against a read only replica.')
      },
    })
    await expect(Promise.resolve(adapter.getUser('1'))).rejects.toThrow('READONLY')
  })

  test.each(Object.keys(clients))(
    'of a forgotten script is repaired by sending it once more with %s',
    async (name) => {
      const { adapter } = open(clients[name]?.())
      await adapter.createUser(ada)
      await redis.scriptFlush()
      expect(await adapter.getUser('1')).toMatchObject(ada)
    },
  )
})

test('a client that changes keys by itself is refused', () => {
  const client = new Ioredis(redisUrl, { keyPrefix: 'app:', lazyConnect: true })
  expect(() => fromIoredis(client)).toThrow('`prefix`')
})

test('creating an adapter sends no request to the server', () => {
  const never = () => {
    throw new Error('it was asked')
  }
  expect(redisAdapter({ eval: never, evalSha: never })).toHaveProperty('createUser')
})

test('T-DATA-5: two prefixes share nothing', async () => {
  await expectApart(open().adapter, open().adapter)
})

describe('a cluster of Redis', () => {
  let cluster: RedisCluster | undefined
  let client: Awaited<ReturnType<typeof connectCluster>> | undefined
  const connectCluster = async (urls: readonly string[]) =>
    createCluster({ rootNodes: urls.map((url) => ({ url })) }).connect()

  beforeAll(async () => {
    cluster = await startRedisCluster().catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && !process.env['CI']) return undefined
      throw error
    })
    if (cluster) client = await connectCluster(cluster.urls)
  })
  afterAll(async () => {
    await client?.close()
    await cluster?.[Symbol.asyncDispose]()
  })

  test('passes the contract, with a hash tag in the prefix', async ({ skip }) => {
    if (!client) return skip('there is no redis-server to start')
    const through = fromNodeRedis(client)
    let tag = 0
    const results = await checkAdapter(async () => redisAdapter(through, { prefix: `{${++tag}}:` }))
    expect(results.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'kept').length).toBeGreaterThan(60)
  })

  test('PUB-8: refuses scripts whose keys have no common tag, and names the option', async ({
    skip,
  }) => {
    if (!client) return skip('there is no redis-server to start')
    const adapter = redisAdapter(fromNodeRedis(client), { prefix: 'app:' })
    const error = await Promise.resolve(adapter.createUser?.(ada)).catch(String)
    expect(error).toContain('CROSSSLOT')
    expect(error).toContain('set `prefix` to one with a hash tag, for example `{app}:`')
  })
})
