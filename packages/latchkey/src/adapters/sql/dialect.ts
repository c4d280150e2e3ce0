import type { Kysely } from 'kysely'
import type { Column, Content, Table } from './tables.ts'

/** A Kysely instance with whatever tables the application has in it besides ours. */
// `any` is the only table type that each `Kysely<...>` fits.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDatabase = Kysely<any>

/** One row as the driver gives it. */
export type Row = Record<string, unknown>

/** How one value of ours is kept, where the driver does not carry it as it is. Never sees `null`. */
export interface Codec {
  encode(value: unknown): unknown
  decode(stored: unknown): unknown
}

/** What a store has of one table. */
export interface FoundTable {
  readonly columns: ReadonlySet<string>
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
}

/** All that differs from one SQL engine to the next. The queries are the same for all. */
export interface SqlDialect {
  readonly name: string
  readonly codecs: { readonly [content in Content]?: Codec }
  /** Whether DELETE and UPDATE can return rows. If not, a transaction with two statements stands in. */
  readonly returning: boolean
  quote(identifier: string): string
  /** The type of a column. `place` is its table and name, for engines that limit the length of keys. */
  columnType(column: Column, place: string): string
  /** What follows the closing bracket of CREATE TABLE, with a blank before it. */
  tableOptions(table: Table): string
  /** What a value that is missing becomes when a required column is added to rows that exist. */
  readonly zero: Readonly<Record<Content, string>>
  /** A statement that makes other migrations wait until the transaction is over. */
  readonly migrationLock: string
  /** For an error that says a unique key is taken: the text that names the key. */
  takenKey(error: unknown): string | undefined
  /** The tables that are there. */
  inspect(db: AnyDatabase): Promise<ReadonlyMap<string, FoundTable>>
}

/** A database together with what we know about it. */
export interface SqlStore {
  readonly db: AnyDatabase
  readonly dialect: SqlDialect
  /**
   * Reads without a promise, for drivers that can. `undefined` when it must wait its turn because a
   * transaction has the connection.
   */
  readonly readNow?: (sql: string, parameters: readonly unknown[]) => readonly Row[] | undefined
}

/** A bare Kysely instance as a store of the dialect that somebody says it is. */
export function toStore(database: AnyDatabase | SqlStore, dialect: SqlDialect): SqlStore {
  return 'dialect' in database ? database : { db: database, dialect }
}
