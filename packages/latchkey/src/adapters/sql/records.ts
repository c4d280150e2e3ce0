import type { RecordAbilities } from '../../model/record.ts'
import { checkCursor, fromStored, toStored } from '../plugin-records.ts'
import { checkCount } from './check-count.ts'
import type { Engine } from './engine.ts'

/** The records of plugins: in a transaction as well as outside of one. */
export function recordAbilities(engine: Engine): RecordAbilities {
  return {
    createRecord(record, now) {
      const over = { field: 'expires', is: '<=', value: now } as const
      return engine.insertOver('record', toStored(record), over)
    },
    async getRecord({ kind, key }) {
      const found = await engine.find('record', { kind, key })
      return found && fromStored(found)
    },
    replaceRecord(record) {
      const { kind, key, data, version, expires } = toStored(record)
      return engine.update(
        'record',
        { kind, key, version: version - 1 },
        { data, version, expires },
      )
    },
    async takeRecord({ kind, key }) {
      const taken = await engine.take('record', { kind, key })
      return taken && fromStored(taken)
    },
    async listRecords({ kind, userId, after, limit }) {
      checkCount(limit)
      checkCursor(after)
      // One more, to see whether there are more.
      const keys = userId === undefined ? { kind } : { kind, userId }
      const found = await engine.page('record', 'key', limit + 1, after, keys)
      const page = found.slice(0, limit)
      const exact = page.filter(
        (each) => each.kind === kind && (userId === undefined || each.userId === userId),
      )
      return {
        records: exact.map(fromStored),
        next: found.length > limit ? (page.at(-1)?.key ?? null) : null,
      }
    },
  }
}
