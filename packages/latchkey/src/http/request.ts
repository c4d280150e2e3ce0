import { excerpt } from '../base/encoding/excerpt.ts'
import { UnknownAction } from '../base/errors.ts'
import { type CookieJar, parseCookies } from './cookies/cookies.ts'
import { type Form, NOTHING } from './form.ts'
import { ESCAPED_LETTER, normalizeBasePath } from './paths/base-path.ts'
import { type Arrived, requestOf } from './pending-request.ts'

/** The actions below the base path, and whether the id of a provider may follow. */
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

/** A request for an action or for a path of a plugin. It is immutable. */
export interface SiteRequest {
  readonly method: AuthMethod
  /** Scheme, host and port. */
  readonly origin: string
  /** `origin` and base path: the beginning of the URLs of all actions. */
  readonly base: string
  /** Whether the request came over https. */
  readonly secure: boolean
  readonly query: URLSearchParams
  readonly cookies: CookieJar
  readonly form: Form
  /** The original request; its body has been read. */
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
  /** Whether a framework or a proxy ends every path with a slash. */
  readonly trailingSlash: boolean
}

/** The action and the provider in a path. */
type Asked = Pick<AuthRequest, 'action' | 'providerId'>

/** A request whose body has not been read. */
export interface Arriving extends AuthRequest {
  withForm(form: Form): AuthRequest
}

/**
 * Parses a request without its body.
 *
 * @param url the parts of its URL.
 * @throws {UnknownAction} if the method is not supported, or the path is not the path of an action.
 */
export function parseRequest(
  request: Arrived,
  mount: Mount,
  { origin, pathname, search }: UrlParts = splitUrl(request.url),
): Arriving {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') {
    throw new UnknownAction(`only GET and POST are supported, got ${excerpt(method)}`)
  }
  const asked = parsePath(pathname, mount)
  if (typeof asked === 'string') throw new UnknownAction(`${excerpt(pathname)} ${asked}`)
  const base = origin + mount.basePath
  return new ParsedRequest(request, method, asked, { origin, base, search })
}

/**
 * Returns a request for a path of a plugin, without its body. HEAD becomes GET; the runtime omits the body.
 *
 * @param url the parts of its URL.
 */
export function siteRequest(
  arrived: Arrived,
  { origin, search }: Pick<UrlParts, 'origin' | 'search'>,
  { basePath }: Pick<Mount, 'basePath'>,
): SiteRequest {
  const original = requestOf(arrived)
  return {
    method: arrived.method === 'HEAD' ? 'GET' : (arrived.method as AuthMethod),
    origin,
    base: origin + basePath,
    secure: origin.startsWith('https:'),
    query: new URLSearchParams(search),
    cookies: parseCookies(arrived.headers.get('cookie'), hostOf({ origin })),
    form: NOTHING,
    original,
  }
}

/** Returns the host of the site, with the port. */
export function hostOf({ origin }: Pick<SiteRequest, 'origin'>): string {
  return origin.slice(origin.indexOf('://') + 3)
}

/** Shared by all requests without a query, since the query is never changed. */
const NO_QUERY = new URLSearchParams()

/** Returns the original request, to read its headers. Unlike `original`, it does not create a `Request`. */
export function arrivedAs(request: SiteRequest): Arrived {
  return request instanceof ParsedRequest ? request.arrived : request.original
}

/** Creates the query, the cookies and the `Request` when they are first read. */
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
    this.#cookies ??= parseCookies(this.arrived.headers.get('cookie'), hostOf(this))
    return this.#cookies
  }
}

interface UrlParts {
  readonly origin: string
  readonly pathname: string
  readonly search: string
}

/** Returns the parts of a URL that is already normalized and absolute. */
export function splitUrl(href: string): UrlParts {
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
 * Returns whether a path is exactly the path of an action, and thus open to everybody.
 *
 * @param basePath with or without slashes around it.
 * @param trailingSlash the option of the configuration.
 */
export function isActionPath(pathname: string, basePath: string, trailingSlash = false): boolean {
  return asksForAction(pathname, { basePath: normalizeBasePath(basePath), trailingSlash })
}

/** The same for a normalized base path. */
export function asksForAction(pathname: string, mount: Mount): boolean {
  return typeof parsePath(pathname, mount) !== 'string'
}

/** Returns the message for a path outside of the base path, with the probable base path. */
function elsewhere(pathname: string, basePath: string): string {
  const meant = otherBase(pathname)
  const fix = meant === undefined ? '' : ` to ${JSON.stringify(excerpt(meant))}`
  return `is not below the base path ${basePath}/ (\`basePath\`, else the path of AUTH_URL); mount the handler there, or set \`basePath\`${fix}`
}

/**
 * Returns the base path with which a path would be the path of an action.
 *
 * @param pathname a path that is not the path of an action.
 */
export function otherBase(pathname: string): string | undefined {
  const segments = pathname.split('/')
  const at = segments.findLastIndex((segment) => isAuthAction(segment))
  return at < 1 || at < segments.length - 2 ? undefined : segments.slice(0, at).join('/')
}

/**
 * Parses a path. Every path has exactly one spelling, so that a rule of a proxy for a path cannot be bypassed.
 *
 * @returns the action and the provider, or the reason why the path is invalid.
 */
function parsePath(pathname: string, { basePath, trailingSlash }: Mount): Asked | string {
  if (!pathname.startsWith(`${basePath}/`)) return elsewhere(pathname, basePath)
  const end = trailingSlash && pathname.endsWith('/') ? -1 : undefined
  const rest = pathname.slice(basePath.length + 1, end)
  if (isAuthAction(rest)) return { action: rest, providerId: undefined }
  const [action = '', providerId = '', ...more] = rest.split('/', 3)
  if (!isAuthAction(action) || more.some((segment) => segment !== ''))
    return 'is not the path of an action'
  if (providerId === '' || more.length > 0 || ESCAPED_LETTER.test(providerId)) {
    return 'is not the exact path of an action; remove escapes and additional slashes, or set `trailingSlash` if the site adds a slash'
  }
  if (!authActions[action])
    return `is not the path of an action: ${action} does not take a provider`
  // Older clients send `undefined` for no provider.
  return { action, providerId: providerId === 'undefined' ? undefined : providerId }
}
