import { withoutEndSlashes } from './encoding/end-slashes.ts'
import { excerpt } from './encoding/excerpt.ts'
import { AuthError, toError, UnknownAction } from './errors.ts'
import { hasOneSpelling } from './http/path.ts'
import { isUsableTarget, withParams } from './http/safe-url.ts'
import type { Session } from './model/session.ts'
import type { CallbacksOptions } from './options/callbacks.ts'
import type { SessionPlan } from './plan.ts'
import { asksForAction, otherBase } from './request.ts'

/** What protection looks at. */
export interface Visiting {
  readonly request: Request
  /** The request's address as the public sees it. */
  readonly url: URL
  /** The path within the application, where a framework leaves out its own base path or a locale. */
  readonly path: string
  /** What the framework gives to callbacks instead of the bare request. */
  readonly native: Request
  readonly session: Session | null
  readonly authorized: CallbacksOptions['authorized']
}

/**
 * Decides whether a request goes on to the page that it asks for.
 *
 * The actions below the base path and the configured pages are always open: who could not reach the
 * sign-in page could not sign in.
 *
 * @returns the answer instead of the page, `undefined` to go on; and whether the page is open to everybody.
 */
export async function protect(
  visiting: Visiting,
  plan: SessionPlan,
): Promise<{ response: Response | undefined; open: boolean }> {
  const { authorized, native, session } = visiting
  if (!authorized) return { response: undefined, open: false }
  if (isOpen(visiting, plan)) return { response: undefined, open: true }
  const verdict = await authorized({ request: native, auth: session })
  const response = verdict === true ? undefined : insteadOf(visiting, verdict, plan)
  return { response, open: false }
}

function insteadOf(
  visiting: Visiting,
  verdict: false | Response | undefined,
  plan: SessionPlan,
): Response {
  if (asksForAction(visiting.url.pathname, { basePath: plan.basePath, trailingSlash: true })) {
    const what = 'the path of an action ends with a slash; set `trailingSlash` if the site adds it'
    plan.logger.error(new UnknownAction(what))
    return new Response('Bad request.', { status: 400 })
  }
  lookForMount(visiting.url.pathname, plan)
  const elsewhere = sentBackFrom(visiting, plan)
  if (elsewhere !== undefined) {
    const cause = `the redirect to the sign-in page would never end: \`pages.signIn\` is ${shown(elsewhere)}, and the visitor was sent from there to ${shown(visiting.url)}`
    const fix = 'use the same origin in `pages.signIn` and AUTH_URL'
    return refused(`${cause}; ${fix}`, plan)
  }
  if (verdict instanceof Response) return allowed(verdict, visiting, plan)
  return wantsData(visiting.request)
    ? Response.json({ message: 'Unauthorized' }, { status: 401 })
    : toSignIn(visiting, plan)
}

const told = new WeakSet<SessionPlan>()

/** Says once that a guard keeps visitors from actions which are somewhere else than it was told. */
function lookForMount(pathname: string, plan: SessionPlan): void {
  const meant = otherBase(pathname)
  // A page of the application may be called like an action; what stands before that is called `auth` by convention.
  if (!meant?.endsWith('/auth') || told.has(plan)) return
  told.add(plan)
  const [asked, base] = [excerpt(pathname), plan.basePath].map((path) => JSON.stringify(path))
  plan.logger.warn(
    'mount-point',
    `a guard was asked for ${asked}, but takes the actions to be at ${base}; make both the same (mount point, \`basePath\`, path of AUTH_URL)`,
  )
}

/** Whether nobody needs to be signed in for it, whatever `authorized` says. */
function isOpen({ request, path, url }: Visiting, plan: SessionPlan): boolean {
  if (!hasOneSpelling(request.url)) return false
  if ([url.pathname, path].some((asked) => isAnswered(asked, plan))) return true
  const { signIn, signOut, error, verifyRequest } = plan.pages
  const here = [plain(path), plain(url.pathname)]
  return [signIn, signOut, error, verifyRequest].some((page) => {
    if (!page || !URL.canParse(page, url.origin)) return false
    const target = new URL(page, url.origin)
    // Over http it is the same page, which most sites lead to https.
    if (target.host !== url.host) return false
    return here.includes(plain(target.pathname))
  })
}

/** A plugin says for each of its paths who may ask. */
function isAnswered(path: string, plan: SessionPlan): boolean {
  return asksForAction(path, plan) || (plan.plugins?.answers(path) ?? false)
}

/**
 * The sign-in page, where that is at another origin, and yet somebody comes to this one with what is sent
 * there: what the configuration says of the two is not so.
 */
function sentBackFrom({ url }: Visiting, { pages: { signIn } }: SessionPlan): URL | undefined {
  if (!signIn || !URL.canParse(signIn, url.origin)) return undefined
  const page = new URL(signIn, url.origin)
  const isBack = url.searchParams.get('callbackUrl')?.startsWith(url.origin)
  const isOther = page.host !== url.host && plain(page.pathname) === plain(url.pathname)
  return isBack && isOther ? page : undefined
}

/** A path without what makes no difference: an escaped letter, a slash at the end. */
function plain(path: string): string {
  let decoded = path
  try {
    decoded = decodeURI(path)
  } catch {
    // What cannot be decoded is compared as it is.
  }
  return withoutEndSlashes(decoded) || '/'
}

/** The sign-in page, which leads back here. Nothing else of the address goes along. */
function toSignIn({ request, url }: Visiting, plan: SessionPlan): Response {
  const { basePath, pages } = plan
  const page = new URL(pages.signIn || `${basePath}/signin`, url.origin)
  const target = new URL(withParams(page.href, { callbackUrl: url.href }))
  // A form that was sent is not sent to the sign-in page.
  const status = request.method === 'GET' || request.method === 'HEAD' ? 307 : 303
  return new Response(null, { status, headers: { location: target.href } })
}

/** The application's own answer. A redirect to where the visitor already is would never end. */
function allowed(answer: Response, { request, url }: Visiting, plan: SessionPlan): Response {
  const location = answer.headers.get('location')
  if (location === null) return answer
  const from = `\`authorized\` redirects from ${shown(url)}`
  if (!URL.canParse(location, url)) {
    const cause = `${from} to ${JSON.stringify(excerpt(location))}, which is not an address`
    return refused(`${cause}; return a redirect to a path or to a complete URL`, plan)
  }
  const target = new URL(location, url)
  // Where AUTH_URL names another origin, a request still has that which it came by.
  const isHere = [url, new URL(request.url)].some((here) => {
    const isSame = samePageAs(here)
    return isSame(target) && (target.search === here.search || leadsTo(here, isSame, target))
  })
  if (isHere) {
    const cause = `${from} to ${shown(target)}, which is the same page: the redirect would never end`
    const fix = 'return true for this page in `authorized`, or redirect to another page'
    return refused(`${cause}; ${fix}`, plan)
  }
  const headers = new Headers(answer.headers)
  headers.set('location', target.href)
  const { status, statusText } = answer
  return new Response(answer.body, { status, statusText, headers })
}

/** An address as the log shows it: a query may hold what is secret. */
function shown({ origin, pathname }: URL): string {
  return JSON.stringify(excerpt(origin + pathname))
}

/** Is the page the target, once the site has led it from http to https? */
function samePageAs(page: URL): (target: URL) => boolean {
  const path = plain(page.pathname)
  return (target) =>
    target.host === page.host &&
    (target.protocol === page.protocol || page.protocol === 'https:') &&
    plain(target.pathname) === path
}

/** Does an address say in its query that the visitor is to go on to that page? */
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

function refused(why: string, plan: SessionPlan): Response {
  plan.logger.error(toError(new AuthError(why)))
  return new Response('The server is not set up correctly.', { status: 500 })
}

/** A script asked, which cannot be sent to a page. */
function wantsData({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}
