import { callback } from './actions/callback.ts'
import { signIn } from './actions/signin.ts'
import { signOut } from './actions/signout.ts'
import { withProviders } from './compile/providers.ts'
import { trusted, withParams } from './http/safe-url.ts'
import { type Outcome, redirect, withCookies } from './outcome.ts'
import type { SessionPlan } from './plan.ts'
import type { AuthRequest } from './request.ts'
import { readVisit } from './sign-in/visit.ts'

export { failure } from './answers.ts'

/** What the forms of our pages do, begun by the application itself: nobody forged what it asks for. */
export async function answerForm(request: AuthRequest, given: SessionPlan): Promise<Outcome> {
  const plan = withProviders(given)
  const visit = await readVisit(request, plan)
  if (request.action === 'signout') return signOut(request, plan, visit)
  const provider = plan.provider(request.providerId)
  if (!provider) {
    const page = plan.pages.signIn || `${request.base}/signin`
    return redirect(trusted(withParams(page, { callbackUrl: visit.callbackUrl })))
  }
  const begin = provider.type === 'credentials' ? callback : signIn
  return withCookies(await begin(request, plan, { ...visit, csrfVerified: true }), visit.cookies)
}
