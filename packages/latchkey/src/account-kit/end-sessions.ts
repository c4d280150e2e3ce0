import type { Host } from '../plugin/host.ts'
import type { EndReason } from '../session/end-reason.ts'
import type { SessionFacts } from '../session/facts.ts'

/**
 * Ends the sessions of a user, after a way into the account was changed. Sealed sessions need the plugin `sessions`.
 *
 * @param except a session that stays.
 * @returns how many ended.
 */
export async function endSessions(
  userId: string,
  reason: Exclude<EndReason, 'failed'>,
  host: Pick<Host, 'sessions' | 'store'>,
  except?: SessionFacts,
): Promise<number> {
  const control = host.sessions.control()
  if (control)
    return control.endAll(userId, { reason, ...(except && { except: await except.sid() }) })
  const { deleteSessionsByUserId } = host.store?.atomic ?? {}
  return (await deleteSessionsByUserId?.(userId, except?.key)) ?? 0
}
