import type { Push } from '../../../model/push.ts'

/** How sealed sessions are ended at once. */
export interface RevocationsOptions {
  /** Milliseconds after which nobody takes a session any more that was ended, 100 to 60000. @default 1000 */
  readonly bound?: number | undefined
  /**
   * What a read does when what this process knows is older than `bound`. `read`: it waits until the store was asked,
   * two seconds at most. `refuse`: the session cannot be read at once, and the store is asked all the time.
   *
   * @default 'read'
   */
  readonly stale?: 'read' | 'refuse' | undefined
  /**
   * Tells other processes at once: `postgresPush(pool)` of `latchkey/adapters/sql/push`, `redisPush(client)` of
   * `latchkey/adapters/redis/push`. Without it they ask every half of `bound`.
   */
  readonly push?: Push | undefined
  /**
   * Answers verifiers elsewhere, `revocations({ … })` of `latchkey/verify/revocations`, at `/auth/revocations`: they have
   * the secret, and no store.
   *
   * @default false
   */
  readonly endpoint?: boolean | undefined
  /** So many ended sessions are kept in memory; with more, each read asks the store. @default 4194304 */
  readonly maxEntries?: number | undefined
}

/** The same with their defaults. */
export interface RevocationSettings {
  readonly bound: number
  readonly stale: 'read' | 'refuse'
  readonly push: Push | undefined
  readonly endpoint: boolean
  readonly maxEntries: number
}

/** @throws TypeError for an option that is none. */
export function revocationSettings({
  bound = 1000,
  stale = 'read',
  push,
  endpoint = false,
  maxEntries = 4_194_304,
}: RevocationsOptions): RevocationSettings {
  if (!(Number.isSafeInteger(bound) && bound >= 100 && bound <= 60_000)) {
    throw new TypeError(
      `sessions(): \`revocations.bound\` must be 100 to 60000 milliseconds, got ${String(bound)}`,
    )
  }
  if (stale !== 'read' && stale !== 'refuse') {
    throw new TypeError(
      `sessions(): \`revocations.stale\` must be one of read, refuse, got ${JSON.stringify(stale)}`,
    )
  }
  if (!(Number.isSafeInteger(maxEntries) && maxEntries >= 1)) {
    throw new TypeError(
      `sessions(): \`revocations.maxEntries\` must be a whole number from 1 on, got ${String(maxEntries)}`,
    )
  }
  if (push !== undefined && typeof push?.listen !== 'function') {
    throw new TypeError(
      'sessions(): `revocations.push` must be what `postgresPush(pool)` or `redisPush(client)` returns',
    )
  }
  return { bound, stale, push, endpoint, maxEntries }
}
