import { SignOutError, toError } from '../../base/errors.ts'
import { redirect } from '../../http/outcome.ts'
import { type AuthRequest, arrivedAs } from '../../http/request.ts'
import { type SafeUrl, trusted } from '../../http/safe-url.ts'
import { siteOf } from '../../page-kit/site.ts'
import { signedOutPage, signOutPage } from '../../pages/signout.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Leaving, SignedOut } from '../../plugin/hooks.ts'
import type { CurrentSession } from '../../session/strategy.ts'
import type { VisitAction } from './action.ts'
import { toOwnPage } from './own-page.ts'

/** `GET signout`: the page with a button to sign out; for nobody, the page that says so. */
export const showSignOut: VisitAction = async (request, plan, { csrfToken }) => {
  const own = toOwnPage(plan.pages.signOut, request)
  if (own) return own
  const site = siteOf(request, plan)
  const texts = plan.texts(arrivedAs(request))
  const current = await currentOf(request, plan)
  if (current === null)
    return signedOutPage(site, texts, { signInUrl: plan.pages.signIn || `${plan.basePath}/signin` })
  return signOutPage(site, texts, {
    csrfToken,
    person: current?.user.email ?? current?.user.name ?? undefined,
    additions: (await plan.plugins?.actions.signOutPage(request)) ?? [],
  })
}

/**
 * `POST signout`: ends the session and redirects. The cookie is cleared only if the session ended: otherwise a copy of it
 * would still work.
 *
 * @throws {SignOutError} if the store fails, unless `signOutWithoutStore` is `clear`.
 */
export const signOut: VisitAction = async (request, plan, visit) => {
  const callbackUrl = targetOf(visit.callbackUrl, request)
  try {
    const waiting = (await plan.plugins?.gates?.leave(request)) ?? []
    const { cookies, ended, facts } = await plan.session.revoke(request)
    if (ended) await plan.emit('signOut', ended)
    const leaving = await leave({ request, facts, callbackUrl }, plan)
    return redirect(leaving?.to ?? callbackUrl, [
      ...cookies,
      ...waiting,
      ...(leaving?.cookies ?? []),
    ])
  } catch (error) {
    const failure = new SignOutError(toError(error))
    if (!plan.forgetsUnended) throw failure
    plan.logger.error(failure)
    return redirect(callbackUrl, plan.session.forget(request))
  }
}

/** Returns the session; `undefined` if it cannot be read, since people can sign out all the same. */
async function currentOf(
  request: AuthRequest,
  plan: Plan,
): Promise<CurrentSession | null | undefined> {
  try {
    return await plan.session.current(request)
  } catch (error) {
    plan.logger.error(toError(error))
    return undefined
  }
}

/** Returns where a sign-out leads: a page of an account leads to the one that says that nobody is signed in. */
function targetOf(callbackUrl: SafeUrl, { base }: AuthRequest): SafeUrl {
  return callbackUrl.startsWith(`${base}/`) ? trusted(`${base}/signout`) : callbackUrl
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
