import { type Adapter, atomic } from 'latchkey/adapters'
import type { Found } from './report.ts'

/** Most users that are looked for: a check takes seconds, whatever the size of the store. */
const MOST_USERS = 500

/** What is read of a session's record. */
interface SessionRecord {
  /** Milliseconds since the epoch; when it ends unless it is used. */
  readonly until?: number
  readonly ended?: object
  /** The provider with which it began. */
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
 * Looks for sessions that go on although their user was deleted: past `latchkey.adapter`, nobody ends them.
 *
 * @param providers whose users are always stored; those of a credentials provider may be nowhere.
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
