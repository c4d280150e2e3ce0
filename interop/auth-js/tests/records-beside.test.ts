import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../../packages/latchkey/src/adapters/memory/index.ts'
import { migrate, sqlRecords } from '../../../packages/latchkey/src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../../packages/latchkey/src/adapters/sql/node-sqlite.ts'
import type { Adapter } from '../../../packages/latchkey/src/model/adapter.ts'
import type { PluginRecord } from '../../../packages/latchkey/src/model/record.ts'
import { createStore } from '../../../packages/latchkey/src/store/store.ts'
import { type Store, stores } from './support/stores.ts'

/** Published adapters, in front of a driver, of a query builder and of a mapper. */
const PUBLISHED = ['@auth/pg-adapter', '@auth/kysely-adapter', '@auth/drizzle-adapter']

const silent = { error() {}, warn() {}, debug() {} }
const now = new Date('2030-01-01T00:00:00.123Z')

async function inSqlite() {
  const database = openNodeSqlite(':memory:')
  await migrate(database, { records: 'only' })
  return { records: sqlRecords(database), close: () => database.close() }
}

describe.each(PUBLISHED)('records beside %s', (name) => {
  let store: Store | undefined
  beforeAll(async () => {
    store = await stores.find(({ packageName }) => packageName === name)?.open()
  })
  afterAll(() => store?.close())

  test.each([
    ['in memory', async () => ({ records: memoryAdapter(), close: async () => {} })],
    ['in SQLite', inSqlite],
  ] as const)('are kept %s, and deleted with the user', async (_, open) => {
    await store?.clear()
    const { records, close } = await open()
    const adapter = store?.adapter as Adapter
    const both = createStore(adapter, silent, records)
    const ada = await both.createUser({
      id: randomUUID(),
      email: 'ada@x.example',
      emailVerified: null,
    })
    const record: PluginRecord = {
      kind: 'password',
      key: 'ada',
      // Some of them give numbers.
      userId: String(ada.id),
      data: { hash: 'h' },
      version: 1,
      createdAt: now,
    }
    expect(await both.atomic.createRecord?.(record, now)).toBe(true)
    expect(await both.atomic.createRecord?.(record, now)).toBe(false)
    expect(await both.atomic.getRecord?.(record)).toEqual(record)
    await both.deleteUser(ada.id)
    expect(await both.getUser(ada.id)).toBeNull()
    expect(await both.atomic.getRecord?.(record)).toBeNull()
    await close()
  })
})
