import { AccessDenied } from '../base/errors.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { SessionRequest } from '../session/strategy.ts'

/**
 * Checks that a browser sent a request, and not a program with a token in a header. A program begins no session in a cookie
 * and adds no way to sign in, since both would outlast its token.
 *
 * @throws {AccessDenied}
 */
export function needBrowser(request: SessionRequest, { session }: SessionPlan): void {
  if (!session.isCarried(request)) return
  throw new AccessDenied(
    'a request with a token in a header cannot sign in, or add a way to sign in; use a browser',
  )
}
