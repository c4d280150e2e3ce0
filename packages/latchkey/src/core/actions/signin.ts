import { redirect } from '../../http/outcome.ts'
import { arrivedAs, hostOf } from '../../http/request.ts'
import { trusted } from '../../http/safe-url.ts'
import { signInPage } from '../../pages/signin.ts'
import type { VisitAction } from './action.ts'
import { initiatedSignIn } from './initiated-sign-in.ts'
import { needProvider } from './need-provider.ts'
import { toOwnPage } from './own-page.ts'

/** `GET signin`: the page with all ways to sign in; with a provider, a sign-in that the provider begins. */
export const showSignIn: VisitAction = async (request, plan, visit) => {
  if (request.providerId !== undefined) return initiatedSignIn(request, plan, visit)
  const { csrfToken, callbackUrl } = visit
  const error = request.query.get('error') || undefined
  const isCancelled = error !== undefined && request.query.get('code') === 'access_denied'
  const params = { callbackUrl, ...(error ? { error } : {}) }
  return (
    toOwnPage(plan.pages.signIn, request, params) ??
    signInPage(plan, plan.texts(arrivedAs(request)), {
      csrfToken,
      callbackUrl,
      error,
      cancelled: isCancelled
        ? plan.provider(request.query.get('provider') ?? undefined)?.config.name
        : undefined,
      host: hostOf(request),
      email: request.query.get('email') ?? undefined,
    })
  )
}

/** `POST signin/{id}`: begins the sign-in; without a provider, redirects to the sign-in page. */
export const signIn: VisitAction = async (request, plan, visit) => {
  if (request.providerId === undefined) return redirect(trusted(`${request.base}/signin`))
  return needProvider(request, plan).begin(request, visit)
}
