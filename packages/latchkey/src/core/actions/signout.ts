import { SignOutError, toError } from '../../base/errors.ts'
import { redirect } from '../../http/outcome.ts'
import { arrivedAs, hostOf } from '../../http/request.ts'
import { signOutPage } from '../../pages/signout.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Leaving, SignedOut } from '../../plugin/hooks.ts'
import type { VisitAction } from './action.ts'
import { toOwnPage } from './own-page.ts'

/** `GET signout`: the page with a button to sign out. */
export const showSignOut: VisitAction = async (request, plan, { csrfToken }) =>
  toOwnPage(plan.pages.signOut, request) ??
  signOutPage(plan.theme, plan.texts(arrivedAs(request)), {
    csrfToken,
    host: hostOf(request),
    origin: request.origin,
    additions: (await plan.plugins?.actions.signOutPage(request)) ?? [],
  })

/**
 * `POST signout`: ends the session and redirects. The cookie is cleared only if the session ended: otherwise a copy of it
 * would still work.
 *
 * @throws {SignOutError} if the store fails, unless `signOutWithoutStore` is `clear`.
 */
export const signOut: VisitAction = async (request, plan, { callbackUrl }) => {
  try {
    const { cookies, ended, facts } = await plan.session.revoke(request)
    if (ended) await plan.emit('signOut', ended)
    const leaving = await leave({ request, facts, callbackUrl }, plan)
    return redirect(leaving?.to ?? callbackUrl, [...cookies, ...(leaving?.cookies ?? [])])
  } catch (error) {
    const failure = new SignOutError(toError(error))
    if (!plan.forgetsUnended) throw failure
    plan.logger.error(failure)
    return redirect(callbackUrl, plan.session.forget(request))
  }
}

/** Returns the redirect and the cookies of plugins. Their errors do not undo the sign-out. */
async function leave(signedOut: SignedOut, plan: Plan): Promise<Leaving | undefined> {
  try {
    return await plan.plugins?.actions.leave(signedOut)
  } catch (error) {
    plan.logger.error(toError(error))
    return undefined
  }
}
