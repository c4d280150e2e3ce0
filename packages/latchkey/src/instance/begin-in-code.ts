import { InvalidProvider, MissingCSRF } from '../base/errors.ts'
import { callback } from '../core/actions/callback.ts'
import { noProvider } from '../core/actions/need-provider.ts'
import { signIn } from '../core/actions/signin.ts'
import { signOut } from '../core/actions/signout.ts'
import { withProviders } from '../core/compile/providers.ts'
import { isFromElsewhere, isLinkOfOwnPage } from '../http/origin/origin-hints.ts'
import { type Outcome, redirect, withCookies } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import type { JsonObject } from '../model/json.ts'
import type { Plan, SessionPlan } from '../plan/plan.ts'
import type { Visit } from '../plan/provider.ts'
import { needBrowser } from '../sign-in/need-browser.ts'
import { readVisit } from '../sign-in/visit.ts'

export { failurePage } from '../core/dispatch.ts'

/**
 * Starts a sign-in or a sign-out from the code of the application, as a form of the built-in pages does. A link that
 * another site may have opened signs in, and links no account.
 *
 * @param method the HTTP method of the visitor's request to the application.
 * @param context the context for the `signIn` callback.
 * @throws {MissingCSRF} if the browser reports that another site sent the request, unless the request only starts a
 * sign-in at a provider.
 * @throws {InvalidProvider} if no provider has the id.
 */
export async function answerForm(
  request: AuthRequest,
  given: SessionPlan,
  method: string,
  context?: JsonObject,
): Promise<Outcome> {
  const plan = withProviders(given)
  refuseForged(request, plan, method)
  const isLink = method === 'GET' || method === 'HEAD'
  const { headers } = request.original
  const linksNothing = isLink && !isLinkOfOwnPage(headers, request.origin)
  const run = (routed: AuthRequest): Promise<Outcome> =>
    begin(routed, plan, { context, ...(linksNothing && { linksNothing }) })
  const how = { isLink, isProven: false, isOwnCallback: async () => false }
  return plan.plugins ? plan.plugins.actions.run(request, run, how) : run(request)
}

async function begin(
  request: AuthRequest,
  plan: Plan,
  more: Pick<Visit, 'linksNothing' | 'context'>,
): Promise<Outcome> {
  if (request.action === 'signin') needBrowser(request, plan)
  const visit = await readVisit(request, plan)
  if (request.action === 'signout') return signOut(request, plan, visit)
  const provider = plan.provider(request.providerId)
  if (!provider) {
    if (request.providerId) throw new InvalidProvider(noProvider(request.providerId, plan))
    const page = plan.pages.signIn || `${request.base}/signin`
    return redirect(trusted(withParams(page, { callbackUrl: visit.callbackUrl })))
  }
  const act = provider.type === 'credentials' ? callback : signIn
  const verified = { ...visit, ...more, csrfVerified: true }
  return withCookies(await act(request, plan, verified), visit.cookies)
}

/** Links from other sites may open the sign-in page and a provider, since the visitor must confirm there. */
function refuseForged(request: AuthRequest, plan: Plan, method: string): void {
  const { action, original, origin, providerId } = request
  if (plan.allowCrossSite || !isFromElsewhere(original.headers, origin)) return
  const provider = action === 'signin' ? plan.provider(providerId) : undefined
  const isLink = method === 'GET' || method === 'HEAD'
  const asksElsewhere = provider?.type === 'oauth' || provider?.type === 'oidc'
  if (action === 'signin' && (!provider || (isLink && asksElsewhere))) return
  throw new OtherSite(
    `another site sent the request for ${action} (header Sec-Fetch-Site or Origin); set \`allowCrossSite\` if this is intended`,
  )
}

/** A request that another site sent. Frameworks respond with its status, each in its own way. */
class OtherSite extends MissingCSRF {
  readonly status: number = 403
  readonly statusCode: number = 403

  /** The method that Hono calls. */
  getResponse(): Response {
    return new Response('Forbidden', { status: this.status })
  }
}
