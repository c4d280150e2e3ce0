import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import { type Cookie, type CookieSpec, clearCookie, setCookie } from '../http/cookies/cookies.ts'
import { type SiteRequest, splitUrl } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { Notice } from '../plugin/notice.ts'

/** Seconds within which the browser opens the page that it is redirected to. */
const MAX_AGE = 60

type NoticePlan = Pick<SessionPlan, 'cookies' | 'sealer' | 'ports'>

/** Keeps a notice for the page that a response redirects to. */
export async function keepNotice(
  { id, params = [] }: Notice,
  to: SafeUrl,
  request: SiteRequest,
  plan: NoticePlan,
): Promise<Cookie> {
  const { ports } = plan
  const spec = specOf(request, plan)
  const claims = {
    page: pageAt(new URL(to, request.origin).href),
    notice: id,
    params: params.slice(0, 2),
  }
  const value = await plan.sealer(spec.name).seal(claims, MAX_AGE, ports)
  return setCookie(spec, value, new Date(ports.now() + MAX_AGE * 1000))
}

/** Returns the notice for the requested page, if it is shown, and the cookie that ends it. */
export async function takeNotice(
  request: SiteRequest,
  showsPage: boolean,
  plan: NoticePlan,
): Promise<{ readonly notice?: Notice; readonly ended: readonly Cookie[] }> {
  if (!showsPage || request.method !== 'GET') return { ended: [] }
  const spec = specOf(request, plan)
  const value = request.cookies.get(spec.name)
  const claims = value && (await plan.sealer(spec.name).open(value, plan.ports))?.claims
  if (!claims || claims['page'] !== pageAt(request.original.url)) return { ended: [] }
  const params = (claims['params'] as string[]).map(String)
  return { notice: { id: String(claims['notice']), params }, ended: [clearCookie(spec)] }
}

const pageAt = (url: string): string => withoutEndSlashes(splitUrl(url).pathname)

function specOf({ secure }: SiteRequest, { cookies }: NoticePlan): CookieSpec {
  const isSecure = cookies(secure).csrfToken.options.secure === true
  return {
    name: isSecure ? '__Host-latchkey.notice' : 'latchkey.notice',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure, maxAge: MAX_AGE },
  }
}
