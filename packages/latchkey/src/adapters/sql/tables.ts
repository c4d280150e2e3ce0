import type { RecordName } from '../records.ts'

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

const key: Column = { content: 'key' }
const owner: Column = { content: 'key', owner: true }
const text: Column = { content: 'text' }
const instant: Column = { content: 'instant' }
const integer: Column = { content: 'integer' }
const optional = (column: Column): Column => ({ ...column, nullable: true })

export const tables: Readonly<Record<TableName, Table>> = {
  user: {
    columns: {
      id: key,
      name: optional(text),
      email: optional(key),
      emailVerified: optional(instant),
      image: optional(text),
    },
    primaryKey: ['id'],
    unique: [['email']],
    indexes: [],
  },
  account: {
    columns: {
      userId: owner,
      type: text,
      provider: key,
      providerAccountId: key,
      refresh_token: optional(text),
      access_token: optional(text),
      expires_at: optional(integer),
      token_type: optional(text),
      scope: optional(text),
      id_token: optional(text),
      session_state: optional(text),
    },
    primaryKey: ['provider', 'providerAccountId'],
    unique: [],
    indexes: [['userId']],
  },
  session: {
    columns: { sessionToken: key, userId: owner, expires: instant },
    primaryKey: ['sessionToken'],
    unique: [],
    indexes: [['userId'], ['expires']],
    clustered: true,
  },
  verificationToken: {
    columns: { identifier: key, token: key, expires: instant },
    primaryKey: ['identifier', 'token'],
    unique: [],
    indexes: [['expires']],
    clustered: true,
  },
  authenticator: {
    columns: {
      credentialID: key,
      userId: owner,
      providerAccountId: key,
      credentialPublicKey: text,
      counter: integer,
      credentialDeviceType: text,
      credentialBackedUp: { content: 'boolean' },
      transports: optional(text),
    },
    primaryKey: ['credentialID'],
    unique: [],
    indexes: [['userId']],
  },
  record: {
    columns: {
      kind: key,
      key,
      // No reference, and no id of the layout's type: whose it is may be in another store, or in none.
      userId: optional(key),
      data: text,
      version: integer,
      createdAt: instant,
      expires: optional(instant),
    },
    primaryKey: ['kind', 'key'],
    unique: [],
    indexes: [['userId', 'kind'], ['expires']],
  },
}

export const tableNames: readonly TableName[] = Object.keys(tables) as TableName[]
