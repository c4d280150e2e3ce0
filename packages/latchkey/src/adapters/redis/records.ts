import {
  type PluginRecord,
  type RecordAbilities,
  recordData,
  recordText,
} from '../../model/record.ts'
import { checkPage } from '../paging.ts'
import { type Engine, time } from './engine.ts'
import { type Keys, recordMember } from './keys.ts'
import * as scripts from './scripts.ts'

/** The records of plugins. */
export function recordAbilities({ engine, keys }: { engine: Engine; keys: Keys }): RecordAbilities {
  return {
    async createRecord(record, now) {
      const { kind, key, userId, version, createdAt, expires } = record
      const owner = userId === undefined ? [] : [keys.recordsOfUser(userId)]
      const all = [keys.record(record), keys.recordsOf(kind), keys.expiringRecords, ...owner]
      const args = [
        recordMember(record),
        key,
        time(now),
        recordText(record),
        String(version),
        time(createdAt),
        expires ? time(expires) : '',
        userId ?? '',
      ]
      return (await engine.number(scripts.createRecord, all, ...args)) === 1
    },
    async getRecord(key) {
      return toRecord(key, await engine.texts(scripts.getRecord, [keys.record(key)]))
    },
    async replaceRecord(record) {
      const { version, expires } = record
      const args = [
        recordMember(record),
        String(version - 1),
        recordText(record),
        String(version),
        expires ? time(expires) : '',
      ]
      const all = [keys.record(record), keys.expiringRecords]
      return (await engine.number(scripts.replaceRecord, all, ...args)) === 1
    },
    async takeRecord(key) {
      const all = [keys.record(key), keys.expiringRecords]
      return toRecord(key, await engine.texts(scripts.takeRecord, all, recordMember(key)))
    },
    async listRecords({ kind, userId, after, limit }) {
      checkPage({ limit, after })
      const [index, start] =
        userId === undefined
          ? [keys.recordsOf(kind), '']
          : [keys.recordsOfUser(userId), recordMember({ kind, key: '' })]
      const from = after === undefined ? '' : `=${after}`
      const args = [kind, start, from, String(limit)]
      const [next, ...found] = await engine.texts(scripts.listRecords, [index], ...args)
      const records: PluginRecord[] = []
      for (let place = 0; place < found.length; place += 1 + FIELDS) {
        const [key = '', ...fields] = found.slice(place, place + 1 + FIELDS)
        const record = toRecord({ kind, key }, fields)
        if (record) records.push(record)
      }
      return { records, next: next || null }
    },
  }
}

/** The number of texts of a record in a result. */
const FIELDS = 5

function toRecord(
  { kind, key }: { kind: string; key: string },
  [data, version, createdAt, expires, userId]: string[],
): PluginRecord | null {
  if (data === undefined) return null
  return {
    kind,
    key,
    ...(userId && { userId }),
    ...recordData(data),
    version: Number(version),
    createdAt: new Date(Number(createdAt)),
    ...(expires && { expires: new Date(Number(expires)) }),
  }
}
