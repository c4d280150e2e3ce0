import {
  checkOptions,
  type OptionRule,
  oneOf,
  type Push,
  wholeNumber,
} from '../../../entries/plugin.ts'

/** How sealed sessions are ended at once. */
export interface RevocationsOptions {
  /** Milliseconds until every process refuses a session that was ended: 100 to 60000. @default 1000 */
  readonly bound?: number | undefined
  /**
   * What a read does if its process has not read the log within `bound`: `read` or `refuse`.
   *
   * With `'read'` the read waits for the log, two seconds at most. With `'refuse'` the session cannot be read.
   *
   * @default 'read'
   */
  readonly stale?: 'read' | 'refuse' | undefined
  /**
   * Notifies other processes at once: `postgresPush(pool)` or `redisPush(client)`.
   *
   * The functions are in `latchkey/adapters/sql/push` and `latchkey/adapters/redis/push`. Without it, processes read
   * the log every half of `bound`.
   *
   * @default none
   */
  readonly push?: Push | undefined
  /**
   * Serves `/auth/revocations` for verifiers on other machines.
   *
   * A verifier is `revocations({ … })` of `latchkey/verify/revocations`. It has the secret, and no store.
   *
   * @default false
   */
  readonly endpoint?: boolean | undefined
  /**
   * Number of ended sessions in memory, 12 to 32 bytes each.
   *
   * With more ended sessions, each read asks the store.
   *
   * @default 4194304
   */
  readonly maxEntries?: number | undefined
}

/** The options with their defaults. */
export interface RevocationSettings {
  readonly bound: number
  readonly stale: 'read' | 'refuse'
  readonly push: Push | undefined
  readonly endpoint: boolean
  readonly maxEntries: number
}

const PUSH: OptionRule = {
  expected: 'the result of `postgresPush(pool)` or `redisPush(client)`',
  fits: (value) => typeof Object(value).listen === 'function',
}

/** @throws {TypeError} for an invalid option. */
export function revocationSettings(options: RevocationsOptions): RevocationSettings {
  checkOptions(
    'sessions',
    options,
    {
      bound: wholeNumber(100, 60_000, 'milliseconds'),
      stale: oneOf('read', 'refuse'),
      push: PUSH,
      endpoint: 'boolean',
      maxEntries: wholeNumber(1),
    },
    { member: 'revocations', expected: 'false or an object' },
  )
  const { bound = 1000, stale = 'read', push, endpoint = false, maxEntries = 4_194_304 } = options
  return { bound, stale, push, endpoint, maxEntries }
}
