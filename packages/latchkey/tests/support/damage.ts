import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { JsonObject, RecordAbilities, RecordKey } from '../../src/model/record.ts'

/** Stores whose records a test can damage. */
export const damageableStores: Readonly<Record<string, () => Promise<Adapter>>> = {
  memory: async () => memoryAdapter(),
  async SQLite() {
    const sqlite = openNodeSqlite(':memory:')
    await migrate(sqlite, { records: true })
    return sqlAdapter(sqlite, { records: true })
  },
}

/** What is stored in place of the data of a record. */
export type Damage = (data: JsonObject) => unknown

/** Ways to damage the record of a session. */
export const damages: Readonly<Record<string, Damage>> = {
  'is not an object': () => 'half of a rec',
  'is null': () => null,
  'has no members': () => ({}),
  'has an end that is a string': (data) => ({ ...data, until: 'tomorrow' }),
  'has an end that no date can have': (data) => ({ ...data, until: 1e300 }),
  'has an epoch that is a string': (data) => ({ ...data, epo: 'first' }),
  'has rows that are not a list': (data) => ({ ...data, stored: 'row' }),
  'has an ending without a time': (data) => ({ ...data, ended: { reason: 'sign-out' } }),
  'has a device that is a list': (data) => ({ ...data, device: ['Firefox'] }),
}

/** Stores something else in place of the data of a record. */
export async function damageRecord(
  adapter: Adapter,
  key: RecordKey,
  damage: Damage,
): Promise<void> {
  const { getRecord, replaceRecord } = adapter[atomic] as Required<RecordAbilities>
  const record = await getRecord(key)
  if (!record) throw new Error(`there is no record of kind ${key.kind}`)
  const stored = damage(record.data)
  // An adapter stores an object: its JSON is another value.
  const data = { toJSON: () => stored } as unknown as JsonObject
  const isDamaged = await replaceRecord({ ...record, version: record.version + 1, data })
  if (!isDamaged) throw new Error('another call has changed the record')
}
