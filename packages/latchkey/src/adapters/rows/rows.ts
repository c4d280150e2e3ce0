import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { StoredRecord } from '../plugin-records.ts'
import type { RecordName, Records } from '../records.ts'

/** Names of members, and the values that they must have. */
export type Keys = Readonly<Record<string, unknown>>

/** A member, and a value that it must be below. */
export type Below = readonly [member: string, value: unknown]

/**
 * What an adapter needs of somebody else's query builder, through one connection or through whichever
 * is free. Keys compare byte for byte, whatever the store's collation says.
 */
export interface Rows {
  find<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name] | null>
  list<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name][]>
  /** @throws AdapterConflict when a unique key is taken. */
  insert<Name extends RecordName>(table: Name, record: Records[Name]): Promise<Records[Name]>
  /** @returns whether it was inserted: `false` when its key is taken, which does not end a transaction. */
  insertUnlessTaken<Name extends 'verificationToken' | 'record'>(
    table: Name,
    record: Records[Name],
  ): Promise<boolean>
  /** Changes rows in one step, without reading them. @returns how many there were. */
  update(table: RecordName, keys: Keys, changes: object): Promise<number>
  /**
   * Changes one row in one step.
   *
   * @returns the row after the change, `null` when there was none.
   * @throws AdapterConflict when a unique key is taken.
   */
  change<Name extends RecordName>(
    table: Name,
    keys: Keys,
    changes: object,
    below?: Below,
  ): Promise<Records[Name] | null>
  /** Removes one row in one step: of many that try, one gets it. */
  take<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name] | null>
  /** @param except the value of the primary key of a row that stays. @returns how many were removed. */
  remove(
    table: RecordName,
    keys: Keys,
    except?: readonly [member: string, value: unknown],
  ): Promise<number>
  /** Removes at most `batch` rows, or little more, that expired. @returns how many were found. */
  removeExpired(
    table: 'session' | 'verificationToken' | 'record',
    now: Date,
    batch: number,
  ): Promise<number>
  /** Records of plugins in the order of their keys, beginning after one; also some that only look the same. */
  recordsAfter(keys: Keys, key: string | undefined, limit: number): Promise<StoredRecord[]>
  /** Users in the order of their ids, beginning after one. */
  usersAfter(id: string | undefined, limit: number): Promise<AdapterUser[]>
  userByAccount(keys: { provider: string; providerAccountId: string }): Promise<AdapterUser | null>
  sessionAndUser(
    sessionToken: string,
  ): Promise<{ session: AdapterSession; user: AdapterUser } | null>
  /** Runs `work` in the transaction that this is bound to, or in a new one if the store has any. */
  inTransaction<Result>(work: (inside: Rows) => Promise<Result>): Promise<Result>
}
