import type { ColumnType, Generated } from './tables.ts'

/** Names of the layouts of tables: the default, and those of other adapters. */
export type Preset =
  /** The default layout and its variants. */
  | 'singular'
  | 'pascal'
  | 'plural'
  | 'snake-plural'
  | 'snake'
  /** The layouts of the adapters of Auth.js. */
  | 'pg'
  | 'drizzle'
  | 'prisma'
  | 'typeorm'
  | 'kysely'
  | 'd1'
  | 'supabase'
  | 'sequelize'
  | 'mikro-orm'

/** Names of tables and columns and the types of their values, if they differ from the default layout. */
export interface Naming {
  /** Name and columns of the table of users. */
  readonly user?: TableNaming | undefined
  /** Name and columns of the table of accounts. */
  readonly account?: TableNaming | undefined
  /** Name and columns of the table of sessions. */
  readonly session?: TableNaming | undefined
  /** Name and columns of the table of verification tokens. */
  readonly verificationToken?: TableNaming | undefined
  /**
   * Name and columns of the table of passkeys.
   *
   * `false` means that there is no such table, and no passkeys.
   */
  readonly authenticator?: TableNaming | false | undefined
  /** Name and columns of the table of plugins' records, if a plugin needs it. */
  readonly record?: TableNaming | undefined
  /**
   * The preset that the other options change.
   *
   * @default 'singular'
   * @see docs/reference/schema.md#presets
   */
  readonly preset?: Preset | undefined
  /** The schema of the tables; in MySQL a database. */
  readonly schema?: string | undefined
  /** Prefix of all table names. */
  readonly prefix?: string | undefined
  /**
   * Type of all dates.
   *
   * @default that of the preset
   * @see docs/reference/schema.md#types-of-columns
   */
  readonly instants?: ColumnType | undefined
  /**
   * Type of user ids and of all references to them: `key` (text), `uuid` or `serial`.
   *
   * MySQL returns only generated numbers, and SQL Server returns no generated ids.
   *
   * @default that of the preset
   */
  readonly ids?: 'key' | 'uuid' | 'serial' | undefined
  /**
   * Source of user ids: `core` (Latchkey), `database` (a default of the column), or a function.
   *
   * With `ids: 'serial'` it is always `'database'`.
   *
   * @default `'core'`, with `serial` `'database'`
   */
  readonly generateId?: 'core' | 'database' | (() => string) | undefined
}

export interface TableNaming {
  /** Name of the table. */
  readonly table?: string | undefined
  /**
   * The columns, by field: a name, an object, or `false` if the table has no such column.
   *
   * Fields of users, accounts and sessions that Latchkey does not have are your own: they are stored and returned. If
   * a resource does not have one of them, the column gets its default.
   */
  readonly columns?: Readonly<Record<string, string | false | ColumnNaming>> | undefined
  /**
   * A JSON column for members without their own column, for example of a profile or a token response.
   *
   * They are returned in their original place.
   */
  readonly rest?: string | undefined
}

export interface ColumnNaming {
  /** Name of the column. @default the name of the field */
  readonly name?: string | undefined
  /**
   * Type of the column.
   *
   * @default as in the default tables; `text` for your own fields
   * @see docs/reference/schema.md#types-of-columns
   */
  readonly type?: ColumnType | undefined
  /** Who fills the column; the adapter then does not return it. @see docs/reference/schema.md#generated-columns */
  readonly generated?: Generated | undefined
}
