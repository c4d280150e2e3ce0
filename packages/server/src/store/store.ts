import type { Adapter } from 'latchkey/adapters'

/** An opened database. */
export interface Store {
  readonly adapter: Adapter
  /** For people: where the data lies. Without a password. */
  readonly where: string
  /** Why it cannot be used at this moment, in a word, or `undefined`. */
  problem(): string | undefined
  /** Whether what is written now would be lost. Cheap. */
  gone(): boolean
  close(): Promise<void>
}
