import { trusted, withParams } from '../http/safe-url.ts'
import { type Outcome, redirect } from '../outcome.ts'
import { errorPage } from '../pages/error.ts'
import { verifyRequestPage } from '../pages/verify-request.ts'
import type { Plan } from '../plan.ts'
import { type AuthRequest, hostOf } from '../request.ts'
import type { ReadAction } from './action.ts'

/** `GET error`: what went wrong, in a sentence. */
export const showError: ReadAction = async (request, plan) => {
  const error = request.query.get('error') ?? undefined
  if (plan.pages.error) {
    const params: Record<string, string> = error === undefined ? {} : { error }
    return redirect(trusted(withParams(plan.pages.error, params)))
  }
  return builtInErrorPage(request, plan, error)
}

/** The built-in page, whatever page the application has. */
export function builtInErrorPage(
  request: AuthRequest,
  plan: Plan,
  error: string | undefined,
): Promise<Outcome> {
  const signInUrl = plan.pages.signIn ?? `${plan.basePath}/signin`
  return errorPage(plan.theme, { error, origin: request.origin, host: hostOf(request), signInUrl })
}

/** `GET verify-request`: a mail is on its way. */
export const showVerifyRequest: ReadAction = async (request, plan) => {
  if (plan.pages.verifyRequest) {
    const params = Object.fromEntries(request.query)
    return redirect(trusted(withParams(plan.pages.verifyRequest, params)))
  }
  return verifyRequestPage(plan.theme, { origin: request.origin, host: hostOf(request) })
}
