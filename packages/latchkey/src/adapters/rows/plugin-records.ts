import type { RecordAbilities } from '../../model/record.ts'
import { checkCursor, fromStored, isOver, toStored } from '../plugin-records.ts'
import { Superseded } from './again.ts'
import type { Rows } from './rows.ts'

/** How often something is looked at again that others change meanwhile. */
const ATTEMPTS = 20

/** The records of plugins, each step of which says what it has seen. */
export function recordAbilities(rows: Rows): RecordAbilities {
  return {
    async createRecord(record, now) {
      const stored = toStored(record)
      const { kind, key } = stored
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await rows.insertUnlessTaken('record', stored)) return true
        const there = await rows.find('record', { kind, key })
        if (there && !isOver(there, now)) return false
        // With the end that it had: of those who replace it, none finds it once more.
        const over = there && { ...seen(there), expires: there.expires }
        if (over && (await rows.update('record', over, stored)) > 0) return true
      }
      throw new Superseded()
    },
    async getRecord({ kind, key }) {
      const found = await rows.find('record', { kind, key })
      return found && fromStored(found)
    },
    async replaceRecord(record) {
      const { kind, key, data, version, expires } = toStored(record)
      const before = { kind, key, version: version - 1 }
      return (await rows.update('record', before, { data, version, expires })) > 0
    },
    async takeRecord({ kind, key }) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await rows.find('record', { kind, key })
        if (!found) return null
        // As it was seen: it may have been replaced since.
        if ((await rows.remove('record', seen(found))) > 0) return fromStored(found)
      }
      throw new Superseded()
    },
    async listRecords({ kind, userId, after, limit }) {
      checkCursor(after)
      const keys = userId === undefined ? { kind } : { kind, userId }
      const found = await rows.recordsAfter(keys, after, limit + 1)
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

/** What a record has that no later one under its key has. */
function seen({ kind, key, version, createdAt }: ReturnType<typeof toStored>) {
  return { kind, key, version, createdAt }
}
