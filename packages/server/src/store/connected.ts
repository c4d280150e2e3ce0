import { sql } from 'kysely'
import type { SqlStore } from 'latchkey/adapters/sql'
import type { Push } from 'latchkey/plugins/sessions'
import type { Log } from '../observe/log.ts'

/** How much of a database server is used, and how long it is waited for. */
export interface ServerLimits {
  /** Connections, at most. */
  readonly pool: number
  /** Seconds for a connection, for a query, and for the server to answer at the start. */
  readonly timeout: number
  readonly log?: Log | undefined
}

/** A connection, or many, to a database server. */
export interface Connected {
  readonly sql: SqlStore
  /** How instances tell each other that a session was ended; none where the server has no such thing. */
  readonly push?: Push | undefined
  close(): Promise<void>
}

/** @throws when it does not. */
export async function answers({ db }: SqlStore): Promise<void> {
  await sql`SELECT 1`.execute(db)
}
