import type { PluginRecord, RecordAbilities, RecordKey } from '../../model/record.ts'
import { checkPage } from '../paging.ts'
import { fromStored, isOver, type StoredRecord, toStored } from '../plugin-records.ts'
import type { Item } from './client.ts'
import { expiry } from './items.ts'
import { recordKey, recordOfUserKey, recordsOf, recordsOfUser } from './keys.ts'
import type { Table } from './table.ts'

/**
 * The records of plugins. Each is one item, in the partition of its kind, and changes in one step. A second item in the
 * partition of the user lists it. It is written before the record and removed after it; if there is no record, it is
 * ignored.
 */
export function recordAbilities(table: Table): RecordAbilities {
  const find = async ({ kind, key }: RecordKey): Promise<Item | undefined> => {
    const item = await table.get(await recordKey({ kind, key }))
    return item?.['kind'] === kind && item['key'] === key ? item : undefined
  }
  return {
    async createRecord(record, now) {
      const stored = toStored(record)
      const before = await find(record)
      if (before && !isOver(toRecord(before), now)) return false
      // Identifies this record, so that the removal of an older one keeps this item.
      const mark = crypto.randomUUID()
      const { kind, key, userId } = stored
      if (userId !== null)
        await table.put(await recordOfUserKey(userId, stored), {
          type: 'RECORDOF',
          kind,
          key,
          mark,
        })
      const free = {
        condition: 'attribute_not_exists(#partition) OR #expiresExactly <= :now',
        values: { now: now.toISOString() },
      }
      if (!(await table.put(await recordKey(stored), toItem(stored, mark), free))) return false
      if (before) await forget(table, before)
      return true
    },
    async getRecord(key) {
      const item = await find(key)
      return item ? fromStored(toRecord(item)) : null
    },
    async replaceRecord(record) {
      const { data, version, expires } = toStored(record)
      const end = expires ? expiry(expires) : { expires: undefined, expiresExactly: undefined }
      const before = { condition: '#version = :before', values: { before: version - 1 } }
      return (
        (await table.update(await recordKey(record), { data, version, ...end }, before)) !== null
      )
    },
    async takeRecord(key) {
      if (!(await find(key))) return null
      const item = await table.remove(await recordKey(key))
      if (!item) return null
      await forget(table, item)
      return fromStored(toRecord(item))
    },
    async listRecords({ kind, userId, after, limit }) {
      checkPage({ limit, after })
      const all = userId === undefined ? await recordsOf(kind) : await recordsOfUser(userId, kind)
      const records: PluginRecord[] = []
      let last: string | undefined
      for await (const item of table.partition(all.partition, all.sort, after)) {
        if (records.length === limit) return { records, next: last ?? null }
        last = String(item['key'])
        const found = userId === undefined ? item : await find({ kind, key: last })
        if (found && (userId === undefined || found['userId'] === userId))
          records.push(fromStored(toRecord(found)))
      }
      return { records, next: null }
    },
  }
}

/** Removes all records of a user, who need not exist. */
export async function removeRecordsOf(table: Table, userId: string): Promise<void> {
  const { partition, sort } = await recordsOfUser(userId)
  for await (const item of table.partition(partition, sort)) {
    const key = await recordKey({ kind: String(item['kind']), key: String(item['key']) })
    const own = { condition: '#userId = :id', values: { id: userId } }
    await table.commit([table.removing(key, own)])
    await table.remove(table.keyOf(item))
  }
}

/** Removes an expired record, unless it was replaced after it was read. @returns whether it did. */
export async function removeExpired(table: Table, item: Item, now: Date): Promise<boolean> {
  const over = { condition: '#expiresExactly < :now', values: { now: now.toISOString() } }
  const refused = await table.commit([table.removing(table.keyOf(item), over)])
  if (refused !== undefined) return false
  await forget(table, item)
  return true
}

/** Removes the item that lists a record, unless it lists a newer one. */
async function forget(table: Table, { kind, key, userId, mark }: Item): Promise<void> {
  if (typeof userId !== 'string') return
  const own = await recordOfUserKey(userId, { kind: String(kind), key: String(key) })
  await table.commit([table.removing(own, { condition: '#mark = :mark', values: { mark } })])
}

function toItem({ expires, userId, createdAt, ...record }: StoredRecord, mark: string): Item {
  return {
    type: 'RECORD',
    ...record,
    ...(userId !== null && { userId }),
    createdAt: createdAt.toISOString(),
    ...(expires && expiry(expires)),
    mark,
  }
}

function toRecord(item: Item): StoredRecord {
  const { kind, key, userId = null, data, version, createdAt, expiresExactly } = item
  return {
    kind: String(kind),
    key: String(key),
    userId: userId as string | null,
    data: String(data),
    version: Number(version),
    createdAt: new Date(String(createdAt)),
    expires: expiresExactly === undefined ? null : new Date(String(expiresExactly)),
  }
}
