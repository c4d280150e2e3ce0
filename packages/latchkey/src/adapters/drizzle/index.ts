import type { Table } from 'drizzle-orm'
import { optionError, withDocs } from '../../base/option-error.ts'
import type { UserAdapter } from '../../model/adapter.ts'
import { checkClient, checkNames } from '../expected.ts'
import { rowAdapter } from '../rows/adapter.ts'
import { columnMapping } from './columns.ts'
import type { DrizzleDatabase } from './database.ts'
import { drizzleRows } from './rows.ts'
import { Turns } from './turns.ts'
import { checkDrizzle } from './version.ts'

export type { DrizzleDatabase } from './database.ts'

checkDrizzle()

/**
 * The tables of the application. The properties of a table have the names of the members of a record, for example
 * `emailVerified` and `access_token`. Columns may have any names and types, and there may be additional ones.
 */
export interface DrizzleTables {
  readonly user: Table
  readonly account: Table
  /** Needed for sessions in the database. */
  readonly session?: Table | undefined
  /** Needed for sign-in by mail. */
  readonly verificationToken?: Table | undefined
  /** Needed for passkeys. */
  readonly authenticator?: Table | undefined
  /** Needed for the records of plugins. */
  readonly record?: Table | undefined
}

export interface DrizzleAdapterOptions {
  /**
   * Source of user ids: `latchkey` (a UUID), or `column`, the default value of the column or the database.
   *
   * @default `'latchkey'`; `'column'` if ids are numbers
   */
  readonly ids?: 'latchkey' | 'column' | undefined
  /**
   * Whether transactions of the driver can stay open while the adapter waits.
   *
   * Set `false` for D1 and for Neon over HTTP.
   *
   * @default `true` for asynchronous drivers; `false` for better-sqlite3 and `bun:sqlite`
   */
  readonly transactions?: boolean | undefined
}

/** How the types of columns begin. */
const DIALECTS = ['pg', 'mysql', 'sqlite'] as const

/**
 * Creates an adapter that stores everything in tables that the application defines with Drizzle.
 *
 * @throws {Error} if the engine of the tables is not supported, or a column is missing.
 */
export function drizzleAdapter(
  db: DrizzleDatabase,
  tables: DrizzleTables,
  options: DrizzleAdapterOptions = {},
): UserAdapter {
  const methods = ['select', 'insert', 'update', 'delete']
  checkClient('drizzleAdapter', db, 'the result of drizzle(…)', methods)
  checkNames('drizzleAdapter', options, ['ids', 'transactions'])
  if (!(tables as unknown) || !(tables.user as unknown) || !(tables.account as unknown)) {
    throw optionError(
      'drizzleAdapter(): expected the tables as the second argument, at least { user, account }',
      'adapter',
    )
  }
  const { ids, transactions } = options
  const mappings = {
    user: columnMapping('user', tables.user),
    account: columnMapping('account', tables.account),
    session: tables.session && columnMapping('session', tables.session),
    verificationToken:
      tables.verificationToken && columnMapping('verificationToken', tables.verificationToken),
    authenticator: tables.authenticator && columnMapping('authenticator', tables.authenticator),
    record: tables.record && columnMapping('record', tables.record),
  }
  const { columnType, dataType } = mappings.user.columns['id'] ?? {}
  const dialect = DIALECTS.find((name) => columnType?.toLowerCase().startsWith(name))
  if (!dialect) {
    throw new Error(
      withDocs(
        `the tables for Drizzle are not of PostgreSQL, MySQL, MariaDB or SQLite: ${columnType}`,
        'adapter',
      ),
    )
  }
  const canWait = !('resultKind' in db) || db.resultKind !== 'sync'
  return rowAdapter(
    drizzleRows(db, {
      mappings,
      dialect,
      ids: ids ?? (dataType === 'string' ? 'latchkey' : 'column'),
      transactions: transactions ?? canWait,
      turns: new Turns(),
    }),
  )
}
