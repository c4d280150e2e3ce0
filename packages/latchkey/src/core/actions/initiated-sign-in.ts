import { excerpt } from '../../base/encoding/excerpt.ts'
import { OAuthSignInError, UnknownAction } from '../../base/errors.ts'
import { isLinkOfOwnPage } from '../../http/origin/origin-hints.ts'
import { arrivedAs } from '../../http/request.ts'
import { isUsableTarget, trusted, withParams } from '../../http/safe-url.ts'
import type { OAuth2Config } from '../../options/provider-options.ts'
import { siteOf } from '../../page-kit/site.ts'
import { confirmProviderPage } from '../../pages/confirm-sign-in.ts'
import type { VisitAction } from './action.ts'
import { needProvider } from './need-provider.ts'

/**
 * `GET signin/{id}`: a sign-in that the provider begins (OpenID Connect Core section 4). Anybody can make a browser open
 * this address, so the visitor confirms.
 *
 * @throws {UnknownAction} if the provider may not begin a sign-in.
 * @throws {OAuthSignInError} if another issuer begins it.
 */
export const initiatedSignIn: VisitAction = async (request, plan, visit) => {
  const provider = needProvider(request, plan)
  const { id, name = id } = provider
  const { providerMayBegin, issuer } = provider.config as Partial<OAuth2Config<unknown>>
  if (!providerMayBegin) {
    const fix = 'set `providerMayBegin` if the provider begins sign-ins'
    throw new UnknownAction(
      `the action signin does not support GET with the provider ${id}; ${fix}`,
    )
  }
  const [iss, ...more] = request.query.getAll('iss')
  if (issuer === undefined || iss !== issuer || more.length > 0) {
    throw new OAuthSignInError(
      `provider ${id}: \`iss\` of a sign-in that the provider begins must be ${issuer ?? 'its `issuer`, which is not configured'}, got ${JSON.stringify(excerpt(iss ?? ''))}`,
      { provider: id },
    )
  }
  const target = request.query.get('target_link_uri') ?? ''
  const callbackUrl = isUsableTarget(target)
    ? await plan.resolveRedirect(target, request.origin)
    : trusted(request.origin)
  const hint = request.query.get('login_hint')
  const query = new URLSearchParams(hint === null ? {} : { login_hint: hint })
  if (isLinkOfOwnPage(arrivedAs(request).headers, request.origin)) {
    // The cookies and the original request are getters of the class, which a spread leaves out.
    const { cookies, original } = request
    const asked = { ...request, cookies, original, query }
    return provider.begin(asked, { ...visit, callbackUrl, linksNothing: true })
  }
  return confirmProviderPage(siteOf(request, plan), plan.texts(arrivedAs(request)), {
    action: withParams(`${request.base}/signin/${id}`, query),
    csrfToken: visit.csrfToken,
    callbackUrl,
    name,
  })
}
