import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { fromNodeRedis, redisAdapter } from '../../src/adapters/redis/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import { connectRedis, removeKeys, type TestRedis } from './redis.ts'

export const storeNames = ['memory', 'SQLite', 'PostgreSQL', 'Redis'] as const
export type StoreName = (typeof storeNames)[number]

/** Stores that several processes share: each call of `adapter` gives one an adapter object of its own. */
export function sharedStores(purpose: string) {
  const run = `latchkey_${purpose}_${randomBytes(6).toString('hex')}`
  const postgresUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'
  const memory = memoryAdapter()
  const sqlite = openNodeSqlite(':memory:')
  const server = new pg.Client(postgresUrl)
  const connectionString = Object.assign(new URL(postgresUrl), { pathname: run }).href
  const pool = new pg.Pool({ connectionString })
  // Its connections are ended with the database.
  pool.on('error', () => {})
  let redis: TestRedis

  const adapters: Record<StoreName, () => Adapter> = {
    memory: () => ({ ...memory }),
    SQLite: () => sqlAdapter(sqlite, { records: true }),
    PostgreSQL: () => sqlAdapter(pgStore(pool), { records: true }),
    Redis: () => redisAdapter(fromNodeRedis(redis), { prefix: `${run}:` }),
  }
  return {
    adapter: (name: StoreName): Adapter => adapters[name](),
    async open(): Promise<void> {
      redis = await connectRedis()
      await migrate(sqlite, { records: true })
      await server.connect()
      await server.query(`CREATE DATABASE ${run}`)
      await migrate(pgStore(pool), { records: true })
    },
    async close(): Promise<void> {
      await removeKeys(redis, run)
      await redis.close()
      await pool.end()
      await server.query(`DROP DATABASE ${run} WITH (FORCE)`)
      await server.end()
    },
  }
}
