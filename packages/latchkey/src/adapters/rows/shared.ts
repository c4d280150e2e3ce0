import { isAdapterConflict } from '../../model/adapter.ts'
import type { RecordName, Records } from '../records.ts'
import { Superseded } from './again.ts'
import type { Row } from './coding.ts'
import type { EXPIRING, Keys, Rows } from './rows.ts'

/** How often a row is read and removed that other requests replace meanwhile. */
const ATTEMPTS = 20

/** Whether a record has exactly these values: a store that ignores case or trailing blanks finds others, too. */
export function matches(record: object, keys: Keys): boolean {
  return Object.entries(keys).every(([member, value]) => (record as Row)[member] === value)
}

/** Returns the keys of a row after a change, which may change keys, too. */
export function keysAfter(keys: Keys, changes: object): Keys {
  const changed = Object.entries(changes).filter(
    ([member, value]) => member in keys && value !== undefined,
  )
  return { ...keys, ...Object.fromEntries(changed) }
}

/** Runs an insert. @returns `false` if the key exists. */
export async function isInserted(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert()
    return true
  } catch (error) {
    if (isAdapterConflict(error)) return false
    throw error
  }
}

/** Takes a row where the store cannot return what it removes: reads it and removes it. */
export async function takeFound<Name extends RecordName>(
  rows: Pick<Rows, 'find' | 'remove'>,
  table: Name,
  keys: Keys,
): Promise<Records[Name] | null> {
  if (table === 'record') return (await takeRecord(rows, keys)) as Records[Name] | null
  const found = await rows.find(table, keys)
  // Another request may have found the row, too. The one that removed it receives it.
  return found && (await rows.remove(table, keys)) > 0 ? found : null
}

/** Takes a record. It may be replaced after it was read, so it is removed only if it is unchanged. */
async function takeRecord(
  rows: Pick<Rows, 'find' | 'remove'>,
  keys: Keys,
): Promise<Records['record'] | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await rows.find('record', keys)
    if (!found) return null
    const { kind, key, version, createdAt } = found
    if ((await rows.remove('record', { kind, key, version, createdAt })) > 0) return found
  }
  throw new Superseded()
}

/** A member of each row that expires, by which it is removed. */
export const EXPIRING_KEY: Readonly<Record<(typeof EXPIRING)[number], string>> = {
  session: 'sessionToken',
  verificationToken: 'token',
  record: 'key',
}

/**
 * Finds rows and removes them, until there are none or `batch` are removed.
 *
 * @param remove checks again that they have expired: another request may have extended or removed one meanwhile.
 */
export async function removeInParts(
  batch: number,
  find: (limit: number) => Promise<readonly unknown[]>,
  remove: (found: readonly unknown[]) => Promise<number>,
): Promise<number> {
  let removed = 0
  while (removed < batch) {
    const found = await find(batch - removed)
    if (found.length === 0) break
    removed += await remove(found)
  }
  return removed
}
