import type { Outcome } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Visit } from '../../plan/provider.ts'

/** An action that needs only the session of the visitor. */
export type ReadAction = (request: AuthRequest, plan: Plan) => Promise<Outcome>

/** An action that also needs the CSRF token and the callback URL of the visitor. */
export type VisitAction = (request: AuthRequest, plan: Plan, visit: Visit) => Promise<Outcome>
