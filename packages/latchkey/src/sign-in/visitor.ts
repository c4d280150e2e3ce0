import { ReauthenticationRequired } from '../base/errors.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { Visitor } from '../plan/provider.ts'
import { meets } from '../session/proof/step-up.ts'
import type { SessionRequest } from '../session/strategy.ts'
import { wholeNeed } from './whole-need.ts'

/** Returns the signed-in user of the browser of a request. */
export function visitorOf(request: SessionRequest, plan: SessionPlan): Visitor {
  const { session, watch, ports } = plan
  const visitor: Visitor = {
    user: () => session.currentUser(request),
    async isFresh() {
      if (!watch || watch.freshAge === Infinity) return true
      const current = await session.current(request)
      if (!current) return false
      // With as many factors as the account has: what is added now may sign in alone later.
      const need = await wholeNeed(current, { maxAge: watch.freshAge }, plan)
      return meets(current, need, ports)
    },
    async needFresh() {
      if (!(await visitor.isFresh()))
        throw new ReauthenticationRequired('the last proof of identity is too old')
    },
  }
  return visitor
}
