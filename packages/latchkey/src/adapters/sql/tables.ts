import { type Member, members, primaryKeys, type RecordName } from '../records.ts'

/** The tables, called as the records that they hold. */
export type TableName = RecordName

/** What a column holds; how a store keeps it is the dialect's business. */
export type Content =
  /** Text that is looked up or compared: identifiers, addresses, tokens. */
  | 'key'
  /** Text of any length. */
  | 'text'
  /** A `Date`, to the millisecond. */
  | 'instant'
  /** A whole number beyond 32 bits. */
  | 'integer'
  | 'boolean'

/**
 * How a column keeps what it holds. The {@link Content}s are as the engine does it best; the others
 * are for tables that are there already.
 */
export type ColumnType =
  | Content
  /** Ids that are UUIDs in a type of their own, and numbers that the database gives. */
  | 'uuid'
  | 'serial'
  /** Instants: with a zone; without one, which is taken for UTC; both in the engine's own type. */
  | 'timestamptz'
  | 'timestamp'
  /** Instants as text: ISO 8601, and `2026-02-03 04:05:06.789 +00:00`. */
  | 'iso'
  | 'utc-text'
  /** Instants as milliseconds since 1970, the same as text, as seconds. */
  | 'ms'
  | 'ms-text'
  | 's'
  /** Any JSON value. */
  | 'json'

export interface Column {
  readonly content: ColumnType
  readonly nullable?: true
  /** Holds the id of a user and goes when they go. */
  readonly owner?: true
  /** Where the value comes from, if not from the resource. */
  readonly generated?: Generated
}

/**
 * `database`: a default of the column; we leave it out, and read it where it is the id of a user.
 * `uuid`: we make one for each row. `now`: the time of the last change.
 */
export type Generated = 'database' | 'uuid' | 'now'

export interface Table {
  readonly columns: Readonly<Record<string, Column>>
  readonly primaryKey: readonly string[]
  /** Further unique keys; `null` equals nothing. */
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
  /** Small rows that are found by primary key again and again: the store may keep them with it. */
  readonly clustered?: true
}

/** What a table has in addition to its columns. */
const keys: Readonly<Record<TableName, Omit<Table, 'columns' | 'primaryKey'>>> = {
  user: { unique: [['email']], indexes: [] },
  account: { unique: [], indexes: [['userId']] },
  session: { unique: [], indexes: [['userId'], ['expires']], clustered: true },
  verificationToken: { unique: [], indexes: [['expires']], clustered: true },
  authenticator: { unique: [], indexes: [['userId']] },
  record: { unique: [], indexes: [['userId', 'kind'], ['expires']] },
}

export const tableNames: readonly TableName[] = Object.keys(members) as TableName[]

export const tables: Readonly<Record<TableName, Table>> = Object.fromEntries(
  tableNames.map((name): [TableName, Table] => {
    const columns = Object.entries(members[name]).map(([field, member]) => [field, column(member)])
    return [
      name,
      { columns: Object.fromEntries(columns), primaryKey: primaryKeys[name], ...keys[name] },
    ]
  }),
) as Record<TableName, Table>

function column({ content, isKey, nullable, owner }: Member): Column {
  return {
    content: isKey ? 'key' : content,
    ...(nullable && { nullable }),
    ...(owner && { owner }),
  }
}
