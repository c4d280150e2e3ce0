import type { CompiledQuery, Expression, Kysely, QueryResult, RawBuilder, SqlBool } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import type { Column, ColumnType, Table } from './tables.ts'

/** A Kysely instance with any tables. */
// `any` is the only type of tables to which each `Kysely<…>` is assignable.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDatabase = Kysely<any>

/** A row as the driver returns it. */
export type Row = Record<string, unknown>

/** Converts the values of a column, if the driver does not. It never receives `null`. */
export interface Codec {
  /** @returns `undefined` if the column cannot hold the value, so that no row has it. */
  encode(value: unknown): unknown
  /** Accepts the values of each driver of the engine, with any options. */
  decode(stored: unknown): unknown
  /** Returns what is selected instead of the column, if the result would depend on the driver or on time zones. */
  read?(column: Expression<unknown>): RawBuilder<unknown>
  /** Returns the expression for the encoded value in a statement. */
  write?(place: unknown): Expression<unknown>
  /** Returns what is compared instead of the column, if the column has another order. */
  order?(column: Expression<unknown>): Expression<unknown>
}

export type Codecs = { readonly [type in ColumnType]?: Codec }

/** A query that runs many times. Drivers that can prepare it once. */
export interface NamedQuery extends CompiledQuery {
  /** The name of exactly this text. */
  readonly name: string
}

/** A column that a database has. */
export interface FoundColumn {
  /** In small letters, with the length: `varchar(255)`. */
  readonly type: string
  readonly nullable: boolean
  /** Whether a row can be inserted without it: it has a default, or is generated. */
  readonly filled: boolean
  readonly collation?: string | undefined
}

/** A table that a database has. */
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
  /** The name of the constraint, if it has one. */
  readonly name: string
  /** The referenced table. */
  readonly to: string
}

/** What is wrong with a column. */
export interface ColumnFault {
  readonly problem: string
  /** The type that fixes it. Without it, a change of the type could damage stored values. */
  readonly type?: string
}

/** The differences between SQL engines. The queries are the same for all. */
export interface SqlDialect extends SqlTables {
  readonly name: string
  /** The presets of types that fit; see `presets.ts`. */
  readonly family: 'sqlite' | 'postgres' | 'mysql' | 'mssql'
  readonly codecs: Codecs
  /** Keys, as table and field, whose columns hold only ASCII and cannot be compared with other texts. */
  readonly asciiKeys?: readonly string[]
  /** The statements that can return rows. For the others, the adapter uses a transaction with two statements. */
  readonly returning: Readonly<Record<'insert' | 'update' | 'delete', boolean>>
  /**
   * Whether INSERT … ON CONFLICT replaces an existing row. Without it, a refused INSERT must not end the transaction.
   */
  readonly replacesOnConflict: boolean
  /** Whether SELECT … FOR UPDATE locks a row, and the addition of rows that refer to it. */
  readonly locksRows: boolean
  /** The syntax that limits the number of rows. */
  readonly limit: 'limit' | 'top'
  /**
   * How a DELETE is limited: as in other statements, or by selecting the rows first. `lock` skips rows that another
   * transaction has selected.
   */
  readonly limitedDelete: 'limit' | 'top' | 'choose' | 'choose and lock'
  /** Returns a condition that two texts have the same bytes, whatever the collation of the column is. */
  sameBytes(column: Expression<unknown>, place: Expression<unknown>): Expression<SqlBool>
  quote(identifier: string): string
  /** Returns the part of an error that names the unique key that exists; `undefined` for other errors. */
  takenKey(error: unknown): string | undefined
  /** Whether an error says that two transactions collided, nothing was done, and the statement can be repeated. */
  isCollision(error: unknown): boolean
}

/** How an engine creates, changes and inspects tables. */
interface SqlTables {
  /** Returns the type of a column. `place` is its table and field, for engines that limit the length of keys. */
  columnType(column: Column, place: string): string
  /** Returns the text after the closing bracket of CREATE TABLE, with a leading blank. */
  tableOptions(table: Table): string
  /** Whether CREATE TABLE creates the indexes, because CREATE INDEX cannot be repeated. */
  readonly indexesInTable: boolean
  /** The words with which CREATE TABLE does nothing if the table exists; `''` if the engine has none. */
  readonly ifNotExists: string
  /** Whether a unique key allows several rows without a value, as the standard says. */
  readonly nullsDiffer: boolean
  /** The default of a column that the database fills, by its type. */
  readonly generated?: Readonly<Partial<Record<ColumnType, string>>>
  /** Returns the value of existing rows if a required column is added. */
  zero(column: Column): string | undefined
  /** The words before a column in ALTER TABLE. */
  readonly addColumn: string
  /** Gives a column another type, or allows NULL if `loosen` is set. Missing if the table must be created again. */
  readonly alterColumn?: (
    table: string,
    column: string,
    to: AlteredColumn,
    loosen: boolean,
  ) => string
  /** Whether a foreign key can be added to an existing table. */
  readonly addsReferences: boolean
  /** Removes a foreign key, if its columns cannot be changed otherwise. */
  dropReference?(table: string, name: string): string
  /** Returns what is wrong with an existing column. */
  columnFault?(found: FoundColumn, column: Column, place: string): ColumnFault | undefined
  /** Returns what is wrong with the settings of the server, with the statements that fix it. */
  settingsFaults?(db: AnyDatabase): Promise<readonly { problem: string; statement: string }[]>
  /**
   * Statements that lock and unlock migrations, for engines that end a transaction at each change of a table. Other
   * engines use a transaction.
   */
  readonly migrationLock?: { readonly take: string; readonly release: string }
  /**
   * Returns the existing tables.
   *
   * @param schema the schema, if it is not the one of names without a schema.
   */
  inspect(db: AnyDatabase, schema: string | undefined): Promise<ReadonlyMap<string, FoundTable>>
}

export interface AlteredColumn {
  readonly type: string
  readonly nullable: boolean
}

/** A database and how to use it. */
export interface SqlStore {
  readonly db: AnyDatabase
  readonly dialect: SqlDialect
  /**
   * Reads without a promise, if the driver can. Returns `undefined` if the query must wait, because a transaction uses
   * the connection.
   */
  readonly readNow?: (sql: string, parameters: readonly unknown[]) => readonly Row[] | undefined
  /** Runs a query outside of transactions, if the driver has a shorter way than Kysely. */
  readonly run?: (query: CompiledQuery | NamedQuery) => Promise<QueryResult<Row>>
  /** Runs all of the queries or none. A store with this method has no interactive transactions. */
  readonly batch?: (queries: readonly CompiledQuery[]) => Promise<QueryResult<Row>[]>
}

/** Returns a Kysely instance as a store with a dialect. */
export function toStore(database: AnyDatabase | SqlStore, dialect: SqlDialect): SqlStore {
  return 'dialect' in database ? database : { db: database.withoutPlugins(), dialect }
}

/** The rows that {@link SqlDialect.inspect} reads: one for each column, and one for each part of an index. */
export interface InspectedColumn extends Omit<FoundColumn, 'nullable' | 'filled'> {
  readonly table: string
  readonly column: string
  readonly nullable: Flag
  readonly filled: Flag
}

export interface InspectedKey {
  readonly table: string
  readonly index: string
  readonly unique: Flag
  /** `null` for an expression. */
  readonly column: string | null
}

/** A boolean as a driver returns it: also a number, or a text of either. */
type Flag = unknown

function isSet(flag: Flag): boolean {
  return flag === 't' || flag === 'true' || Number(flag) === 1
}

/** @param keys the parts of keys, in the order of their columns. */
export function foundTables(
  columns: readonly InspectedColumn[],
  keys: readonly InspectedKey[],
  references: readonly FoundReference[],
): Map<string, FoundTable> {
  const tables = new Map<string, FoundTable>()
  for (const [table, members] of Map.groupBy(columns, ({ table }) => table)) {
    const own = keys.filter((key) => key.table === table)
    const found = members.map(
      ({ column, nullable, filled, ...member }) =>
        [column, { ...member, nullable: isSet(nullable), filled: isSet(filled) }] as const,
    )
    tables.set(table, {
      columns: new Map(found),
      unique: columnsByIndex(own.filter(({ unique }) => isSet(unique))),
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

/** Returns a member of an error of a driver. */
export function member(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null
    ? (error as Record<string, unknown>)[name]
    : undefined
}

/** For connections that return complete results. The adapter uses no streams. */
// oxlint-disable-next-line require-yield
export async function* noStream(): AsyncIterableIterator<never> {
  throw new Error(withDocs('this store does not support streaming', 'adapterCall'))
}
