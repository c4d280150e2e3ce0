import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, describe, expect, test } from 'vitest'
import { redisPush } from '../../src/adapters/redis/push.ts'
import { type PgPushPool, postgresPush } from '../../src/adapters/sql/push.ts'
import type { Push } from '../../src/model/push.ts'
import { redisUrl } from '../support/redis.ts'

const postgresUrl =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

function pool(): PgPushPool {
  const made = new pg.Pool({ connectionString: postgresUrl, max: 3 })
  // A connection that the server ends while nobody uses it.
  made.on('error', () => {})
  ends.push(() => made.end())
  return made
}

const name = `push_${crypto.randomUUID().replaceAll('-', '')}`

/** Two processes, and what the second one is told. */
async function pair(of: () => Promise<Push>) {
  const [here, there] = [await of(), await of()]
  ends.push(() => there.close())
  let hints = 0
  await there.listen(() => hints++)
  return { here, hints: () => hints }
}

const kinds: Record<string, () => Promise<Push>> = {
  PostgreSQL: async () => postgresPush(pool(), { channel: name }),
  'Redis with `redis`': async () => {
    const client = await createClient({ url: redisUrl }).connect()
    ends.push(() => client.destroy())
    return redisPush(client, { prefix: name })
  },
  'Redis with `ioredis`': async () => {
    const client = new Redis(redisUrl)
    ends.push(() => client.disconnect())
    return redisPush(client, { prefix: name })
  },
}

describe.each(Object.entries(kinds))('REV-12: a push through %s', (_, of) => {
  test('notifies its listeners, and once at the beginning, since they may have missed a message', async () => {
    const { here, hints } = await pair(of)
    expect(hints()).toBe(1)
    await here.notify(7)
    await expect.poll(hints).toBeGreaterThan(1)
  })
})

describe('REV-12: a push through PostgreSQL', () => {
  test('listens anew after its connection broke', async () => {
    const { here, hints } = await pair(async () => postgresPush(pool(), { channel: `${name}_b` }))
    const admin = new pg.Client({ connectionString: postgresUrl })
    await admin.connect()
    ends.push(() => admin.end())
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN ${name}_b'`,
    )
    await expect.poll(hints, { timeout: 5000 }).toBe(2)
    await here.notify(8)
    await expect.poll(hints).toBe(3)
  })

  test('refuses a channel that would be another statement in SQL', () => {
    expect(() => postgresPush(pool(), { channel: 'a; DROP TABLE users' })).toThrow(/channel.*DROP/)
  })

  test('fails if no process can listen, and leaves no connection behind', async () => {
    const failing = {
      query: async () => {},
      connect: async () => ({
        query: () => Promise.reject(new Error('no LISTEN here')),
        release: (destroy?: boolean) => void released.push(destroy === true),
        on: () => {},
      }),
    }
    const released: boolean[] = []
    await expect(postgresPush(failing).listen(() => {})).rejects.toThrow('no LISTEN here')
    expect(released).toEqual([true])
  })
})
