import type { CompiledQuery, Expression, Kysely, QueryResult, RawBuilder, SqlBool } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import type { Column, ColumnType, Table } from './tables.ts'

/** A Kysely instance with whatever tables the application has in it besides ours. */
// `any` is the only table type that each `Kysely<...>` fits.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDatabase = Kysely<any>

/** One row as the driver gives it. */
export type Row = Record<string, unknown>

/** How one value of ours is kept, where the driver does not carry it as it is. Never sees `null`. */
export interface Codec {
  /** @returns `undefined` for what the column cannot hold, so that no row has it. */
  encode(value: unknown): unknown
  /** Takes what any driver of the engine may give, whatever its options. */
  decode(stored: unknown): unknown
  /** What is asked for instead of the column, where drivers and zones would have their say. */
  read?(column: Expression<unknown>): RawBuilder<unknown>
  /** What stands in a statement for the encoded value. */
  write?(place: unknown): Expression<unknown>
  /** What is compared instead of the column, where its own order is another. */
  order?(column: Expression<unknown>): Expression<unknown>
}

export type Codecs = { readonly [type in ColumnType]?: Codec }

/** A query that is asked again and again; drivers that can, prepare it once. */
export interface NamedQuery extends CompiledQuery {
  /** Stands for the text of this query and no other. */
  readonly name: string
}

/** What a store has of one column. */
export interface FoundColumn {
  /** In small letters, with the length: `varchar(255)`. */
  readonly type: string
  readonly nullable: boolean
  /** Whether a row may be added without it: it has a default, or is counted or computed. */
  readonly filled: boolean
  readonly collation?: string | undefined
}

/** What a store has of one table. */
export interface FoundTable {
  readonly columns: ReadonlyMap<string, FoundColumn>
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
  readonly references: readonly FoundReference[]
}

/** A column that refers to another table. */
export interface FoundReference {
  readonly table: string
  readonly column: string
  /** Of the constraint, if it has one. */
  readonly name: string
  /** The other table. */
  readonly to: string
}

/** What is wrong with a column, in words. */
export interface ColumnFault {
  readonly problem: string
  /** The type that mends it; without one, nobody knows what becomes of what is stored. */
  readonly type?: string
}

/** All that differs from one SQL engine to the next. The queries are the same for all. */
export interface SqlDialect extends SqlTables {
  readonly name: string
  /** Which presets of types fit; see `presets.ts`. */
  readonly family: 'sqlite' | 'postgres' | 'mysql' | 'mssql'
  readonly codecs: Codecs
  /** Keys, as table and field, whose columns hold ASCII and can be compared with nothing else. */
  readonly asciiKeys?: readonly string[]
  /** Which statements can return rows. Where one cannot, a transaction with two stands in. */
  readonly returning: Readonly<Record<'insert' | 'update' | 'delete', boolean>>
  /**
   * Whether INSERT … ON CONFLICT replaces a row that is in the way. Where it does not, a refused INSERT
   * does not end its transaction.
   */
  readonly replacesOnConflict: boolean
  /** Whether SELECT … FOR UPDATE keeps others from a row, and from referring to it. */
  readonly locksRows: boolean
  /** How a number of rows is limited. */
  readonly limit: 'limit' | 'top'
  /**
   * How a number of rows to delete is limited: as in other statements, or by choosing them first;
   * `lock`: without those that somebody else has just chosen.
   */
  readonly limitedDelete: 'limit' | 'top' | 'choose' | 'choose and lock'
  /** True where a text is byte for byte another, whatever the collation of the column. */
  sameBytes(column: Expression<unknown>, place: Expression<unknown>): Expression<SqlBool>
  quote(identifier: string): string
  /** For an error that says a unique key is taken: the text that names the key. */
  takenKey(error: unknown): string | undefined
  /** True for an error that says: two of you were in each other's way, and nothing was done; try again. */
  isCollision(error: unknown): boolean
}

/** How an engine makes tables, and changes and reads their columns. */
interface SqlTables {
  /** The type of a column. `place` is its table and field, for engines that limit the length of keys. */
  columnType(column: Column, place: string): string
  /** What follows the closing bracket of CREATE TABLE, with a blank before it. */
  tableOptions(table: Table): string
  /** Whether CREATE TABLE makes the indexes, because CREATE INDEX cannot be said twice. */
  readonly indexesInTable: boolean
  /** CREATE TABLE that does nothing if there is one; `undefined`: the engine has no words for it. */
  readonly ifNotExists: string
  /** Whether a unique key lets several rows be without a value, as the standard has it. */
  readonly nullsDiffer: boolean
  /** What a column that the database fills has as its default, by its type. */
  readonly generated?: Readonly<Partial<Record<ColumnType, string>>>
  /** What a value that is missing becomes when a required column is added to rows that exist. */
  zero(column: Column): string | undefined
  /** What comes before a column in ALTER TABLE. */
  readonly addColumn: string
  /**
   * Gives a column another type, or if `loosen` lets it be NULL. Missing where the table must be made
   * anew.
   */
  readonly alterColumn?: (
    table: string,
    column: string,
    to: AlteredColumn,
    loosen: boolean,
  ) => string
  /** Whether a foreign key can be added to a table that is there. */
  readonly addsReferences: boolean
  /** Removes a foreign key, where it keeps its columns from being changed. */
  dropReference?(table: string, name: string): string
  /** What is wrong with a column that is there. */
  columnFault?(found: FoundColumn, column: Column, place: string): ColumnFault | undefined
  /** What is wrong with the settings of the server, and the statement that mends it. */
  settingsFaults?(db: AnyDatabase): Promise<readonly { problem: string; statement: string }[]>
  /**
   * Statements that make other migrations wait, and let them go on, for engines that end a
   * transaction at each change of a table. Without them, a transaction does it.
   */
  readonly migrationLock?: { readonly take: string; readonly release: string }
  /**
   * The tables that are there.
   *
   * @param schema where, if not where names without a schema are looked for.
   */
  inspect(db: AnyDatabase, schema: string | undefined): Promise<ReadonlyMap<string, FoundTable>>
}

export interface AlteredColumn {
  readonly type: string
  readonly nullable: boolean
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
  /** Runs one query outside of any transaction, for drivers that have a shorter way than Kysely's. */
  readonly run?: (query: CompiledQuery | NamedQuery) => Promise<QueryResult<Row>>
  /**
   * Runs queries of which all happen or none. A store that has this has no transactions in which one
   * query waits for what the other found.
   */
  readonly batch?: (queries: readonly CompiledQuery[]) => Promise<QueryResult<Row>[]>
}

/** A bare Kysely instance as a store of the dialect that somebody says it is. */
export function toStore(database: AnyDatabase | SqlStore, dialect: SqlDialect): SqlStore {
  return 'dialect' in database ? database : { db: database.withoutPlugins(), dialect }
}

/** The rows that {@link SqlDialect.inspect} reads: one for each column, one for each part of an index. */
export interface InspectedColumn extends FoundColumn {
  readonly table: string
  readonly column: string
}

export interface InspectedKey {
  readonly table: string
  readonly index: string
  readonly unique: boolean
  /** `null`: an expression. */
  readonly column: string | null
}

/** @param keys in the order of their columns. */
export function foundTables(
  columns: readonly InspectedColumn[],
  keys: readonly InspectedKey[],
  references: readonly FoundReference[],
): Map<string, FoundTable> {
  const tables = new Map<string, FoundTable>()
  for (const [table, members] of Map.groupBy(columns, ({ table }) => table)) {
    const own = keys.filter((key) => key.table === table)
    tables.set(table, {
      columns: new Map(members.map((member) => [member.column, member])),
      unique: columnsByIndex(own.filter(({ unique }) => unique)),
      indexes: columnsByIndex(own),
      references: references.filter((reference) => reference.table === table),
    })
  }
  return tables
}

function columnsByIndex(keys: readonly InspectedKey[]): string[][] {
  const indexes = Map.groupBy(keys, ({ index }) => index)
  return Array.from(indexes.values(), (parts) => parts.map(({ column }) => column ?? ''))
}

/** A member of an error of some driver. */
export function member(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null
    ? (error as Record<string, unknown>)[name]
    : undefined
}

/** For connections that give a result as a whole; none of our queries wants it otherwise. */
// oxlint-disable-next-line require-yield
export async function* noStream(): AsyncIterableIterator<never> {
  throw new Error(withDocs('this store does not support streaming', 'adapterCall'))
}
