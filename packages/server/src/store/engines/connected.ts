import { sql } from 'kysely'
import type { SqlStore } from 'latchkey/adapters/sql'
import type { Push } from 'latchkey/plugins/sessions'
import type { Log } from '../../observe/log.ts'

/** Limits for the use of a database server. */
export interface ServerLimits {
  /** Maximum number of connections. */
  readonly pool: number
  /** Maximum time in seconds for a connection, for a query, and for the first answer of the server at the start. */
  readonly timeout: number
  readonly log?: Log | undefined
}

/** One or several connections to a database server. */
export interface Connected {
  readonly sql: SqlStore
  /** How instances notify each other that a session was ended; `undefined` if the server does not support that. */
  readonly push?: Push | undefined
  close(): Promise<void>
}

/** @throws if the database does not answer. */
export async function answers({ db }: SqlStore): Promise<void> {
  await sql`SELECT 1`.execute(db)
}
