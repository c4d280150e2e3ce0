import { trusted, withParams } from '../http/safe-url.ts'
import { redirect } from '../outcome.ts'
import { errorPage } from '../pages/error.ts'
import { verifyRequestPage } from '../pages/verify-request.ts'
import { hostOf, type VisitAction } from './action.ts'

/** `GET error`: what went wrong, in a sentence. */
export const showError: VisitAction = async (request, plan) => {
  const error = request.query.get('error') ?? undefined
  if (plan.pages.error) {
    const params: Record<string, string> = error === undefined ? {} : { error }
    return redirect(trusted(withParams(plan.pages.error, params)))
  }
  const signInUrl = plan.pages.signIn ?? `${plan.basePath}/signin`
  return errorPage(plan.theme, { error, origin: request.origin, host: hostOf(request), signInUrl })
}

/** `GET verify-request`: a mail is on its way. */
export const showVerifyRequest: VisitAction = async (request, plan) => {
  if (plan.pages.verifyRequest) {
    const url = new URL(request.original.url)
    return redirect(trusted(plan.pages.verifyRequest + url.search))
  }
  return verifyRequestPage(plan.theme, { origin: request.origin, host: hostOf(request) })
}
