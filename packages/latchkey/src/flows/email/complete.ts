import { Verification } from '../../base/errors.ts'
import { isPrefetch } from '../../http/origin/origin-hints.ts'
import { type Outcome, withCookies } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { siteOf } from '../../page-kit/site.ts'
import { confirmSignInPage } from '../../pages/confirm-sign-in.ts'
import type { VerifiedIdentity, Visit } from '../../plan/provider.ts'
import { completeWithCode } from './complete-code.ts'
import type { EmailFlow } from './email-flow.ts'
import { recallRequest } from './email-request.ts'
import { proveAddress } from './prove-address.ts'

/** Handles an opened link: signs in, or first shows a page with a button. */
export async function complete(
  flow: EmailFlow,
  request: AuthRequest,
  visit: Visit,
): Promise<VerifiedIdentity | Outcome> {
  const token = request.query.get('token')
  if (flow.config.code && request.method === 'POST' && token === null) {
    return completeWithCode(flow, request, visit)
  }
  const email = request.query.get('email')
  if (!token || !email)
    throw new Verification('the link is incomplete; open it as it is in the mail')
  const hashes = await flow.hashes(token)
  if (!(await isConfirmed(flow, request, visit, hashes))) {
    const { csrfToken } = visit
    const texts = flow.plan.texts(request.original)
    const page = await confirmSignInPage(siteOf(request, flow.plan), texts, { csrfToken, email })
    return withCookies(page, visit.cookies)
  }
  return proveAddress(flow, request, email, hashes)
}

/** Returns whether a person opened the link: in the browser that requested it, or with the button. */
async function isConfirmed(
  flow: EmailFlow,
  request: AuthRequest,
  { csrfVerified }: Visit,
  hashes: readonly string[],
): Promise<boolean> {
  if (flow.confirmation === 'never') return true
  if (request.method === 'POST') return csrfVerified
  if (flow.confirmation === 'always' || isPrefetch(request.original.headers)) return false
  const asked = await recallRequest(flow, request)
  return hashes.some((hash) => hash === asked?.value)
}
