import { type SafeUrl, trusted, withParams } from '../http/safe-url.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { Problem } from '../plugin/problem.ts'
import { isFresh, type Proved } from '../session/fresh.ts'

/**
 * Checks that a person proved their identity in this session recently.
 *
 * @throws {Problem} `reauthentication_required`, which redirects people to the sign-in page.
 */
export async function needFresh(
  session: Proved | null,
  seconds: number,
  callbackUrl: SafeUrl,
  { basePath, ports }: Pick<SessionPlan, 'basePath' | 'ports'>,
): Promise<void> {
  if (session && (await isFresh(session, seconds, ports))) return
  throw new Problem('reauthentication_required', 'the last proof of identity is too old', {
    next: trusted(withParams(`${basePath}/signin`, { callbackUrl })),
  })
}
