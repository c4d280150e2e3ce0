import { withDocs } from '../../base/option-error.ts'
import type { RecordAbilities, RecordKey } from '../../model/record.ts'
import { checkPage, pageOf } from '../paging.ts'
import {
  fromStored,
  isOver,
  type StoredRecord as PluginStored,
  toStored,
} from '../plugin-records.ts'
import { toRecord } from '../records.ts'
import {
  createUnlessTaken,
  type Fields,
  type RecordStoreClient,
  type StoredRecord,
} from './client.ts'

/** How often an operation is repeated when other requests change the record. */
const ATTEMPTS = 20

/** The date of records that do not expire: in some stores, a missing date is less than any date. */
const NEVER = new Date('9999-12-31T23:59:59.999Z')

function end(expires: Date | null): Fields {
  return { expires: expires ?? NEVER, ends: expires !== null }
}

function read(stored: StoredRecord): PluginStored {
  return toRecord('record', {
    ...stored,
    expires: stored['ends'] === false ? null : stored['expires'],
  })
}

/** The records of plugins. Each change writes a new mark, so that it never overwrites another change. */
export function recordAbilities(client: RecordStoreClient): RecordAbilities {
  const find = async ({ kind, key }: RecordKey): Promise<StoredRecord | undefined> =>
    // Some stores ignore case or trailing blanks.
    (await client.query('records', { kind, key })).find(
      (each) => each['kind'] === kind && each['key'] === key,
    )
  const decode = (stored: StoredRecord) => fromStored(read(stored))
  return {
    async createRecord(record, now) {
      const stored = toStored(record)
      const fields = { ...stored, ...end(stored.expires), mark: crypto.randomUUID() }
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await createUnlessTaken(client, 'records', fields)) return true
        const there = await find(record)
        if (there && !isOver(read(there), now)) return false
        const seen = { mark: there?.['mark'] }
        if (there && (await client.update('records', there.id, fields, seen))) return true
      }
      throw new Error(
        withDocs('too many requests change this record at the same time', 'adapterCall'),
      )
    },
    async getRecord(key) {
      const found = await find(key)
      return found ? decode(found) : null
    },
    async replaceRecord(record) {
      const { data, version, expires } = toStored(record)
      const found = await find(record)
      if (!found) return false
      const changes = { data, version, ...end(expires), mark: crypto.randomUUID() }
      return (await client.update('records', found.id, changes, { version: version - 1 })) !== null
    },
    async takeRecord({ kind, key }) {
      if (!(await find({ kind, key }))) return null
      const taken = await client.takeOnce?.('records', { kind, key })
      return taken ? decode(taken) : null
    },
    async listRecords({ kind, userId, after, limit }) {
      checkPage({ limit, after })
      const where = userId === undefined ? { kind } : { kind, userId }
      const all = (await client.query('records', where))
        .filter((each) => each['kind'] === kind)
        .map(decode)
        .filter((each) => userId === undefined || each.userId === userId)
        .filter(({ key }) => after === undefined || key > after)
        .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      const { page: records, next } = pageOf(all, limit, ({ key }) => key)
      return { records, next }
    },
  }
}
