import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { RecordName, Records } from '../records.ts'

/** Names of members, and the values that they must have. */
export type Keys = Readonly<Record<string, unknown>>

/** A comparison with a member that is not one of the {@link Keys}. */
export interface Condition {
  readonly field: string
  readonly is: '<' | '<=' | '<>'
  readonly value: unknown
}

/** Rows of a table. */
export type Selection = readonly [table: RecordName, keys: Keys]

/** The tables whose rows expire. */
export const EXPIRING = ['session', 'verificationToken', 'record'] as const

type Maybe<Value> = Value | null | Promise<Value | null>

/**
 * The operations of a store with rows, on which the adapter is built: in the transaction that it is bound to, or each on
 * its own. Keys are compared byte by byte, whatever the collation of the store is.
 */
export interface Rows {
  /** Whether `inTransaction` opens a transaction that may wait for other work. */
  readonly hasTransactions: boolean
  /** Whether the store has a table. The others are called only for tables that it has. */
  has(table: RecordName): boolean
  find<Name extends RecordName>(table: Name, keys: Keys): Maybe<Records[Name]>
  list<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name][]>
  /**
   * Returns some rows in the order of a field, from the beginning or after a value.
   *
   * @param keys further values to look for. A store that ignores case or trailing blanks also returns other rows.
   */
  page<Name extends RecordName>(
    table: Name,
    field: string,
    limit: number,
    after?: string,
    keys?: Keys,
  ): Promise<Records[Name][]>
  /** @throws AdapterConflict if a unique key exists. */
  insert<Name extends RecordName>(table: Name, record: Records[Name]): Promise<Records[Name]>
  /** @returns whether it was inserted; `false` if its key exists, which does not end a transaction. */
  insertUnlessTaken<Name extends 'verificationToken' | 'record'>(
    table: Name,
    record: Records[Name],
  ): Promise<boolean>
  /**
   * Inserts a row, or replaces the row with the same primary key if that meets a condition. Missing where the store
   * has no statement for it.
   *
   * @returns whether it did either; `false` does not end a transaction.
   */
  insertOver?<Name extends 'record'>(
    table: Name,
    record: Records[Name],
    condition: Condition,
  ): Promise<boolean>
  /** Changes rows in one step without reading them. @returns whether there were any. */
  update(table: RecordName, keys: Keys, changes: object, condition?: Condition): Promise<boolean>
  /**
   * Changes one row in one step.
   *
   * @returns the row after the change, `null` if there was none.
   * @throws AdapterConflict if a unique key exists.
   */
  change<Name extends RecordName>(
    table: Name,
    keys: Keys,
    changes: object,
    condition?: Condition,
  ): Promise<Records[Name] | null>
  /** Removes one row in one step and returns it as it was then. Of concurrent calls, exactly one receives it. */
  take<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name] | null>
  /** @returns the number of removed rows. */
  remove(table: RecordName, keys: Keys, condition?: Condition): Promise<number>
  /** Removes at most `batch` rows, or a few more, that expired before `now`. @returns the number of removed rows. */
  removeExpired(table: (typeof EXPIRING)[number], now: Date, batch: number): Promise<number>
  /** Locks a row, and the addition of rows that refer to it, until the transaction ends. Missing without locks. */
  lock?(table: RecordName, keys: Keys): Promise<unknown>
  /**
   * Removes rows of several tables, all or none, and then takes a row. It replaces a transaction in stores that have
   * none.
   */
  takeWith?<Name extends RecordName>(
    others: readonly Selection[],
    table: Name,
    keys: Keys,
  ): Promise<Records[Name] | null>
  userByAccount(keys: { provider: string; providerAccountId: string }): Maybe<AdapterUser>
  sessionAndUser(sessionToken: string): Maybe<{ session: AdapterSession; user: AdapterUser }>
  /** Runs `work` in the transaction that this is bound to, or in a new one if the store has transactions. */
  inTransaction<Result>(work: (inside: Rows) => Promise<Result>): Promise<Result>
}
