import { indexes, type Member, members, primaryKeys, type RecordName } from '../records.ts'

/** The tables, named after their records. */
export type TableName = RecordName

/** What a column holds. The dialect decides how it is stored. */
export type Content =
  /** Text that is compared and looked up: identifiers, addresses, tokens. */
  | 'key'
  /** Text of any length. */
  | 'text'
  /** A `Date`, to the millisecond. */
  | 'instant'
  /** A whole number beyond 32 bits. */
  | 'integer'
  | 'boolean'

/**
 * How a column stores its content. The types of {@link Content} are the best ones of the engine. The others are for
 * existing tables.
 */
export type ColumnType =
  | Content
  /** Ids: UUIDs in their own type, and numbers that the database generates. */
  | 'uuid'
  | 'serial'
  /** Dates in the types of the engine: with a time zone, and without one, which is read as UTC. */
  | 'timestamptz'
  | 'timestamp'
  /** Dates as text: ISO 8601, and `2026-02-03 04:05:06.789 +00:00`. */
  | 'iso'
  | 'utc-text'
  /** Dates as milliseconds since 1970, as the same number in a text, and as seconds. */
  | 'ms'
  | 'ms-text'
  | 's'
  /** Any JSON value. */
  | 'json'

export interface Column {
  readonly content: ColumnType
  readonly nullable?: true
  /** The id of a user, with whom the row is deleted. */
  readonly owner?: true
  /** The source of the value, if it is not the resource. */
  readonly generated?: Generated
}

/**
 * `database`: a default of the column. The adapter does not write it, and reads it if it is the id of a user. `uuid`:
 * the adapter creates one for each row. `now`: the time of the last change.
 */
export type Generated = 'database' | 'uuid' | 'now'

export interface Table {
  readonly columns: Readonly<Record<string, Column>>
  readonly primaryKey: readonly string[]
  /** Further unique keys; `null` equals no other value. */
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
  /** Small rows that are often found by their primary key. The engine may store them in its index. */
  readonly clustered?: true
}

export const tableNames: readonly TableName[] = Object.keys(members) as TableName[]

/** Tables with small rows that are found by their primary key. */
const CLUSTERED: readonly TableName[] = ['session', 'verificationToken']

export const tables: Readonly<Record<TableName, Table>> = Object.fromEntries(
  tableNames.map((name): [TableName, Table] => {
    const columns = Object.entries(members[name]).map(([field, member]) => [field, column(member)])
    const table: Table = {
      columns: Object.fromEntries(columns),
      primaryKey: primaryKeys[name],
      unique: name === 'user' ? [['email']] : [],
      indexes: indexes[name],
      ...(CLUSTERED.includes(name) && { clustered: true }),
    }
    return [name, table]
  }),
) as Record<TableName, Table>

function column({ content, isKey, nullable, owner }: Member): Column {
  return {
    content: isKey ? 'key' : content,
    ...(nullable && { nullable }),
    ...(owner && { owner }),
  }
}
