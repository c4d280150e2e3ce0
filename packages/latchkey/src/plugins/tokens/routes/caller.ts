import { type Call, type Host, Problem, type SafeUrl } from '../../../entries/plugin.ts'

/** The caller of a route that changes something. */
interface Caller {
  readonly userId: string
  readonly sid: string
}

/**
 * Reads from the store whether the session is active.
 *
 * @param page the target after a new sign-in.
 * @throws {Problem} `unauthenticated`
 */
export async function needCaller(
  current: Call['current'],
  host: Host,
  page: SafeUrl,
): Promise<Caller> {
  const userId = current?.facts.userId
  const sid = await current?.facts.sid()
  if (userId !== undefined && sid !== undefined) {
    const sessions = (await host.sessions.control()?.list(userId)) ?? []
    if (sessions.some((each) => each.sid === sid)) return { userId, sid }
  }
  throw new Problem('unauthenticated', 'the session was ended', {
    next: host.site.path('signin', { callbackUrl: page }),
  })
}
