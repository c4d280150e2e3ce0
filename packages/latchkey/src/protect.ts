import { AuthError, toError } from './errors.ts'
import { isUsableTarget, withParams } from './http/safe-url.ts'
import type { Session } from './model/session.ts'
import type { CallbacksOptions } from './options/callbacks.ts'
import type { SessionPlan } from './plan.ts'
import { isAuthAction } from './request.ts'

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
 * @returns the answer instead of the page; `undefined` to go on.
 */
export async function protect(
  visiting: Visiting,
  plan: SessionPlan,
): Promise<Response | undefined> {
  const { authorized, native, session } = visiting
  if (!authorized || isOpen(visiting, plan)) return undefined
  const verdict = await authorized({ request: native, auth: session })
  if (verdict === true) return undefined
  const elsewhere = sentBackFrom(visiting, plan)
  if (elsewhere !== undefined) {
    const cause = `\`pages.signIn\` is at ${elsewhere}, and asked for at ${visiting.url.origin}`
    return refused(`${cause}; name the same one in \`pages.signIn\` and AUTH_URL`, plan)
  }
  if (verdict instanceof Response) return allowed(verdict, visiting, plan)
  return wantsData(visiting.request)
    ? Response.json({ message: 'Unauthorized' }, { status: 401 })
    : toSignIn(visiting, plan)
}

/** Whether nobody needs to be signed in for it, whatever `authorized` says. */
function isOpen({ path, url }: Visiting, { basePath, pages }: SessionPlan): boolean {
  const below = url.pathname.startsWith(`${basePath}/`) ? url.pathname : path
  if (below.startsWith(`${basePath}/`)) {
    const [action = ''] = below.slice(basePath.length + 1).split('/')
    return isAuthAction(action)
  }
  const open = [pages.signIn, pages.signOut, pages.error, pages.verifyRequest]
  return open.some((page) => {
    if (!page || !URL.canParse(page, url.origin)) return false
    const target = new URL(page, url.origin)
    // Over http it is the same page, which most sites lead to https.
    if (target.host !== url.host) return false
    return [path, url.pathname].some((one) => plain(one) === plain(target.pathname))
  })
}

/**
 * The origin of the sign-in page, where that is another one, and yet somebody comes to this one with
 * what is sent there: what the configuration says of the two is not so.
 */
function sentBackFrom({ url }: Visiting, { pages: { signIn } }: SessionPlan): string | undefined {
  if (!signIn || !URL.canParse(signIn, url.origin)) return undefined
  const page = new URL(signIn, url.origin)
  const isBack = url.searchParams.get('callbackUrl')?.startsWith(url.origin)
  const isOther = page.host !== url.host && plain(page.pathname) === plain(url.pathname)
  return isBack && isOther ? page.origin : undefined
}

/** A path without what makes no difference: an escaped letter, a slash at the end. */
function plain(path: string): string {
  let decoded = path
  try {
    decoded = decodeURI(path)
  } catch {
    // What cannot be decoded is compared as it is.
  }
  return decoded.replace(/\/+$/, '') || '/'
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
  const misled = (what: string): Response =>
    refused(
      `the redirect of the \`authorized\` callback for ${url.pathname} ${what}; return true for this page, or redirect to another`,
      plan,
    )
  if (!URL.canParse(location, url)) return misled('leads to what is no address')
  const target = new URL(location, url)
  // Where AUTH_URL names another origin, a request still has that which it came by.
  const isHere = [url, new URL(request.url)].some(
    (here) => isSame(target, here) && (target.search === here.search || leadsTo(here, target)),
  )
  if (isHere) return misled('leads to the page that was asked for, again and again')
  const headers = new Headers(answer.headers)
  headers.set('location', target.href)
  const { status, statusText } = answer
  return new Response(answer.body, { status, statusText, headers })
}

/** Is the page the target, once the site has led it from http to https? */
function isSame(target: URL, page: URL): boolean {
  return (
    target.host === page.host &&
    (target.protocol === page.protocol || page.protocol === 'https:') &&
    plain(target.pathname) === plain(page.pathname)
  )
}

/** Does an address say in its query that the visitor is to go on to that page? */
function leadsTo(page: URL, { searchParams }: URL): boolean {
  return [...searchParams.values()].some(
    (value) =>
      isUsableTarget(value) && URL.canParse(value, page) && isSame(new URL(value, page), page),
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
