import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import { UntrustedHost } from '../base/errors.ts'
import { noteMounted } from '../base/instance-notes.ts'
import {
  type ActionResult,
  type AuthConfig,
  type AuthorizationParams,
  type ConfigSource,
  createLatchkey,
  type Env,
  type Latchkey,
  type PluginApis,
  type Session,
  type SessionOf,
  type SignInOptions,
  type SignOutOptions,
} from '../entries/index.ts'
import {
  type ApisOfRequest,
  apiThrough,
  basePathIn,
  guard,
  mountedAt,
  processEnv,
  withProof,
} from './mounted.ts'
import { answerNode } from './node-direct.ts'
import {
  appendCookies,
  BadRequest,
  first,
  type NodeRequest,
  type NodeResponse,
  sendWebResponse,
  toWebRequest,
} from './node-http.ts'
import { type Notices, noticing } from './notices.ts'
import type { Authorize, FactorOptions, FreshOptions, PageGuard } from './parts.ts'
import { type PerEvent, perEvent } from './per-event.ts'

export {
  type Account,
  type AuthConfig as ExpressAuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'
export type { ApisOfRequest } from './mounted.ts'

/** A request of Express 4 or 5. */
export interface ExpressRequest extends NodeRequest {
  readonly app: { get(setting: string): unknown }
  readonly baseUrl: string
  readonly originalUrl: string
  readonly params: Readonly<Record<string, unknown>>
  /** `http` or `https`, by the setting `trust proxy`. */
  readonly protocol: string
  readonly body?: unknown
  readonly res?: NodeResponse | undefined
}

/** Its response. */
export interface ExpressResponse<Locals extends object = object> extends NodeResponse {
  readonly locals: Locals
}

/** A middleware for Express 4 and 5. */
export type ExpressHandler<Locals extends object = object> = (
  request: ExpressRequest,
  response: ExpressResponse<Locals>,
  next: (error?: unknown) => void,
) => Promise<void>

/**
 * Handles the requests below its mount point: `app.use('/auth', authHandler(config))`, or with a wildcard of Express 4
 * or 5. Body parsers may be mounted before it.
 *
 * @param source the configuration; its base path is the mount point, unless it or the environment has another one.
 */
export function authHandler<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
): ExpressHandler {
  const site = siteOf(source)
  // The mount point is known with the first request.
  noteMounted(undefined)
  return async (request, response, next) => {
    try {
      const base = mountPoint(request) || site.base
      if (!request.originalUrl.startsWith(`${base}/`)) return next()
      site.arrives(request, base)
      await answerNode(site.at(base), request, response, originOf(request))
    } catch (error) {
      next(error)
    }
  }
}

/**
 * @deprecated Use {@link authHandler}.
 * @alias
 */
export const ExpressAuth: typeof authHandler = authHandler

/**
 * Puts the session, or `null`, into `response.locals.session` for later handlers, as {@link getSession} returns it.
 *
 * @param source the configuration, or a function that returns it.
 */
export function authSession<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
): ExpressHandler<{ session: SessionOf<Config> | null }> {
  return async (request, response, next) => {
    try {
      response.locals.session = await getSession(request, source)
    } catch (error) {
      return next(error)
    }
    next()
  }
}

/** The return type of {@link getSession}. */
export type GetSessionResult = Promise<Session | null>

/**
 * Returns the session, or `null`. If the session is due for extension and the headers are not sent yet, it is extended
 * on the response. Further calls for the same request return the same session.
 *
 * A request for a host that is invalid or not trusted has no session.
 *
 * @throws {AuthError} if the configuration is invalid.
 */
export function getSession<const Config extends AuthConfig>(
  request: ExpressRequest,
  source: ConfigSource<Config>,
): Promise<SessionOf<Config> | null> {
  const { asked, at, base } = siteOf(source)
  const reading = asked.once(request, () => read(at(base), request))
  return reading as Promise<SessionOf<Config> | null>
}

/** Returns the functions of the plugins, by plugin name. The request argument of the functions is filled in. */
export function apiOf<const Config extends AuthConfig>(
  request: ExpressRequest,
  source: ConfigSource<Config>,
): ApisOfRequest<PluginApis<Config>> {
  const { at, base } = siteOf(source)
  return apiThrough(
    async () => at(base),
    async () => toWebRequest(request, originOf(request)),
  )
}

async function read(latchkey: Latchkey, request: ExpressRequest): Promise<Session | null> {
  try {
    const { session, headers } = await latchkey.session(toWebRequest(request, originOf(request)))
    if (request.res) appendCookies(request.res, headers)
    return session
  } catch (error) {
    // Express 4 does not handle the rejection of an `async` handler: such a request would end the process.
    if (error instanceof BadRequest || error instanceof UntrustedHost) return null
    throw error
  }
}

/**
 * Allows only requests with a session, which is then in `response.locals.session`. Redirects other visitors to the
 * sign-in page, and responds to scripts with 401.
 *
 * @param source the configuration; it must set `basePath` if that is not `/auth`, to find the sign-in page.
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  authorized?: Authorize<SessionOf<Config>>,
): ExpressHandler<{ session: SessionOf<Config> }> {
  const site = siteOf(source)
  // Sites are cached by source, without their session type.
  const latchkey = site.own() as PageGuard<Session> as PageGuard<SessionOf<Config>>
  return async (request, response, next) => {
    try {
      const verdict = await guard(latchkey, toWebRequest(request, originOf(request)), authorized)
      appendCookies(response, verdict.headers)
      site.notice.led(verdict.response, latchkey)
      if (verdict.response) return await sendWebResponse(verdict.response, response)
      if (verdict.open)
        response.on('close', () => site.notice.unanswered(verdict, response.statusCode))
      // Requests without a session do not get here.
      response.locals.session = verdict.session as SessionOf<Config>
      site.asked.set(request, Promise.resolve(verdict.session))
    } catch (error) {
      return next(error)
    }
    next()
  }
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  seconds: number,
  options: FreshOptions = {},
): ExpressHandler<{ session: SessionOf<Config> }> {
  return requireAuth(source, withProof(siteOf(source).own(), { ...options, maxAge: seconds }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  factors: 1 | 2,
  options: FactorOptions = {},
): ExpressHandler<{ session: SessionOf<Config> }> {
  return requireAuth(source, withProof(siteOf(source).own(), { ...options, factors }))
}

/** Starts a sign-in at the provider, or without one on the sign-in page. */
export interface ExpressSignIn {
  /**
   * Responds with the redirect.
   *
   * @throws {AuthError} if the sign-in fails.
   */
  (
    request: ExpressRequest,
    response: ExpressResponse,
    source: ConfigSource<AuthConfig>,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<void>
  /** Sets the cookies and returns the result; the application responds. */
  result(
    request: ExpressRequest,
    response: ExpressResponse,
    source: ConfigSource<AuthConfig>,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Omit<ActionResult, 'headers'>>
}

const begin: ExpressSignIn = async (request, response, source, ...what) => {
  const asked = toWebRequest(request, originOf(request))
  await sendWebResponse(
    await siteOf(source)
      .own()
      .signIn(asked, ...what),
    response,
  )
}
begin.result = async (request, response, source, ...what) => {
  const asked = toWebRequest(request, originOf(request))
  const { headers, ...result } = await siteOf(source)
    .own()
    .signIn.result(asked, ...what)
  appendCookies(response, headers)
  return result
}

export const signIn: ExpressSignIn = begin

/** Ends the session, and responds with the redirect. */
export async function signOut<const Config extends AuthConfig>(
  request: ExpressRequest,
  response: ExpressResponse,
  source: ConfigSource<Config>,
  options: SignOutOptions = {},
): Promise<void> {
  const asked = toWebRequest(request, originOf(request))
  await sendWebResponse(await siteOf(source).own().signOut(asked, options), response)
}

/** A configuration in an application. */
interface ExpressSite {
  /** The base path that is known without a request. */
  readonly base: string
  /** Returns the instance for a mount point. */
  at(base: string): Latchkey
  /** The sessions by request. */
  readonly asked: PerEvent<Promise<Session | null>>
  /** Returns the instance for guards, which redirect to the actions, but are not mounted with them. */
  own(): Latchkey
  readonly notice: Notices
  /** Checks a request for mistakes to warn about. */
  arrives(request: ExpressRequest, mount: string): void
}

/** Sites by configuration, since `getSession` receives the configuration with each request. */
const sites = new WeakMap<object, ExpressSite>()

/** Maximum number of cached mount points of a configuration, since a mount point may have parameters. */
const MOST_MOUNTS = 16

function siteOf(source: ConfigSource<AuthConfig>): ExpressSite {
  const known = sites.get(source)
  if (known) return known
  const env = processEnv()
  const config: Partial<AuthConfig> = typeof source === 'function' ? {} : source
  const base = config.basePath ?? basePathIn(env) ?? '/auth'
  const isSaid = config.basePath !== undefined || basePathIn(env) !== undefined
  const mounted = new Map<string, Latchkey>()
  const notice = noticing(config.logger)
  let isAssumed = false
  const site: ExpressSite = {
    base,
    notice,
    asked: perEvent('session'),
    at(mount) {
      const instance = mounted.get(mount)
      if (instance) return instance
      if (mounted.size >= MOST_MOUNTS) mounted.clear()
      const fresh = instanceAt(source, mount, env)
      mounted.set(mount, fresh)
      return fresh
    },
    own() {
      isAssumed = true
      return site.at(base)
    },
    arrives({ headers, protocol }, mount) {
      if (mount !== base && (isSaid || isAssumed)) notice.mountPoint(mount, base)
      notice.proxy(headers, protocol, "app.set('trust proxy', 1)")
    },
  }
  sites.set(source, site)
  return site
}

/**
 * Returns the instance for a mount point. The configuration is passed as a function, so that it is checked with each
 * request instead of at the start.
 */
function instanceAt(source: ConfigSource<AuthConfig>, mount: string, env: Env): Latchkey {
  try {
    return createLatchkey(mountedAt(source, mount, env), env)
  } catch (error) {
    if (typeof source === 'function') throw error
    return createLatchkey(
      mountedAt(() => source, mount, env),
      env,
    )
  }
}

/** Returns the origin by the setting `trust proxy`. */
function originOf({ app, headers, protocol, socket }: ExpressRequest): string {
  const trusts = app.get('trust proxy fn') as (address: unknown, hop: number) => boolean
  const forwarded = first(headers['x-forwarded-host'])
  const host = forwarded && trusts(socket.remoteAddress, 0) ? forwarded : headers['host']
  return `${protocol}://${String(host ?? '')}`
}

/** Returns the mount point of a request: the beginning of its path, up to the wildcard if there is one. */
function mountPoint({ baseUrl, originalUrl, params }: ExpressRequest): string {
  const [path = ''] = originalUrl.split('?')
  // Wildcards have numbers in Express 4, and names and lists in Express 5.
  const wild = Object.entries(params).flatMap(([name, value]) =>
    Array.isArray(value) ? value.join('/') : /^\d+$/.test(name) ? String(value) : [],
  )
  const found = wild.flatMap((tail) => before(baseUrl, tail) ?? before(path, tail) ?? [])
  return withoutEndSlashes(found.at(-1) ?? baseUrl)
}

/** Returns the path before its last segments; `undefined` if it does not end with them. */
function before(path: string, tail: string): string | undefined {
  const wanted = tail.replace(/^\//, '')
  const segments = path.split('/')
  let end = path.length
  // Each segment is decoded once, since a path of slashes has many segments.
  for (let length = -1; segments.length > 1 && length < wanted.length; ) {
    const segment = segments.pop() ?? ''
    end -= segment.length + 1
    length += decoded(segment).length + 1
    if (length === wanted.length && tailOf(path, end) === wanted) return path.slice(0, end)
  }
  return undefined
}

/** Returns the decoded segments of a path after a position. */
function tailOf(path: string, end: number): string {
  return path
    .slice(end + 1)
    .split('/')
    .map(decoded)
    .join('/')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
