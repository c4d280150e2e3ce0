import { clearCookie } from '../../http/cookies/cookies.ts'
import { json, type Outcome } from '../../http/outcome.ts'
import type { VisitAction } from './action.ts'

/** `GET csrf`: the token that forms must send. */
export const csrf: VisitAction = async (request, plan, { csrfToken }): Promise<Outcome> => {
  if (csrfToken !== undefined) return json({ csrfToken })
  plan.logger.warn('csrf-disabled')
  const cleared = clearCookie(plan.cookies(request.secure).csrfToken)
  return { kind: 'empty', status: 404, cookies: [cleared] }
}
