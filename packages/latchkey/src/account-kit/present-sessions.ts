import type { Host } from '../plugin/host.ts'
import { endSessions } from './end-sessions.ts'

/** Ends the sessions that a user had at a moment. */
export interface PresentSessions {
  /** Call it after a proof, and before the session begins. */
  before(): Promise<void>
  /** Call it after the session has begun. */
  after(): Promise<void>
}

/**
 * Returns what ends the sessions which a user has now. It leaves those that begin in the meantime: ending all would also end
 * the sign-in that is under way.
 */
export async function presentSessions(
  userId: string,
  reason: Parameters<typeof endSessions>[1],
  host: Pick<Host, 'sessions' | 'store'>,
): Promise<PresentSessions> {
  const control = host.sessions.control()
  const present = (await control?.list(userId)) ?? []
  return {
    async before() {
      if (!control) await endSessions(userId, reason, host)
    },
    async after() {
      for (const { sid } of present) await control?.end(userId, sid, { reason })
    },
  }
}
