import type { MaybePromise } from '../base/crypto/crypto.ts'
import { equal } from '../base/crypto/equal.ts'
import { excerpt } from '../base/encoding/excerpt.ts'
import { MissingCSRF, MissingSecret } from '../base/errors.ts'
import { type Cookie, clearElsewhere, setCookie } from '../http/cookies/cookies.ts'
import { createCsrfToken, openCsrfCookie } from '../http/cookies/csrf-token.ts'
import { formText } from '../http/form.ts'
import { isCrossSite, isRouterRequest } from '../http/origin/origin-hints.ts'
import { type AuthRequest, arrivedAs, type SiteRequest } from '../http/request.ts'
import { isUsableTarget, type SafeUrl, trusted } from '../http/safe-url.ts'
import type { CookieSpecs } from '../options/cookie-policy.ts'
import type { CsrfTokens, Plan } from '../plan/plan.ts'
import type { Visit } from '../plan/provider.ts'
import { warnRepeated } from '../session/carriers/repeated.ts'

/** Reads the CSRF token and the callback URL of a request, with the cookies that store them. */
export async function readVisit(
  request: SiteRequest,
  plan: Plan,
  tokens?: () => Promise<CsrfTokens>,
): Promise<Visit> {
  const since = plan.ports.now()
  const specs = plan.cookies(request.secure)
  const csrf = await readCsrf(request, plan, tokens)
  const target = await readCallbackUrl(request, specs, plan)
  return {
    csrfToken: csrf.token,
    csrfVerified: csrf.verified,
    callbackUrl: target.url,
    since,
    kept: plan.plugins?.actions.kept(request.form),
    cookies: [...csrf.cookies, ...target.cookies],
  }
}

/** Returns whether a page of this site sent the form. @param tokens those of {@link csrfTokens}, if they are read once. */
export async function isCsrfVerified(
  request: SiteRequest,
  plan: Plan,
  tokens: () => Promise<CsrfTokens> = () => csrfTokens(request, plan),
): Promise<boolean> {
  if (!plan.csrf) return request.method === 'POST'
  return (await tokens()).some(({ token }) => fits(token, request))
}

/** Returns the valid CSRF tokens of this browser with their cookies: several if the cookie came more than once. */
export async function csrfTokens(request: SiteRequest, plan: Plan): Promise<CsrfTokens> {
  const { name } = plan.cookies(request.secure).csrfToken
  const repeated = request.cookies.repeated?.(name)
  if (repeated) warnRepeated(plan.logger, name)
  const valid: { token: string; cookie: string }[] = []
  for (const cookie of repeated?.slice(0, 4) ?? [request.cookies.get(name) ?? '']) {
    const token = await openCsrfCookie(cookie, plan.hashSecrets)
    if (token !== undefined) valid.push({ token, cookie })
  }
  return valid
}

/** Returns the error for a form without proof that the visitor's own page sent it. Its message names the reason. */
export async function missingCsrf(request: SiteRequest, plan: Plan): Promise<MissingCSRF> {
  return new MissingCSRF(await csrfFault(request, plan))
}

async function csrfFault(request: SiteRequest, plan: Plan): Promise<string> {
  if (isCrossSite(arrivedAs(request).headers, request.origin)) {
    return `another site sent the form, as its Sec-Fetch-Site or Origin says; this site is ${request.origin}`
  }
  if (formText(request.form, 'csrfToken') === undefined) {
    return 'the form has no field `csrfToken`; send it, or use `signIn` of the client'
  }
  const { name } = plan.cookies(request.secure).csrfToken
  const cookie = request.cookies.get(name)
  if (cookie === undefined) {
    return `the browser sent no cookie ${name} with the form; load it from ${request.origin}`
  }
  return (await openCsrfCookie(cookie, plan.hashSecrets)) === undefined
    ? `the cookie ${name} was made with another secret, or changed since; give all instances the same \`secret\`, and keep the old one in the list when you change it`
    : `the form does not match the cookie ${name}; load it again`
}

function fits(token: string | undefined, request: SiteRequest): boolean {
  const sent = formText(request.form, 'csrfToken')
  return (
    request.method === 'POST' &&
    token !== undefined &&
    sent !== undefined &&
    equal(sent, token) &&
    !isCrossSite(arrivedAs(request).headers, request.origin)
  )
}

export interface Csrf {
  readonly token: string | undefined
  readonly verified: boolean
  readonly cookies: readonly Cookie[]
}

/** Returns the CSRF token of this browser, or a new one with its cookie. */
export async function readCsrf(
  request: SiteRequest,
  plan: Plan,
  tokens: () => Promise<CsrfTokens> = () => csrfTokens(request, plan),
): Promise<Csrf> {
  if (!plan.csrf) return { token: undefined, verified: request.method === 'POST', cookies: [] }
  const valid = await tokens()
  const fitting = valid.find(({ token }) => fits(token, request))
  const known = fitting ?? valid[0]
  const verified = fitting !== undefined
  if (known !== undefined && !(await needsOtherHash(known.cookie, plan)))
    return { token: known.token, verified, cookies: [] }
  const { token, cookie } = await drawCsrf(request, plan, known?.token)
  const spec = plan.cookies(request.secure).csrfToken
  const isRepeated = request.cookies.repeated?.(spec.name) !== undefined
  const cleared = isRepeated ? clearElsewhere(spec, request.cookies.host) : []
  return { token, verified, cookies: keptFrom(request, [...cleared, cookie]) }
}

/** Returns whether the cookie needs the hash of another library that accepts forms of Latchkey. */
async function needsOtherHash(
  cookie: string | undefined,
  { secrets: [newest], hashSecrets: [first = ''] }: Plan,
): Promise<boolean> {
  return first !== newest && (await openCsrfCookie(cookie, [first])) === undefined
}

/**
 * Returns no cookies for a data request of the Next.js router, which shows no page: they would replace the cookies of
 * the page that is open, and its form would fail.
 */
function keptFrom(request: SiteRequest, cookies: readonly Cookie[]): readonly Cookie[] {
  return isRouterRequest(arrivedAs(request).headers) ? [] : cookies
}

/** Returns the known CSRF token or a new one, and the cookie that proves it. */
export async function drawCsrf(
  request: SiteRequest,
  plan: Plan,
  known?: string,
): Promise<{ token: string; cookie: Cookie }> {
  const [secret] = plan.hashSecrets
  if (secret === undefined) throw new MissingSecret('a CSRF token needs a secret')
  const { token, cookie } = await createCsrfToken(secret, plan.ports.random, known)
  return { token, cookie: setCookie(plan.cookies(request.secure).csrfToken, cookie) }
}

/** Returns the callback URL of the body, the query or the cookie, or the origin. Unusable values are ignored. */
async function readCallbackUrl(
  request: SiteRequest,
  specs: CookieSpecs,
  plan: Plan,
): Promise<{ url: SafeUrl; cookies: readonly Cookie[] }> {
  const kept = request.cookies.get(specs.callbackUrl.name) || undefined
  // The earlier target may need a session, so a sign-out does not lead there.
  const earlier = isSignOut(request) ? undefined : kept
  const asked = formText(request.form, 'callbackUrl') ?? queryText(request, 'callbackUrl')
  const judged = judge(asked, request, plan) ?? judge(earlier, request, plan)
  const url = judged === undefined ? trusted(request.origin) : await judged
  const cookies = url === kept ? [] : [setCookie(specs.callbackUrl, url)]
  return { url, cookies: keptFrom(request, cookies) }
}

const isSignOut = ({ method, action }: SiteRequest & Partial<AuthRequest>): boolean =>
  method === 'POST' && action === 'signout'

function queryText({ query }: SiteRequest, name: string): string | undefined {
  return query.getAll(name).at(-1) || undefined
}

function judge(
  target: string | undefined,
  request: SiteRequest,
  plan: Plan,
): MaybePromise<SafeUrl> | undefined {
  if (target === undefined) return undefined
  if (isUsableTarget(target)) {
    const url = plan.resolveRedirect(target, request.origin)
    if (!isOfOther(target, request)) return url
    return Promise.resolve(url).then((to) => {
      warnOfOther(to, target, request, plan)
      return to
    })
  }
  plan.logger.warn('callback-url-unusable', 'a callback URL must be a path or an http(s) URL')
  return undefined
}

/** Returns whether a URL is of another site. Without `redirectTo`, it may be the page with the link. */
function isOfOther(target: string, request: SiteRequest): boolean {
  if (target.startsWith('/') || !URL.canParse(target)) return false
  const isReferrer = arrivedAs(request).headers.get('referer') === target
  return !isReferrer && new URL(target).origin !== request.origin
}

/** Plans that have logged the warning, since anybody can send such a URL. */
const warned = new WeakSet<Plan>()

/** Warns once if the `redirect` callback does not allow the site. Only its origin is shown: the rest may contain secrets. */
function warnOfOther(to: SafeUrl, target: string, { origin }: SiteRequest, plan: Plan): void {
  if (to !== origin || warned.has(plan)) return
  warned.add(plan)
  const other = excerpt(new URL(target).origin)
  plan.logger.warn(
    'callback-url-unusable',
    `a callback URL is of ${other}, and the site is ${origin}, so the visitor goes to the home page; allow it in the \`redirect\` callback`,
  )
}
