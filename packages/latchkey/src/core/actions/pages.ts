import { definedOnly } from '../../base/encoding/defined-only.ts'
import { type Outcome, withCookies } from '../../http/outcome.ts'
import { arrivedAs, type SiteRequest } from '../../http/request.ts'
import { siteOf } from '../../page-kit/site.ts'
import { errorPage } from '../../pages/error.ts'
import { verifyRequestPage } from '../../pages/verify-request.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import { readCsrf } from '../../sign-in/visit.ts'
import { readReference } from '../error-reference.ts'
import type { ReadAction } from './action.ts'
import { toOwnPage } from './own-page.ts'

/** `GET error`: the page that explains an error. */
export const showError: ReadAction = async (request, plan) => {
  const error = request.query.get('error') ?? undefined
  const code = request.query.get('code') ?? undefined
  const own = toOwnPage(plan.pages.error, request, definedOnly({ error, code }))
  const isExpired = error === 'Configuration' && code === 'expired'
  return own ?? builtInErrorPage(request, plan, isExpired ? 'SignInExpired' : error)
}

/** Returns the built-in page, even if the application has its own. */
export function builtInErrorPage(
  request: SiteRequest,
  plan: SessionPlan,
  error: string | undefined,
  wait?: number,
): Promise<Outcome> {
  const texts = plan.texts(arrivedAs(request))
  const { lang } = texts
  return errorPage(siteOf(request, plan), texts, {
    error,
    signInUrl: plan.pages.signIn || `${plan.basePath}/signin`,
    signOutUrl: plan.pages.signOut || `${plan.basePath}/signout`,
    wait,
    reference: error === 'Configuration' ? readReference(request, lang) : undefined,
  })
}

/** `GET verify-request`: the page after a mail was sent. */
export const showVerifyRequest: ReadAction = async (request, plan) => {
  const own = toOwnPage(plan.pages.verifyRequest, request, request.query)
  if (own) return own
  const provider = plan.provider(request.query.get('provider') ?? undefined)
  const sent = await provider?.asked?.(request)
  const csrf = sent && (await readCsrf(request, plan))
  const { id, config } = provider ?? {}
  // The code works only in the browser that requested it.
  const takesCode = sent !== undefined && config?.type === 'email' && config.code
  const shown = await verifyRequestPage(siteOf(request, plan), plan.texts(arrivedAs(request)), {
    signInUrl: plan.pages.signIn || `${plan.basePath}/signin`,
    csrfToken: csrf?.token,
    codeAction: takesCode ? `${plan.basePath}/callback/${id}` : undefined,
    sent: sent && { ...sent, action: `${plan.basePath}/signin/${id}` },
    mailbox: config?.type === 'email' ? config.mailbox : undefined,
    error: request.query.get('error') ?? undefined,
  })
  return withCookies(shown, csrf?.cookies ?? [])
}
