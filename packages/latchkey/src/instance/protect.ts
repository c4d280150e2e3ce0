import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import { excerpt } from '../base/encoding/excerpt.ts'
import { AuthError, toError, UnknownAction } from '../base/errors.ts'
import { loadOnce } from '../base/once.ts'
import { hasOneSpelling } from '../http/paths/path.ts'
import { asksForAction, otherBase } from '../http/request.ts'
import { isUsableTarget, withParams } from '../http/safe-url.ts'
import type { Session } from '../model/session.ts'
import type { CallbacksOptions } from '../options/callbacks.ts'
import type { SessionPlan } from '../plan/plan.ts'

/** The request of a page, and the values that decide whether it may be shown. */
export interface Visiting {
  readonly request: Request
  /** The public URL of the request. */
  readonly url: URL
  /** The path within the application, without the base path of a framework or a locale. */
  readonly path: string
  /** The request passed to callbacks, for example the framework's own request object. */
  readonly native: Request
  readonly session: Session | null
  readonly authorized: CallbacksOptions['authorized']
  /** Whether requests that are no navigation of a browser are not redirected. */
  readonly redirectsOnlyPages?: boolean | undefined
}

/**
 * Decides whether a request may continue to its page.
 *
 * The actions below the base path and the configured pages are always open, since visitors without a session must be able
 * to reach the sign-in page. A user who is signed in may be redirected away from it.
 *
 * @returns the response instead of the page, or `undefined` to continue; and whether the page is open to everybody.
 */
export async function protect(
  visiting: Visiting,
  plan: SessionPlan,
): Promise<{ response: Response | undefined; open: boolean }> {
  const { authorized, native, session } = visiting
  if (!authorized) return { response: undefined, open: false }
  if (isOpen(visiting, plan)) {
    const response = isAway(visiting, plan)
      ? elsewhere(visiting, await authorized({ request: native, auth: session }), plan)
      : undefined
    return { response, open: true }
  }
  const verdict = await authorized({ request: native, auth: session })
  const response = verdict === true ? undefined : await insteadOf(visiting, verdict, plan)
  return { response, open: false }
}

async function insteadOf(
  visiting: Visiting,
  verdict: false | Response | undefined,
  plan: SessionPlan,
): Promise<Response> {
  if (asksForAction(visiting.url.pathname, { basePath: plan.basePath, trailingSlash: true })) {
    const what =
      'the path of an action ends with a slash; set `trailingSlash` if the site adds slashes'
    plan.logger.error(new UnknownAction(what))
    return new Response('Bad request.', { status: 400 })
  }
  lookForMount(visiting.url.pathname, plan)
  const elsewhere = sentBackFrom(visiting, plan)
  if (elsewhere !== undefined) {
    const cause = `the redirect to the sign-in page would never end: \`pages.signIn\` is ${shown(elsewhere)}, which redirected the visitor to ${shown(visiting.url)}`
    const fix = 'use the same origin in `pages.signIn` and AUTH_URL'
    return refused(cause, fix, plan)
  }
  if (verdict instanceof Response) return allowed(verdict, visiting, plan)
  const isData = wantsData(visiting)
  // A signed-in user has no use for the sign-in page.
  if (visiting.session) {
    if (isData) return Response.json({ message: 'Forbidden' }, { status: 403 })
    return (await loadForbidden()).forbiddenPage(visiting, plan)
  }
  return isData
    ? Response.json({ message: 'Unauthorized' }, { status: 401 })
    : toSignIn(visiting, plan)
}

/** Loaded later, because few visitors are refused. */
const loadForbidden = loadOnce(() => import('../pages/forbidden.ts'))

const warnedPlans = new WeakSet<SessionPlan>()

/** Warns once if a guard blocks an action below another base path than the configured one. */
function lookForMount(pathname: string, plan: SessionPlan): void {
  const meant = otherBase(pathname)
  // A page of the application may have the name of an action. By convention, a base path ends with `auth`.
  if (!meant?.endsWith('/auth') || warnedPlans.has(plan)) return
  warnedPlans.add(plan)
  const [requested, base] = [excerpt(pathname), plan.basePath].map((path) => JSON.stringify(path))
  plan.logger.warn(
    'mount-point',
    `a guard received a request for ${requested}, but the base path of the actions is ${base}; make both the same (mount point, \`basePath\`, path of AUTH_URL)`,
  )
}

/** Returns whether a page is open without a session, regardless of `authorized`. */
function isOpen({ request, path, url }: Visiting, plan: SessionPlan): boolean {
  if (!hasOneSpelling(request.url)) return false
  if ([url.pathname, path].some((pathname) => isAnswered(pathname, plan))) return true
  const { signIn, signOut, error, verifyRequest } = plan.pages
  const here = [plain(path), plain(url.pathname)]
  return [signIn, signOut, error, verifyRequest].some((page) => {
    if (!page || !URL.canParse(page, url.origin)) return false
    const target = new URL(page, url.origin)
    // Only the host is compared: over http it is the same page, which most sites redirect to https.
    if (target.host !== url.host) return false
    return here.includes(plain(target.pathname))
  })
}

/** Returns whether a signed-in user requests the sign-in page. Many applications redirect them to another page. */
function isAway({ session, path, url }: Visiting, { pages: { signIn } }: SessionPlan): boolean {
  if (!session || !signIn || !URL.canParse(signIn, url.origin)) return false
  return [plain(path), plain(url.pathname)].includes(plain(new URL(signIn, url.origin).pathname))
}

/**
 * Returns the redirect of `authorized` from the sign-in page, unless it leads to this page or to an action, and so
 * would never end.
 */
function elsewhere(
  { request, url }: Visiting,
  verdict: boolean | Response | undefined,
  plan: SessionPlan,
): Response | undefined {
  const location = verdict instanceof Response ? verdict.headers.get('location') : null
  if (location === null || !URL.canParse(location, url)) return undefined
  const target = new URL(location, url)
  const isHere = [url, new URL(request.url)].some((here) => samePageAs(here)(target))
  if (isHere || isAnswered(target.pathname, plan)) return undefined
  return redirected(verdict as Response, target)
}

/** Returns whether Latchkey handles a path. The routes of plugins check access themselves. */
function isAnswered(path: string, plan: SessionPlan): boolean {
  return asksForAction(path, plan) || plan.plugins?.router.find(path) !== undefined
}

/**
 * Returns the URL of the sign-in page if it is at another origin, but redirected the visitor to this origin: the
 * configuration has the wrong origin for one of them.
 */
function sentBackFrom({ url }: Visiting, { pages: { signIn } }: SessionPlan): URL | undefined {
  if (!signIn || !URL.canParse(signIn, url.origin)) return undefined
  const page = new URL(signIn, url.origin)
  const isBack = url.searchParams.get('callbackUrl')?.startsWith(url.origin)
  const isOther = page.host !== url.host && plain(page.pathname) === plain(url.pathname)
  return isBack && isOther ? page : undefined
}

/** Returns a path without escaped letters and without a slash at its end. */
function plain(path: string): string {
  let decoded = path
  try {
    decoded = decodeURI(path)
  } catch {
    // An invalid escape is compared as it is.
  }
  return withoutEndSlashes(decoded) || '/'
}

/** Returns the redirect to the sign-in page, with this page as the callback URL. */
function toSignIn({ request, url }: Visiting, plan: SessionPlan): Response {
  const { basePath, pages } = plan
  const page = new URL(pages.signIn || `${basePath}/signin`, url.origin)
  const target = new URL(withParams(page.href, { callbackUrl: url.href }))
  // The browser must not send a posted form to the sign-in page.
  const status = request.method === 'GET' || request.method === 'HEAD' ? 307 : 303
  return new Response(null, { status, headers: { location: target.href } })
}

/** Returns the response of the application, or an error for a redirect to the requested page, which would never end. */
function allowed(answer: Response, { request, url }: Visiting, plan: SessionPlan): Response {
  const location = answer.headers.get('location')
  if (location === null) return answer
  const from = `\`authorized\` redirects from ${shown(url)}`
  if (!URL.canParse(location, url)) {
    const cause = `${from} to ${JSON.stringify(excerpt(location))}, which is not a URL`
    return refused(cause, 'return a redirect to a path or to an absolute URL', plan)
  }
  const target = new URL(location, url)
  // If AUTH_URL has another origin, the request still has the origin that it was sent to.
  const isHere = [url, new URL(request.url)].some((here) => {
    const isSame = samePageAs(here)
    return isSame(target) && (target.search === here.search || leadsTo(here, isSame, target))
  })
  if (isHere) {
    const cause = `${from} to ${shown(target)}, which is the same page: the redirect would never end`
    const fix = 'return true for this page in `authorized`, or redirect to another page'
    return refused(cause, fix, plan)
  }
  return redirected(answer, target)
}

function redirected(answer: Response, target: URL): Response {
  const headers = new Headers(answer.headers)
  headers.set('location', target.href)
  const { status, statusText } = answer
  return new Response(answer.body, { status, statusText, headers })
}

/** Returns a URL for the log, without its query, which may contain secrets. */
function shown({ origin, pathname }: URL): string {
  return JSON.stringify(excerpt(origin + pathname))
}

/** Returns a test whether a URL is this page, if the site redirects http to https. */
function samePageAs(page: URL): (target: URL) => boolean {
  const path = plain(page.pathname)
  return (target) =>
    target.host === page.host &&
    (target.protocol === page.protocol || page.protocol === 'https:') &&
    plain(target.pathname) === path
}

/** Returns whether a query parameter of the URL contains the page. */
function leadsTo(
  { origin }: URL,
  isSame: (target: URL) => boolean,
  { searchParams }: URL,
): boolean {
  return [...searchParams.values()].some(
    (value) =>
      isUsableTarget(value) && URL.canParse(value, origin) && isSame(new URL(value, origin)),
  )
}

function refused(cause: string, fix: string, plan: SessionPlan): Response {
  plan.logger.error(toError(new AuthError(`${cause}; ${fix}`)))
  return new Response('The server is not set up correctly.', { status: 500 })
}

/** Returns whether a script sent the request, which cannot follow a redirect to a page. */
function wantsData({ request: { headers }, redirectsOnlyPages }: Visiting): boolean {
  const mode = headers.get('sec-fetch-mode')
  if (redirectsOnlyPages && mode !== null && mode !== 'navigate') return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}
