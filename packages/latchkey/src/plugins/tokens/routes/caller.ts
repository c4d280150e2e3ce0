import { type Call, type Host, Problem, type SafeUrl } from '../../../plugin-kit.ts'

/** Who asks, for something that changes what they have. */
interface Caller {
  readonly userId: string
  readonly sid: string
}

/**
 * Asks the store whether the session goes on, whatever its cookie says.
 *
 * @param page where people come back to after they signed in again.
 * @throws {Problem} `unauthenticated`
 */
export async function needCaller(
  current: Call['current'],
  host: Host,
  page: string,
): Promise<Caller> {
  const userId = current?.facts.userId
  const sid = await current?.facts.sid()
  if (userId !== undefined && sid !== undefined) {
    const sessions = (await host.sessions()?.list(userId)) ?? []
    if (sessions.some((each) => each.sid === sid)) return { userId, sid }
  }
  throw new Problem('unauthenticated', 'the session was ended', { next: signInAgain(host, page) })
}

/** @throws {Problem} `reauthentication_required`, which leads people to the sign-in page. */
export async function needFresh(
  current: Call['current'],
  seconds: number,
  host: Host,
  page: string,
): Promise<void> {
  const { auth_time: proved } = (await current?.facts.known()) ?? {}
  if (proved !== undefined && host.ports.now() / 1000 - proved <= seconds) return
  throw new Problem('reauthentication_required', 'the last proof of identity is too old', {
    next: signInAgain(host, page),
  })
}

function signInAgain(host: Host, page: string): SafeUrl {
  return host.path('signin', { callbackUrl: host.path(page) })
}
