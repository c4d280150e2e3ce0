import { createRequire } from 'node:module'
import { drizzle } from 'drizzle-orm/sql-js'
import { atomic } from 'latchkey/adapters'
import { drizzleAdapter } from 'latchkey/adapters/drizzle'
import * as schema from 'latchkey/adapters/drizzle/sqlite-schema'
import { expect, test } from 'vitest'
import { record as sqliteRecord } from '../../../packages/latchkey/src/adapters/drizzle/sqlite-record.ts'
import { describeAdapter } from '../../../packages/latchkey/tests/contracts/adapter-contract.ts'
import { createTables } from '../../../packages/latchkey/tests/support/drizzle-tables.ts'

/** What is used of sql.js, which comes without types. */
interface Engine {
  Database: new () => { run(statement: string): unknown; close(): void }
}

const tables = { ...schema, record: sqliteRecord }

const load = createRequire(import.meta.url)('sql.js') as () => Promise<Engine>
const { Database } = await load()

/** A database in memory whose driver answers at once, as better-sqlite3 and that of Bun do. */
function open() {
  const database = new Database()
  database.run('PRAGMA foreign_keys = ON')
  for (const statement of createTables(Object.values(tables))) database.run(statement)
  return { database, adapter: drizzleAdapter(drizzle(database as never), tables) }
}

describeAdapter(
  'Drizzle on a synchronous driver',
  async () => {
    const { database, adapter } = open()
    return { ...adapter, [Symbol.asyncDispose]: async () => database.close() }
  },
  { without: ['transaction'] },
)

test('a driver that cannot await offers no transaction', () => {
  const { database, adapter } = open()
  expect(adapter[atomic]).not.toHaveProperty('transaction')
  database.close()
})
