import { ReauthenticationRequired } from '../errors.ts'
import { type SafeUrl, trusted, withParams } from '../http/safe-url.ts'
import type { SessionPlan } from '../plan.ts'
import { Problem } from '../problem.ts'
import type { Visitor } from '../provider.ts'
import { isFresh, type Proved } from '../session/fresh.ts'
import type { SessionRequest } from '../session/strategy.ts'

/**
 * Checks that a person proved their identity in this session a short time ago.
 *
 * @throws {Problem} `reauthentication_required`, which redirects people to the sign-in page.
 */
export async function needFresh(
  session: Proved | null,
  seconds: number,
  callbackUrl: SafeUrl,
  plan: Pick<SessionPlan, 'basePath' | 'ports'>,
): Promise<void> {
  if (!session || !(await isFresh(session, seconds, plan.ports))) throw stale(plan, { callbackUrl })
}

/** Returns who is signed in in the browser of a request. */
export function visitorOf(request: SessionRequest, plan: SessionPlan): Visitor {
  const { session, watch, ports } = plan
  const visitor: Visitor = {
    user: () => session.currentUser(request),
    async isFresh() {
      if (!watch || watch.freshAge === Infinity) return true
      const current = await session.current(request)
      return current !== null && isFresh(current, watch.freshAge, ports)
    },
    async needFresh() {
      if (!(await visitor.isFresh())) throw new ReauthenticationRequired(stale(plan))
    },
  }
  return visitor
}

function stale(
  { basePath }: Pick<SessionPlan, 'basePath'>,
  back: { callbackUrl?: SafeUrl } = {},
): Problem {
  return new Problem('reauthentication_required', 'the last proof of identity is too old', {
    next: trusted(withParams(`${basePath}/signin`, back)),
  })
}
