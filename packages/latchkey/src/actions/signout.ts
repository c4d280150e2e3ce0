import { SignOutError, toError } from '../errors.ts'
import { redirect } from '../outcome.ts'
import { signOutPage } from '../pages/signout.ts'
import { hostOf } from '../request.ts'
import type { VisitAction } from './action.ts'
import { toOwnPage } from './own-page.ts'

/** `GET signout`: asks first. */
export const showSignOut: VisitAction = async (request, plan, { csrfToken }) =>
  toOwnPage(plan.pages.signOut, request) ??
  signOutPage(plan.theme, { csrfToken, host: hostOf(request), origin: request.origin })

/** `POST signout`: ends the session and goes back. The browser forgets it even when the store fails. */
export const signOut: VisitAction = async (request, plan, { callbackUrl }) => {
  try {
    const { cookies, ended } = await plan.session.revoke(request)
    if (ended) await plan.emit('signOut', ended)
    return redirect(callbackUrl, cookies)
  } catch (error) {
    plan.logger.error(new SignOutError(toError(error)))
    return redirect(callbackUrl, plan.session.forget(request))
  }
}
