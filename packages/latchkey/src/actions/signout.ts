import { SignOutError, toError } from '../errors.ts'
import { redirect } from '../outcome.ts'
import { signOutPage } from '../pages/signout.ts'
import { hostOf } from '../request.ts'
import type { VisitAction } from './action.ts'
import { toOwnPage } from './own-page.ts'

/** `GET signout`: asks first. */
export const showSignOut: VisitAction = async (request, plan, { csrfToken }) =>
  toOwnPage(plan.pages.signOut, request) ??
  signOutPage(plan.theme, plan.texts(request.original), {
    csrfToken,
    host: hostOf(request),
    origin: request.origin,
  })

/**
 * `POST signout`: ends the session and goes back. The cookie is cleared together with the session: a copy of it
 * would live on otherwise.
 *
 * @throws {SignOutError} when the store fails, unless the application prefers a browser that forgets.
 */
export const signOut: VisitAction = async (request, plan, { callbackUrl }) => {
  try {
    const { cookies, ended } = await plan.session.revoke(request)
    if (ended) await plan.emit('signOut', ended)
    return redirect(callbackUrl, cookies)
  } catch (error) {
    const failure = new SignOutError(toError(error))
    if (!plan.forgetsUnended) throw failure
    plan.logger.error(failure)
    return redirect(callbackUrl, plan.session.forget(request))
  }
}
