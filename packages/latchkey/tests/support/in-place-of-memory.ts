/** What `vitest.stores.config.ts` puts in the place of the memory adapter, so that tests of attacks run on other stores as they are. */
import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { fromNodeRedis, redisAdapter } from '../../src/adapters/redis/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { nodeSqliteStore, openDatabase } from '../../src/adapters/sql/node-sqlite-store.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import { connectRedis } from './redis.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    store: 'SQLite' | 'Redis'
    /** What the names of all keys in Redis begin with. */
    run: string
  }
}

const open = inject('store') === 'Redis' ? await redis() : await sqlite()

/** Returns an adapter for a store of its own, which is empty. */
export function memoryAdapter(): Adapter {
  return open()
}

async function sqlite(): Promise<() => Adapter> {
  const template = openDatabase(':memory:')
  await migrate(nodeSqliteStore(template), { records: true })
  const tables = template.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
  template.close()
  const schema = tables.map((row) => String(row['sql'])).join(';')
  return () => {
    const database = openDatabase(':memory:')
    database.exec(schema)
    return sqlAdapter(nodeSqliteStore(database), { records: true })
  }
}

async function redis(): Promise<() => Adapter> {
  const client = await connectRedis()
  return () => redisAdapter(fromNodeRedis(client), { prefix: `${inject('run')}:${randomUUID()}:` })
}
