import type { Adapter } from 'latchkey/adapters'
import type { Finding, SqlStore } from 'latchkey/adapters/sql'
import type { Push } from 'latchkey/plugins/sessions'

/** An open store, which may become unreachable. */
export interface Opened {
  /** Where the data is, as text for people, without a password. */
  readonly where: string
  /** Why the store cannot be used now, as a short code; `undefined` if it can. */
  problem(): string | undefined | Promise<string | undefined>
  /** Whether everything that is written now would be lost. It is fast enough for every request. */
  gone(): boolean
  close(): Promise<void>
}

/** An open database whose tables have not been checked. */
export interface Database extends Opened {
  readonly sql: SqlStore
  readonly push?: Push | undefined
  /** Returns a short code for the error of a failed write. */
  wordFor(error: unknown): string
  /** @returns the number of steps. */
  migrate(): Promise<number>
  findings(how?: { readonly rows: boolean }): Promise<readonly Finding[]>
}

/** The store of all data. */
export interface Store extends Opened {
  readonly adapter: Adapter
  /** How instances notify each other that a session was ended; `undefined` if each instance queries the store. */
  readonly push?: Push | undefined
}
