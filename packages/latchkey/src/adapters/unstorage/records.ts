import type { PluginRecord, RecordAbilities, RecordKey } from '../../model/record.ts'
import { checkPage } from '../paging.ts'
import { fromStored, isOver, type StoredRecord, toStored } from '../plugin-records.ts'
import { toRecord } from '../records.ts'
import type { Keys } from './keys.ts'
import type { Items, Queue } from './storage.ts'

interface Store {
  readonly items: Items
  readonly keys: Keys
  readonly queue: Queue
}

/** The records of plugins, for an exclusive storage. */
export function recordAbilities(store: Store): RecordAbilities {
  const { items, keys, queue } = store
  return {
    createRecord: (record, now) =>
      queue.write(async () => {
        const stored = toStored(record)
        const before = await find(store, record)
        if (before && !isOver(before, now)) return false
        if (before) await removeRecord(store, before)
        // Added to the list first: a record that is not listed would remain after the user is deleted.
        if (stored.userId !== null)
          await items.add(keys.recordsOfUser(stored.userId), keys.record(stored))
        await items.write(keys.record(stored), stored)
        return true
      }),
    getRecord: (key) =>
      queue.read(async () => {
        const found = await find(store, key)
        return found && fromStored(found)
      }),
    replaceRecord: (record) =>
      queue.write(async () => {
        const { data, version, expires } = toStored(record)
        const before = await find(store, record)
        if (before?.version !== version - 1) return false
        await items.write(keys.record(record), { ...before, data, version, expires })
        return true
      }),
    takeRecord: (key) =>
      queue.write(async () => {
        const found = await find(store, key)
        if (found) await removeRecord(store, found)
        return found && fromStored(found)
      }),
    async listRecords({ kind, userId, after, limit }) {
      checkPage({ limit, after })
      return queue.read(async () => {
        const base = keys.recordsOf(kind)
        const all =
          userId === undefined
            ? await items.keysBelow(base)
            : (await items.list(keys.recordsOfUser(userId))).toSorted()
        const from = after === undefined ? '' : keys.record({ kind, key: after })
        const rest = all.filter((key) => key.startsWith(base) && key > from)
        const records: PluginRecord[] = []
        let next: string | null = null
        for (const [place, key] of rest.entries()) {
          const found = await read(store, key)
          if (found && (userId === undefined || found.userId === userId))
            records.push(fromStored(found))
          if (records.length === limit) {
            next = place < rest.length - 1 ? (records.at(-1)?.key ?? null) : null
            break
          }
        }
        return { records, next }
      })
    },
  }
}

/** Removes all records of a user, who need not exist. */
export async function removeRecordsOf(store: Store, userId: string): Promise<void> {
  const { items, keys } = store
  for (const key of await items.list(keys.recordsOfUser(userId))) {
    const found = await read(store, key)
    if (found?.userId === userId) await items.remove(key)
  }
  await items.remove(keys.recordsOfUser(userId))
}

export async function removeRecord({ items, keys }: Store, record: StoredRecord): Promise<void> {
  await items.remove(keys.record(record))
  if (record.userId !== null)
    await items.drop(keys.recordsOfUser(record.userId), keys.record(record))
}

async function find(store: Store, { kind, key }: RecordKey): Promise<StoredRecord | null> {
  const found = await read(store, store.keys.record({ kind, key }))
  return found?.kind === kind && found.key === key ? found : null
}

async function read({ items }: Store, key: string): Promise<StoredRecord | null> {
  const stored = await items.record(key)
  return stored && toRecord('record', stored)
}
