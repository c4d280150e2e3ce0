import type { Adapter } from 'latchkey/adapters'
import type { Finding, SqlStore } from 'latchkey/adapters/sql'
import type { Push } from 'latchkey/plugins/sessions'

/** Something that is open, and may be out of reach. */
export interface Opened {
  /** For people: where the data lies. Without a password. */
  readonly where: string
  /** Why it cannot be used at this moment, in a word, or `undefined`. */
  problem(): string | undefined | Promise<string | undefined>
  /** Whether what is written now would be lost. Cheap. */
  gone(): boolean
  close(): Promise<void>
}

/** A database, before anybody knows whether its tables fit. */
export interface Database extends Opened {
  readonly sql: SqlStore
  readonly push?: Push | undefined
  /** What the error of a failed write means, in a word. */
  wordFor(error: unknown): string
  /** @returns how many steps it took. */
  migrate(): Promise<number>
  findings(how?: { readonly rows: boolean }): Promise<readonly Finding[]>
}

/** Where everything is stored. */
export interface Store extends Opened {
  readonly adapter: Adapter
  /** How instances tell each other that a session was ended; none where each asks for itself. */
  readonly push?: Push | undefined
}
