import { excerpt } from './encoding/excerpt.ts'
import { UnknownAction } from './errors.ts'
import { type CookieJar, parseCookies } from './http/cookies.ts'
import { type Form, NOTHING } from './http/form.ts'

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

/** A request that was understood. Nobody changes it. */
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

const actionNames: ReadonlySet<string> = new Set(authActions)

export function isAuthAction(action: string): action is AuthAction {
  return actionNames.has(action)
}

/** A request whose body is still to be read. */
export interface Arriving extends AuthRequest {
  withForm(form: Form): AuthRequest
}

/**
 * Understands a request, all but its body.
 *
 * @param basePath with a leading slash and none at the end; empty at the root of the site.
 * @throws {UnknownAction} when the method or the path is none of ours.
 */
export function parseRequest(request: Request, basePath: string): Arriving {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') {
    throw new UnknownAction(`only GET and POST are supported, not ${excerpt(method)}`)
  }
  const { origin, pathname, search } = splitUrl(request.url)
  const asked = parsePath(pathname, basePath)
  return new ParsedRequest(request, method, asked, { origin, base: origin + basePath, search })
}

/** The host of the site, as people read it. */
export function hostOf({ origin }: Pick<AuthRequest, 'origin'>): string {
  return origin.slice(origin.indexOf('://') + 3)
}

/** Of all requests without a query; nobody changes the query of a request. */
const NO_QUERY = new URLSearchParams()

/** Query and cookies are only taken apart when somebody asks for them. */
class ParsedRequest implements Arriving {
  readonly method: AuthMethod
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly origin: string
  readonly base: string
  readonly secure: boolean
  readonly form: Form
  readonly original: Request
  readonly #search: string
  #query: URLSearchParams | undefined
  #cookies: CookieJar | undefined

  constructor(
    original: Request,
    method: AuthMethod,
    { action, providerId }: Pick<AuthRequest, 'action' | 'providerId'>,
    { origin, base, search }: Pick<AuthRequest, 'origin' | 'base'> & { search: string },
    form: Form = NOTHING,
  ) {
    this.original = original
    this.method = method
    this.action = action
    this.providerId = providerId
    this.origin = origin
    this.base = base
    this.secure = origin.startsWith('https:')
    this.form = form
    this.#search = search
  }

  withForm(form: Form): AuthRequest {
    const { original, method, origin, base } = this
    return new ParsedRequest(original, method, this, { origin, base, search: this.#search }, form)
  }

  get query(): URLSearchParams {
    this.#query ??= this.#search === '' ? NO_QUERY : new URLSearchParams(this.#search)
    return this.#query
  }

  get cookies(): CookieJar {
    this.#cookies ??= parseCookies(this.original.headers.get('cookie'))
    return this.#cookies
  }
}

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
    throw new UnknownAction(`${excerpt(pathname)} is not below ${basePath}/; set \`basePath\``)
  }
  const rest = pathname.slice(basePath.length + 1)
  if (isAuthAction(rest)) return { action: rest, providerId: undefined }
  const [action, providerId, ...more] = rest.split('/').filter((segment) => segment !== '')
  if (action === undefined || !isAuthAction(action) || more.length > 0) {
    throw new UnknownAction(`${excerpt(pathname)} is no action`)
  }
  if (providerId === undefined || (providerId === 'undefined' && WITH_PROVIDER.has(action))) {
    return { action, providerId: undefined }
  }
  if (!WITH_PROVIDER.has(action)) throw new UnknownAction(`${action} takes no provider`)
  return { action, providerId }
}
