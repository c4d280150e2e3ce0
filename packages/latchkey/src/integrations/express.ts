import { withoutEndSlashes } from '../encoding/end-slashes.ts'
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
} from '../index.ts'
import {
  type ApisOfRequest,
  apiThrough,
  basePathIn,
  guard,
  mountedAt,
  processEnv,
} from './mounted.ts'
import { answerNode } from './node-direct.ts'
import {
  appendCookies,
  first,
  type NodeRequest,
  type NodeResponse,
  sendWebResponse,
  toWebRequest,
} from './node-http.ts'
import { type Notices, noticing } from './notices.ts'
import type { Authorize, PageGuard } from './parts.ts'

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
} from '../index.ts'
export type { ApisOfRequest } from './mounted.ts'

/** A request of Express 4 or 5. */
export interface ExpressRequest extends NodeRequest {
  readonly app: { get(setting: string): unknown }
  readonly baseUrl: string
  readonly originalUrl: string
  readonly params: Readonly<Record<string, unknown>>
  /** `http` or `https`, as the setting `trust proxy` has it. */
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
 * Answers the requests below where it is mounted: `app.use('/auth', ExpressAuth(config))`, or with a
 * wildcard in the way of Express 4 or 5. Parsers of the body may stand before it.
 *
 * @param source has the base path of the mount point, unless it or the environment says otherwise.
 */
export function ExpressAuth<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
): ExpressHandler {
  const site = siteOf(source)
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

/** What {@link getSession} gives. */
export type GetSessionResult = Promise<Session | null>

/**
 * Who is signed in; `null` for nobody. A session that is due is extended on the response, while its
 * headers can still be set. Asked again for the same request, it gives the same answer.
 *
 * @throws {AuthError} when the configuration cannot be used.
 */
export function getSession<const Config extends AuthConfig>(
  request: ExpressRequest,
  source: ConfigSource<Config>,
): Promise<SessionOf<Config> | null> {
  const { asked, at, base } = siteOf(source)
  let reading = asked.get(request)
  if (!reading) asked.set(request, (reading = read(at(base), request)))
  return reading as Promise<SessionOf<Config> | null>
}

/**
 * What the plugins of a configuration offer, by their names. Where a function takes a request, it is this one.
 */
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
  const { session, headers } = await latchkey.session(toWebRequest(request, originOf(request)))
  if (request.res) appendCookies(request.res, headers)
  return session
}

/**
 * Lets only those go on who are signed in, with the session in `response.locals.session`. Others are
 * sent to the sign-in page, and scripts are answered with 401.
 *
 * @param source names its base path if that is not `/auth`: it is where the sign-in page is.
 * @param authorized which of them may go on, if not all.
 */
export function requireAuth<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  authorized?: Authorize<SessionOf<Config>>,
): ExpressHandler<{ session: SessionOf<Config> }> {
  const site = siteOf(source)
  // Sites are kept by source, whatever session that makes.
  const latchkey = site.own() as PageGuard<Session> as PageGuard<SessionOf<Config>>
  return async (request, response, next) => {
    try {
      const verdict = await guard(latchkey, toWebRequest(request, originOf(request)), authorized)
      appendCookies(response, verdict.headers)
      if (verdict.response) return await sendWebResponse(verdict.response, response)
      if (verdict.open)
        response.on('close', () => site.notice.unanswered(verdict, response.statusCode))
      // Nobody else was let in.
      response.locals.session = verdict.session as SessionOf<Config>
      site.asked.set(request, Promise.resolve(verdict.session))
    } catch (error) {
      return next(error)
    }
    next()
  }
}

/** Begins a sign-in: at the provider, or without one on the sign-in page. */
export interface ExpressSignIn {
  /** Answers with where that leads. @throws {AuthError} when it fails. */
  (
    request: ExpressRequest,
    response: ExpressResponse,
    source: ConfigSource<AuthConfig>,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<void>
  /** Sets the cookies, and says what came of it; the answer is the application's. */
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

/** Ends the session, and answers with where to go then. */
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
  /** Where it is mounted as far as is known without a request. */
  readonly base: string
  /** The same configuration, mounted there. */
  at(base: string): Latchkey
  /** Who was found to be signed in, by request. */
  readonly asked: WeakMap<ExpressRequest, Promise<Session | null>>
  /** The same for what leads to the actions without being mounted itself: it has to know where they are. */
  own(): Latchkey
  readonly notice: Notices
  /** Looks for what the operator should know about. */
  arrives(request: ExpressRequest, mount: string): void
}

/** `getSession` is given a configuration with each request, and compiles it no more than once. */
const sites = new WeakMap<object, ExpressSite>()

/** Most mount points of a configuration that are kept: a parameter may stand for a part of one. */
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
    asked: new WeakMap(),
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

/** As a function, a configuration that cannot be used is judged when a request comes, which is answered then. */
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

/** Scheme and host, of which the setting `trust proxy` says whose word counts. */
function originOf({ app, headers, protocol, socket }: ExpressRequest): string {
  const trusts = app.get('trust proxy fn') as (address: unknown, hop: number) => boolean
  const forwarded = first(headers['x-forwarded-host'])
  const host = forwarded && trusts(socket.remoteAddress, 0) ? forwarded : headers['host']
  return `${protocol}://${String(host ?? '')}`
}

/** The path that a request's address begins with, up to the wildcard if the mount point has one. */
function mountPoint({ baseUrl, originalUrl, params }: ExpressRequest): string {
  const [path = ''] = originalUrl.split('?')
  // Express 4 numbers its wildcards; in Express 5 they have names, and are lists.
  const wild = Object.entries(params).flatMap(([name, value]) =>
    Array.isArray(value) ? value.join('/') : /^\d+$/.test(name) ? String(value) : [],
  )
  const found = wild.flatMap((tail) => before(baseUrl, tail) ?? before(path, tail) ?? [])
  return withoutEndSlashes(found.at(-1) ?? baseUrl)
}

/** What stands before the last segments of a path; `undefined` when these are not its last. */
function before(path: string, tail: string): string | undefined {
  const wanted = tail.replace(/^\//, '')
  const segments = path.split('/')
  let end = path.length
  // Each segment is decoded once: of a path of slashes there are as many as characters.
  for (let length = -1; segments.length > 1 && length < wanted.length; ) {
    const segment = segments.pop() ?? ''
    end -= segment.length + 1
    length += decoded(segment).length + 1
    if (length === wanted.length && tailOf(path, end) === wanted) return path.slice(0, end)
  }
  return undefined
}

/** The segments of a path after a place, decoded. */
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
