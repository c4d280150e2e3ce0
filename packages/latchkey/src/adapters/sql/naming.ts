import type { ColumnType, Generated } from './tables.ts'

/** Layouts that databases have which other adapters were used with. */
export type Preset =
  /** Our own. */
  | 'singular'
  | 'pascal'
  | 'plural'
  | 'snake-plural'
  | 'snake'
  /** Those of Auth.js' adapters. */
  | 'pg'
  | 'drizzle'
  | 'prisma'
  | 'typeorm'
  | 'kysely'
  | 'd1'
  | 'supabase'
  | 'sequelize'
  | 'mikro-orm'

/** How tables and columns are called, and how their values are kept, where it is not our way. */
export interface Naming {
  readonly user?: TableNaming | undefined
  readonly account?: TableNaming | undefined
  readonly session?: TableNaming | undefined
  readonly verificationToken?: TableNaming | undefined
  /** `false`: there is no such table, and so no passkeys. */
  readonly authenticator?: TableNaming | false | undefined
  /** The table of records, where `records` says that it is used. */
  readonly record?: TableNaming | undefined
  /**
   * Where to begin; all else changes that.
   *
   * @default 'singular'
   */
  readonly preset?: Preset | undefined
  /** The schema that the tables are in (a database, in MySQL), if they are not found without it. */
  readonly schema?: string | undefined
  /** Stands before the name of each table. */
  readonly prefix?: string | undefined
  /** How all dates are kept. */
  readonly instants?: ColumnType | undefined
  /** How ids of users are kept, and all references to them. */
  readonly ids?: 'key' | 'uuid' | 'serial' | undefined
  /**
   * Who makes the ids of users. `database`: a default of the column; a function: it does. Then the id
   * that is asked for is not used.
   *
   * @default 'core', but 'database' for `serial`
   */
  readonly generateId?: 'core' | 'database' | (() => string) | undefined
}

export interface TableNaming {
  readonly table?: string | undefined
  /**
   * The columns by the names of our fields. Those of a user, an account or a session that we do not
   * have are fields of yours: they are stored and come back. `false`: the table has no such column.
   */
  readonly columns?: Readonly<Record<string, string | false | ColumnNaming>> | undefined
  /**
   * A column, of JSON, for all that has no column of its own: members of a profile or of a token response
   * that nobody knew before. They come back where they were.
   */
  readonly rest?: string | undefined
}

export interface ColumnNaming {
  /** @default the name of the field */
  readonly name?: string | undefined
  /** @default as our own tables have it; `text` for fields of yours */
  readonly type?: ColumnType | undefined
  /** Who fills it. Then it is no field: it does not come back. */
  readonly generated?: Generated | undefined
}
