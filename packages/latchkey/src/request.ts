import { UnknownAction } from './errors.ts'
import { type CookieJar, parseCookies } from './http/cookies.ts'
import { type Form, readForm } from './http/form.ts'

/** What can be asked for below the base path. */
export const authActions = [
  'callback',
  'csrf',
  'error',
  'providers',
  'session',
  'signin',
  'signout',
  'verify-request',
  'webauthn-options',
] as const

export type AuthAction = (typeof authActions)[number]

export type AuthMethod = 'GET' | 'POST'

/** A request that was understood. Frozen. */
export interface AuthRequest {
  readonly method: AuthMethod
  readonly action: AuthAction
  readonly providerId: string | undefined
  /** Scheme, host and port. */
  readonly origin: string
  /** `origin` and base path: what the addresses of our actions begin with. */
  readonly base: string
  /** Did the request come over https? */
  readonly secure: boolean
  readonly query: URLSearchParams
  readonly cookies: CookieJar
  readonly form: Form
  /** As it came in; its body is read already. */
  readonly original: Request
}

/** Actions that may be followed by the id of a provider. */
const WITH_PROVIDER: ReadonlySet<AuthAction> = new Set(['signin', 'callback', 'webauthn-options'])

export function isAuthAction(action: string): action is AuthAction {
  return (authActions as readonly string[]).includes(action)
}

/**
 * Understands a request.
 *
 * @param basePath with a leading slash and none at the end; empty at the root of the site.
 * @throws {UnknownAction} when the method or the path is none of ours.
 * @throws {UnreadableBody} when the body cannot be read.
 */
export async function parseRequest(request: Request, basePath: string): Promise<AuthRequest> {
  const method = request.method
  if (method !== 'GET' && method !== 'POST') {
    throw new UnknownAction(`only GET and POST are supported, not ${method}`)
  }
  const url = splitUrl(request.url)
  const { action, providerId } = parsePath(url.pathname, basePath)
  const form = method === 'POST' ? await readForm(request) : EMPTY
  let query: URLSearchParams | undefined
  let cookies: CookieJar | undefined
  return Object.freeze({
    method,
    action,
    providerId,
    origin: url.origin,
    base: url.origin + basePath,
    secure: url.origin.startsWith('https:'),
    form,
    original: request,
    get query() {
      query ??= new URLSearchParams(url.search)
      return query
    },
    get cookies() {
      cookies ??= parseCookies(request.headers.get('cookie'))
      return cookies
    },
  })
}

const EMPTY: Form = Object.freeze({})

/** A request's URL is normalized and absolute already, so that its parts can be cut out. */
function splitUrl(href: string): { origin: string; pathname: string; search: string } {
  const path = href.indexOf('/', href.indexOf('://') + 3)
  const fragment = href.indexOf('#', path)
  const end = fragment < 0 ? href.length : fragment
  const mark = href.indexOf('?', path)
  const query = mark < 0 || mark > end ? end : mark
  return {
    origin: href.slice(0, path),
    pathname: href.slice(path, query),
    search: href.slice(query, end),
  }
}

function parsePath(
  pathname: string,
  basePath: string,
): { action: AuthAction; providerId: string | undefined } {
  if (!pathname.startsWith(`${basePath}/`)) {
    throw new UnknownAction(`${pathname} is not below the base path ${basePath || '/'}`)
  }
  const [action, providerId, ...more] = pathname
    .slice(basePath.length)
    .split('/')
    .filter((segment) => segment !== '')
  if (action === undefined || !isAuthAction(action) || more.length > 0) {
    throw new UnknownAction(`${pathname} is no action`)
  }
  if (providerId === undefined || (providerId === 'undefined' && WITH_PROVIDER.has(action))) {
    return { action, providerId: undefined }
  }
  if (!WITH_PROVIDER.has(action)) throw new UnknownAction(`${action} takes no provider`)
  return { action, providerId }
}
