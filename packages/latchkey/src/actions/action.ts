import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { Visit } from '../provider.ts'
import type { AuthRequest } from '../request.ts'

/** Answers a request that changes nothing and needs nothing of the visitor but their session. */
export type ReadAction = (request: AuthRequest, plan: Plan) => Promise<Outcome>

/** Answers a request for which the visitor's CSRF token and callback URL matter. */
export type VisitAction = (request: AuthRequest, plan: Plan, visit: Visit) => Promise<Outcome>
