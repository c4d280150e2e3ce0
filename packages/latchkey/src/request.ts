import { excerpt } from './encoding/excerpt.ts'
import { UnknownAction } from './errors.ts'
import { type CookieJar, parseCookies } from './http/cookies.ts'
import { type Form, NOTHING } from './http/form.ts'
import { type Arrived, requestOf } from './http/pending-request.ts'

/** What can be asked for below the base path, and whether the id of a provider may follow. */
const authActions = {
  callback: true,
  csrf: false,
  error: false,
  providers: false,
  session: false,
  signin: true,
  signout: false,
  'verify-request': false,
  'webauthn-options': true,
} as const

export type AuthAction = keyof typeof authActions

export type AuthMethod = 'GET' | 'POST'

/** A request for something of ours. Nobody changes it. */
export interface SiteRequest {
  readonly method: AuthMethod
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

/** A request for a built-in action. */
export interface AuthRequest extends SiteRequest {
  readonly action: AuthAction
  readonly providerId: string | undefined
}

export function isAuthAction(action: string): action is AuthAction {
  return Object.hasOwn(authActions, action)
}

/** Where the actions are, and how their paths are written. */
export interface Mount {
  /** With a leading slash and none at the end; empty at the root of the site. */
  readonly basePath: string
  /** Does something in front of the service end every path with a slash? */
  readonly trailingSlash: boolean
}

/** What a path asks for. */
type Asked = Pick<AuthRequest, 'action' | 'providerId'>

/** A request whose body is still to be read. */
export interface Arriving extends AuthRequest {
  withForm(form: Form): AuthRequest
}

/**
 * Understands a request, all but its body.
 *
 * @throws {UnknownAction} when the method or the path is none of ours.
 */
export function parseRequest(request: Arrived, mount: Mount): Arriving {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') {
    throw new UnknownAction(`only GET and POST are supported, not ${excerpt(method)}`)
  }
  const { origin, pathname, search } = splitUrl(request.url)
  const asked = parsePath(pathname, mount)
  if (typeof asked === 'string') throw new UnknownAction(`${excerpt(pathname)} ${asked}`)
  const base = origin + mount.basePath
  return new ParsedRequest(request, method, asked, { origin, base, search })
}

/** The host of the site, as people read it. */
export function hostOf({ origin }: Pick<SiteRequest, 'origin'>): string {
  return origin.slice(origin.indexOf('://') + 3)
}

/** Of all requests without a query; nobody changes the query of a request. */
const NO_QUERY = new URLSearchParams()

/**
 * Returns a request as it arrived, for its headers: `original` would make a `Request` of one that is none yet.
 */
export function arrivedAs(request: SiteRequest): Arrived {
  return request instanceof ParsedRequest ? request.arrived : request.original
}

/** Query, cookies and the `Request` itself are only made when somebody asks for them. */
class ParsedRequest implements Arriving {
  readonly method: AuthMethod
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly origin: string
  readonly base: string
  readonly secure: boolean
  readonly form: Form
  readonly arrived: Arrived
  readonly #search: string
  #query: URLSearchParams | undefined
  #cookies: CookieJar | undefined

  constructor(
    arrived: Arrived,
    method: AuthMethod,
    { action, providerId }: Pick<AuthRequest, 'action' | 'providerId'>,
    { origin, base, search }: Pick<AuthRequest, 'origin' | 'base'> & { search: string },
    form: Form = NOTHING,
  ) {
    this.arrived = arrived
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
    const { arrived, method, origin, base } = this
    return new ParsedRequest(arrived, method, this, { origin, base, search: this.#search }, form)
  }

  get original(): Request {
    return requestOf(this.arrived)
  }

  get query(): URLSearchParams {
    this.#query ??= this.#search === '' ? NO_QUERY : new URLSearchParams(this.#search)
    return this.#query
  }

  get cookies(): CookieJar {
    this.#cookies ??= parseCookies(this.arrived.headers.get('cookie'))
    return this.#cookies
  }
}

/** Returns the parts of a request's URL, which is normalized and absolute already. */
export function splitUrl(href: string): { origin: string; pathname: string; search: string } {
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

/**
 * Returns whether the service answers this path, and nothing else does: what is open to everybody is
 * exactly that.
 *
 * @param basePath where the actions are, with or without slashes around it.
 * @param trailingSlash as in the configuration.
 */
export function isActionPath(pathname: string, basePath: string, trailingSlash = false): boolean {
  return asksForAction(pathname, { basePath: normalizeBasePath(basePath), trailingSlash })
}

/** An escape of what nobody needs to escape (RFC 3986 section 2.3). */
const ESCAPED_LETTER = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i

/** The same where the base path is known to be written as we do. */
export function asksForAction(pathname: string, mount: Mount): boolean {
  return typeof parsePath(pathname, mount) !== 'string'
}

/** Returns the path with a leading slash and none at the end; empty at the root of the site. */
export function normalizeBasePath(basePath: string): string {
  const inner = basePath.split('/').filter((segment) => segment !== '')
  return inner.length === 0 ? '' : `/${inner.join('/')}`
}

/** What is wrong with a path that another mount point has, and which that probably is. */
function elsewhere(pathname: string, basePath: string): string {
  const meant = otherBase(pathname)
  const fix = meant === undefined ? '' : ` to ${JSON.stringify(excerpt(meant))}`
  return `is not below ${basePath}/, where the actions are; mount the handler there, or set \`basePath\`${fix}`
}

/**
 * Returns the base path by which a path would be one of an action.
 *
 * @param pathname one that is none.
 */
export function otherBase(pathname: string): string | undefined {
  const segments = pathname.split('/')
  const at = segments.findLastIndex((segment) => isAuthAction(segment))
  return at < 1 || at < segments.length - 2 ? undefined : segments.slice(0, at).join('/')
}

/**
 * Every path has one spelling: who limits or closes one in front of the service has closed it.
 *
 * @returns what it asks for, or what is wrong with it.
 */
function parsePath(pathname: string, { basePath, trailingSlash }: Mount): Asked | string {
  if (!pathname.startsWith(`${basePath}/`)) return elsewhere(pathname, basePath)
  const end = trailingSlash && pathname.endsWith('/') ? -1 : undefined
  const rest = pathname.slice(basePath.length + 1, end)
  if (isAuthAction(rest)) return { action: rest, providerId: undefined }
  const [action = '', providerId = '', ...more] = rest.split('/', 3)
  if (!isAuthAction(action) || more.some((segment) => segment !== '')) return 'is no action'
  if (providerId === '' || more.length > 0 || ESCAPED_LETTER.test(providerId)) {
    return 'is another spelling of an action; leave out escapes and further slashes, or set `trailingSlash` if the site adds one'
  }
  if (!authActions[action]) return `is no action: ${action} takes no provider`
  // Older clients name a provider like that when they mean none.
  return { action, providerId: providerId === 'undefined' ? undefined : providerId }
}
