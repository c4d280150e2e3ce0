import { ReauthenticationRequired } from '../base/errors.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { Visitor } from '../plan/provider.ts'
import { isFresh } from '../session/fresh.ts'
import type { SessionRequest } from '../session/strategy.ts'

/** Returns the signed-in user of the browser of a request. */
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
      if (!(await visitor.isFresh()))
        throw new ReauthenticationRequired('the last proof of identity is too old')
    },
  }
  return visitor
}
