import type { Kysely } from 'kysely'
import { type AnyDatabase, type Row, type SqlStore, toStore } from './dialect.ts'
import { rowMappings } from './rows.ts'
import { sqlite } from './sqlite.ts'

/**
 * Removes what expired before `now`: sessions and verification tokens.
 *
 * Call it now and then, until it returns less than `batch`. Several processes may do so at once.
 *
 * @param batch the most rows to remove of each kind, so that nobody waits long for the lock.
 * @returns how many rows were removed of the kind that had most.
 */
export async function deleteExpired(
  database: AnyDatabase | SqlStore,
  now: Date,
  batch: number = 500,
): Promise<number> {
  const { db: anyDatabase, dialect } = toStore(database, sqlite)
  const db: Kysely<Record<'session' | 'verificationToken', Row>> = anyDatabase
  const mappings = rowMappings(dialect, 'drop')
  let most = 0
  for (const [table, key] of [
    ['session', 'sessionToken'],
    ['verificationToken', 'token'],
  ] as const) {
    const { expires } = mappings[table].encodeChanges({ expires: now })
    const expired = await db
      .selectFrom(table)
      .select(key)
      .where('expires', '<', expires)
      .limit(batch)
      .execute()
    if (expired.length === 0) continue
    const keys = expired.map((row) => row[key])
    // Asked again: a session may have been extended meanwhile, a token sent anew.
    await db.deleteFrom(table).where(key, 'in', keys).where('expires', '<', expires).execute()
    most = Math.max(most, expired.length)
  }
  return most
}
