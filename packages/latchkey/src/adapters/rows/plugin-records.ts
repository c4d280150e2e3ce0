import type { RecordAbilities } from '../../model/record.ts'
import { checkPage, pageOf } from '../paging.ts'
import { fromStored, isOver, type StoredRecord, toStored } from '../plugin-records.ts'
import type { Rows } from './rows.ts'
import { matches } from './shared.ts'

/** How often an insert is repeated whose row was in the way and then removed. */
const ATTEMPTS = 6

/** The records of plugins, within a transaction and outside of one. */
export function recordAbilities(rows: Rows): RecordAbilities {
  return {
    createRecord: (record, now) => createRecord(rows, toStored(record), now),
    async getRecord({ kind, key }) {
      const found = await rows.find('record', { kind, key })
      return found && fromStored(found)
    },
    replaceRecord(record) {
      const { kind, key, data, version, expires } = toStored(record)
      const before = { kind, key, version: version - 1 }
      return rows.update('record', before, { data, version, expires })
    },
    async takeRecord({ kind, key }) {
      const taken = await rows.take('record', { kind, key })
      return taken && fromStored(taken)
    },
    async listRecords({ kind, userId, after, limit }) {
      checkPage({ limit, after })
      const keys = userId === undefined ? { kind } : { kind, userId }
      const found = await rows.page('record', 'key', limit + 1, after, keys)
      const { page, next } = pageOf(found, limit, ({ key }) => key)
      return { records: page.filter((each) => matches(each, keys)).map(fromStored), next }
    },
  }
}

async function createRecord(rows: Rows, record: StoredRecord, now: Date): Promise<boolean> {
  const over = { field: 'expires', is: '<=', value: now } as const
  if (rows.insertOver) return rows.insertOver('record', record, over)
  const { kind, key } = record
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await rows.insertUnlessTaken('record', record)) return true
    // A read does not wait for a lock of a record that stays. In a transaction it may return an older state, so it does
    // not decide alone: the update sees the current row.
    const there = await rows.find('record', { kind, key })
    if (there && !isOver(there, now)) return false
    if (await rows.update('record', { kind, key }, record, over)) return true
  }
  return false
}
