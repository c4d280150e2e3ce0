import { type Adapter, atomic } from 'latchkey/adapters'
import type { Found } from './report.ts'

/** Maximum number of users to look up, so that the check takes seconds for any size of the store. */
const MOST_USERS = 500

/** The members of a session's record that the check reads. */
interface SessionRecord {
  /** Milliseconds since the epoch at which the session ends if it is not used. */
  readonly until?: number
  readonly ended?: object
  /** The provider of the first sign-in. */
  readonly provider?: string
}

/** Returns the records of all sessions, page by page. */
async function* sessionRecords(adapter: Adapter): AsyncGenerator<{
  readonly data: object
  readonly userId?: string | undefined
}> {
  const { listRecords } = adapter[atomic] ?? {}
  let after: string | undefined
  do {
    const page = await listRecords?.({
      kind: 'session',
      limit: 1000,
      ...(after !== undefined && { after }),
    })
    yield* page?.records ?? []
    after = page?.next ?? undefined
  } while (after !== undefined)
}

/**
 * Looks for sessions that continue although their user was deleted: if an application deletes a user without
 * `latchkey.adapter`, nothing ends the sessions.
 *
 * @param providers whose users are always stored; users of a credentials provider may not be.
 * @param now milliseconds since the epoch.
 */
export async function checkDeletedUsers(
  adapter: Adapter,
  providers: ReadonlySet<string>,
  now: number,
  found: (finding: Found) => void,
): Promise<void> {
  const isGone = new Map<string, boolean>()
  let many = 0
  for await (const { data, userId } of sessionRecords(adapter)) {
    const { until = 0, ended, provider = '' } = data as SessionRecord
    if (userId === undefined || ended || until <= now || !providers.has(provider)) continue
    if (!isGone.has(userId)) {
      if (isGone.size >= MOST_USERS) continue
      isGone.set(userId, !(await adapter.getUser?.(userId)))
    }
    if (isGone.get(userId)) many++
  }
  if (many === 0) return
  const users = [...isGone.values()].filter(Boolean).length
  found({
    seen: `${many} sessions are valid, but their users (${users}) are not in the store: they were deleted with the bare adapter or in the database`,
    fix: 'delete users with latchkey.adapter.deleteUser(id), the adapter that createLatchkey returns; end these sessions with latchkey.api.sessions.endAll({ userId })',
  })
}
