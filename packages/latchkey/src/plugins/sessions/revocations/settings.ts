import { checkOptions, optionError, type Push } from '../../../entries/plugin.ts'

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

/** @throws {TypeError} for an invalid option. */
export function revocationSettings(options: RevocationsOptions): RevocationSettings {
  checkOptions(
    'sessions',
    options,
    { bound: true, stale: true, push: true, endpoint: 'boolean', maxEntries: true },
    { member: 'revocations', expected: 'false or an object' },
  )
  const { bound = 1000, stale = 'read', push, endpoint = false, maxEntries = 4_194_304 } = options
  if (!(Number.isSafeInteger(bound) && bound >= 100 && bound <= 60_000)) {
    throw optionError(
      `sessions(): \`revocations.bound\` must be 100 to 60000 milliseconds, got ${String(bound)}`,
      'sessions',
    )
  }
  if (stale !== 'read' && stale !== 'refuse') {
    throw optionError(
      `sessions(): \`revocations.stale\` must be one of read, refuse, got ${JSON.stringify(stale)}`,
      'sessions',
    )
  }
  if (!(Number.isSafeInteger(maxEntries) && maxEntries >= 1)) {
    throw optionError(
      `sessions(): \`revocations.maxEntries\` must be a whole number from 1 on, got ${String(maxEntries)}`,
      'sessions',
    )
  }
  if (push !== undefined && typeof push?.listen !== 'function') {
    throw optionError(
      'sessions(): `revocations.push` must be the result of `postgresPush(pool)` or `redisPush(client)`',
      'sessions',
    )
  }
  return { bound, stale, push, endpoint, maxEntries }
}
