import type { Awaitable } from '../base/awaitable.ts'
import { callsByName } from '../base/calls-by-name.ts'
import { AuthError, isAuthError, toError } from '../base/errors.ts'
import { noteMounted, offerNotes } from '../base/instance-notes.ts'
import { loadOnce } from '../base/once.ts'
import { systemPorts } from '../base/ports.ts'
import {
  Auth,
  authDirect,
  authResult,
  type HandlerResult,
  planOf,
  refusalOf,
} from '../core/auth.ts'
import { tokenSecret } from '../core/compile/session-options.ts'
import { readChunked } from '../http/cookies/cookie-chunks.ts'
import { type Cookie, parseCookies, serializeCookie } from '../http/cookies/cookies.ts'
import { offerDirect } from '../http/direct.ts'
import { sentBySame } from '../http/origin/client-address.ts'
import { atOrigin, pendingAtOrigin } from '../http/origin/public-origin.ts'
import { json, type Outcome, type PublicError, toResponse } from '../http/outcome.ts'
import { type AuthRequest, asksForAction } from '../http/request.ts'
import { isHeaders } from '../http/request-fault.ts'
import type { Adapter } from '../model/adapter.ts'
import type { JsonObject } from '../model/json.ts'
import type { Session } from '../model/session.ts'
import { checkPages } from '../option-checks/check-pages.ts'
import { checkTexts } from '../option-checks/check-texts.ts'
import type { AuthConfig, SessionOptions } from '../options/auth-config.ts'
import type { CallbacksOptions, SessionParams, SessionParamsOf } from '../options/callbacks.ts'
import { type Env, processEnv } from '../options/env.ts'
import type { PluginApis } from '../options/plugin-option.ts'
import { createLogger, type Logger } from '../options/redacting-logger.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { ProviderToken } from '../plugin/provides.ts'
import { createJwtDecoder } from '../session/keeping/jwt-codec.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { ReadingOptions, SessionReading, SessionRequest } from '../session/strategy.ts'
import { wrappedAdapter } from '../store/store.ts'
import { type Arrival, type ConfigSource, createSite, type Site } from './site.ts'

/** The type of session that the `session` callback of a configuration returns. */
export type SessionOf<Config extends { callbacks?: unknown }> = Config extends {
  callbacks: { session: (...params: never[]) => infer Returned }
}
  ? Awaited<Returned>
  : Session

export interface SignInOptions {
  /**
   * Path of the redirect after the sign-in.
   *
   * @default without a provider the requested page, otherwise the page that sent the request, otherwise `/`
   */
  redirectTo?: string
  /**
   * What the `signIn` callback must know when the user comes back, for example an invitation. It is sealed, so the visitor
   * can neither read nor change it. At most 1000 characters as JSON. A string is a field of the form.
   *
   * @see docs/how-to/sign-up-by-invitation.md
   */
  context?: JsonObject | string | undefined
  /** Fields of the form: `email`, or the fields of a credentials provider. */
  [field: string]: unknown
}

export interface SignOutOptions {
  /** Path of the redirect after the sign-out. @default the page that sent the request, otherwise `/` */
  redirectTo?: string
  /**
   * With the plugin `federatedLogout`: whether the user also signs out at the provider. Forms send `1` or `0`.
   *
   * @default the option `federated` of the plugin
   */
  federated?: boolean | '1' | '0' | undefined
}

export interface ProtectOptions<S = Session> {
  /** The path within the application, without the base path of a framework or a locale. */
  path?: string
  /** The request passed to the callback, for example the framework's own request object. */
  native?: Request
  /**
   * Whether a request that is no navigation of a browser, by `Sec-Fetch-Mode`, gets 401 instead of a redirect. Not for
   * frameworks whose router requests pages with scripts. @default false
   */
  redirectsOnlyPages?: boolean | undefined
  /**
   * Called instead of `callbacks.authorized`. It is a method, so that a callback for the request type of a framework is
   * assignable.
   */
  authorized?(params: {
    request: Request
    auth: S | null
  }): Awaitable<boolean | Response | undefined>
}

/** Parameters of the authorization request, for example `prompt` or `login_hint`. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** The session, or the reason why there is none. */
export type AuthResult<S = Session> =
  | { readonly status: 'authenticated'; readonly session: S }
  | {
      /**
       * - `none`: the request has no session token
       * - `expired`: the session has expired
       * - `invalid`: the token is unknown or was changed, or the session was ended
       * - `unavailable`: the session could not be read, for example because the store or a callback failed
       */
      readonly status: 'none' | 'expired' | 'invalid' | 'unavailable'
      readonly session: null
    }

/** The session, or the reason why there is none, with headers for the response. */
export type ReadSession<S = Session> = AuthResult<S> & {
  /**
   * `Set-Cookie` headers that extend the session when it is due, or clear the cookie of a session that has ended, with
   * `Cache-Control: private, no-store`. Send them to the browser.
   */
  readonly headers: Headers
}

/** Returns the session, or `null`. */
export interface AuthReader<S = Session> {
  (request: Request | Headers): Promise<S | null>
  /** Also returns the reason if there is no session. It sets no cookie either. */
  result(request: Request | Headers): Promise<AuthResult<S>>
}

/** The result of a sign-in or sign-out. */
export interface ActionResult extends Partial<PublicError> {
  /** The URL of the redirect. After an error, the page that reports it. */
  readonly url: string
  /** Set if there is no session yet, because the page at `url` asks for something first, for example a second factor. */
  readonly detour?: true
  /** The `Set-Cookie` headers, with `Cache-Control: private, no-store`. Send them to the browser. */
  readonly headers: Headers
}

/** Starts a sign-in on the server, without the form of the sign-in page. */
export interface SignInFunction {
  /**
   * @returns the redirect to respond with. Without a provider, and if a mail cannot be sent or a provider cannot be
   *   reached, it redirects to the sign-in page.
   * @throws {AuthError} for other failures; `InvalidProvider` if no provider has the id; `MissingCSRF` if the browser
   *   reports that another site sent the request, unless it is a link that redirects to a provider or to the sign-in page.
   */
  (
    request: Request,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /**
   * The same, but returns the result instead of a response. Errors are logged, and are part of the result.
   *
   * @throws {AuthError} only if the configuration is invalid.
   */
  result(
    request: Request,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<ActionResult>
}

/** Ends the session. */
export interface SignOutFunction {
  /**
   * @returns the redirect to respond with. If the store cannot end the session, it redirects to the error page, and the
   *   cookie stays.
   * @throws {AuthError} `MissingCSRF` if the browser reports that another site sent the request.
   * @throws {TypeError} for an option that is probably misspelled.
   */
  (request: Request, options?: SignOutOptions): Promise<Response>
  /** The same, but returns the result instead of a response. */
  result(request: Request, options?: SignOutOptions): Promise<ActionResult>
}

/** An instance of Latchkey for one configuration. */
export interface Latchkey<Config extends { callbacks?: unknown } = AuthConfig> {
  /**
   * The functions of the plugins, by plugin name. The first argument of each function is the request. The names are typed
   * if the list of plugins is written in the configuration itself, or in an object that `satisfies AuthConfig`.
   */
  readonly api: PluginApis<Config>
  /** Returns whether Latchkey handles this path, as an action or as a path of a plugin. */
  answers(request: Request): Promise<boolean>
  /** Handles every request below the base path. Mount it there for GET and POST. */
  handler(request: Request): Promise<Response>
  /** The same; also returns the error if the response redirects to a page that reports it. */
  result(request: Request): Promise<HandlerResult>
  /** The handler, by method. */
  readonly handlers: {
    GET(request: Request): Promise<Response>
    POST(request: Request): Promise<Response>
  }
  /**
   * Returns the session, or the reason why there is none, and the headers that extend the session when it is due. It
   * never throws.
   *
   * With headers instead of a request, it does not extend the session. Use this where the response cannot set cookies.
   */
  getSession(input: Request | Headers): Promise<ReadSession<SessionOf<Config>>>
  /** Returns the session of {@link getSession}, or `null`. It sets no cookie and does not extend the session. */
  readonly auth: AuthReader<SessionOf<Config>>
  /**
   * Returns the session and the headers of {@link getSession}.
   *
   * @throws {AuthError} if the configuration is invalid, or the host is not trusted.
   */
  session(request: Request): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
  /**
   * Calls the `authorized` callback with the session to decide whether the request may continue.
   *
   * @returns `response`: the response instead of the page, if the request may not continue; `open`: whether the callback
   *   was not called, because the page is open to everybody (an action, or one of `pages`); `headers`: the `Set-Cookie`
   *   headers that extend the session when it is due, for every response.
   */
  protect(
    request: Request,
    options?: ProtectOptions<SessionOf<Config>>,
  ): Promise<{
    response: Response | undefined
    open: boolean
    session: SessionOf<Config> | null
    headers: Headers
  }>
  readonly signIn: SignInFunction
  readonly signOut: SignOutFunction
  /**
   * The adapter of the configuration, with the records of plugins. Delete users through it, so that their records are also
   * deleted, and plugins can end their sessions. `undefined` without an adapter, and if the configuration is a function.
   */
  readonly adapter: Adapter | undefined
  /**
   * Lets the plugins clean up and repair their stored data, one process at a time. Call it from a timer or a scheduled
   * function, for example every minute; it only frees space. The service calls it itself.
   *
   * @param options `budgetMs`: milliseconds after which no further step starts, 2000 by default.
   */
  maintain(options?: { budgetMs?: number }): Promise<void>
  /**
   * Returns the access token of the signed-in user for the API of a provider. A token that is about to expire is renewed
   * first, once for all concurrent callers, and stored in the account.
   *
   * @returns `null` without a session, or if the user has to sign in with the provider again: there is no account, or no
   *   valid token and the provider does not renew it.
   * @throws {AuthError} without an adapter that lists and updates accounts, and if the provider cannot be reached.
   */
  getProviderToken(request: Request | Headers, provider: string): Promise<ProviderToken | null>
  /** Passes `data` to the `jwt` or `session` callback. Send the headers to the browser. */
  updateSession(
    request: Request,
    data: unknown,
  ): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
}

/** A configuration without the types of the callbacks that depend on the session. */
export type UntypedConfig = Omit<AuthConfig, 'callbacks'> & {
  callbacks?:
    | (Omit<CallbacksOptions, 'session' | 'authorized'> & {
        session?: unknown
        authorized?: unknown
      })
    | undefined
}

/** Types `auth` of `authorized` as the return value of `session`, if `session` is written before it. */
export interface SessionCallbacks<S, Params = SessionParams, Asked extends Request = Request> {
  callbacks?:
    | {
        session?: (params: Params) => Awaitable<S>
        authorized?: (params: {
          request: Asked
          auth: S | null
        }) => Awaitable<boolean | Response | undefined>
      }
    | undefined
}

/** `session` of a configuration, if it is set. */
export type ConfiguredSession = SessionOptions | undefined

/** `adapter` of a configuration, if it is set. */
export type ConfiguredAdapter = Adapter | undefined

/**
 * A configuration whose callbacks have types that follow from the rest of the configuration.
 *
 * @template S the return type of its `session` callback
 * @template K its `session`
 * @template A its `adapter`
 * @template Asked the request that `authorized` receives
 */
export type TypedConfig<Config, S, K, A, Asked extends Request = Request> = Config & {
  session?: K
  adapter?: A
} & SessionCallbacks<S, SessionParamsOf<K, A>, Asked>

/**
 * Creates an instance. Missing options are read from the environment (`AUTH_SECRET`, `AUTH_URL`,
 * `AUTH_<PROVIDER>_ID` and so on).
 *
 * @throws {AuthError} if the configuration is invalid. The configuration of a function is checked with each request.
 */
export function createLatchkey<
  const Config extends UntypedConfig,
  S extends Session = Session,
  const K extends ConfiguredSession = undefined,
  A extends ConfiguredAdapter = undefined,
>(config: TypedConfig<Config, S, K, A>, env?: Env): Latchkey<Config>
export function createLatchkey<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env?: Env,
): Latchkey<Config>
export function createLatchkey<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env: Env = processEnv(),
): Latchkey<Config> {
  const site = createSite(source, env)
  const fault =
    site.fixed && (planOf(site.fixed).fault ?? checkPages(site.fixed) ?? checkTexts(site.fixed))
  if (fault) throw fault

  // Not needed if the application only mounts the handler.
  const loadForms = loadOnce(() => import('./begin-in-code.ts'))
  const loadProtection = loadOnce(() => import('./protect.ts'))

  const loadArguments = loadOnce(() => import('../options/arguments/core-arguments.ts'))

  const handler = async (request: Request): Promise<Response> => {
    const arrival = await site.arrive(request).catch((error: unknown) => unconfigured(error, site))
    if (arrival instanceof Response) return arrival
    return Auth(atOrigin(request, arrival.origin), arrival.config)
  }
  const { arriveAt } = site
  if (arriveAt) {
    offerDirect(handler, async (request) => {
      const { origin, config } = arriveAt(request)
      return authDirect(pendingAtOrigin(request, origin), config)
    })
  }

  const usable = ({ config, origin }: Arrival): SessionPlan => {
    const plan = planOf(config)
    const fault = plan.fault ?? refusalOf(origin, plan)
    if (fault) throw fault
    return plan
  }

  /** Runs an action. After a failure, `tell` logs the error and returns the redirect to its page. */
  const attempt = async ({ request, what, context }: Act): Promise<Attempt> => {
    const arrival = await site.arrive(request)
    const plan = usable(arrival)
    const asked = asAction(request, arrival.origin, plan, what)
    const begun = context === undefined ? undefined : checkContext(context)
    const { answerForm, failurePage } = await loadForms()
    try {
      return { outcome: await answerForm(asked, plan, request.method, begun) }
    } catch (error) {
      const tell = (): Promise<Outcome> => {
        plan.logger.error(toError(error))
        return failurePage(error, asked, plan)
      }
      return { error, tell }
    }
  }

  const act = async (what: Act): Promise<Response> => {
    const { outcome, error, tell } = await attempt(what)
    if (outcome) return toResponse(outcome)
    if (isAuthError(error) && ENDS_ON_A_PAGE.has(error.type)) return toResponse(await tell())
    throw withoutInnerMessage(error)
  }

  const result = async (what: Act): Promise<ActionResult> => {
    const { outcome, tell } = await attempt(what)
    return toResult(outcome ?? (await tell()))
  }

  const signingInWith = async (asked: Parameters<SignInFunction>): Promise<Act> => {
    ;(await loadArguments()).checkCall('signIn', asked)
    return signingIn(...asked)
  }

  const signingOutWith = async (asked: Parameters<SignOutFunction>): Promise<Act> => {
    ;(await loadArguments()).checkCall('signOut', asked)
    return signingOut(...asked)
  }

  const readFor = async (
    input: Request | Headers,
    how: ReadingOptions,
  ): Promise<[result: AuthResult<SessionOf<Config>>, cookies: readonly Cookie[]]> => {
    const asking = await resolveReader(input, site)
    if (!asking) return [{ status: 'unavailable', session: null }, []]
    const { session, ...why } = await asking.plan.session.read(asking.asked, how)
    const result =
      session === null
        ? { status: await statusOf(why, asking), session }
        : { status: 'authenticated' as const, session: session as SessionOf<Config> }
    return [result, why.cookies]
  }

  const ask = async (input: Request | Headers): Promise<AuthResult<SessionOf<Config>>> =>
    (await readFor(input, { readOnly: true }))[0]

  const read = async (
    request: Request,
    how?: ReadingOptions,
  ): Promise<{ session: SessionOf<Config> | null; headers: Headers }> => {
    const arrival = await site.arrive(request)
    const asked = sessionRequest(request, arrival.origin)
    const { session, cookies } = await usable(arrival).session.read(asked, how)
    return { session: session as SessionOf<Config> | null, headers: cookieHeaders(cookies) }
  }

  const plan = site.fixed && planOf(site.fixed)
  const mounted = (): void => noteMounted(plan?.basePath)

  const instance: Latchkey<Config> = {
    api: apiOf(async (name, input) => {
      const request = input instanceof Request ? input : undefined
      const arrival = request && (await site.arrive(request))
      const plan = arrival ? usable(arrival) : planOf(await site.config())
      const api = plan.plugins?.api(name)
      if (!api)
        throw new AuthError(
          `no plugin of the configuration has \`api.${name}\`; add the plugin to \`plugins\``,
        )
      return { api, request: request && arrival ? atOrigin(request, arrival.origin) : undefined }
    }) as PluginApis<Config>,
    async answers(request) {
      const { config } = await site.arrive(request)
      const plan = planOf(config)
      const { pathname } = new URL(request.url)
      return asksForAction(pathname, plan) || plan.plugins?.router.find(pathname) !== undefined
    },
    get handler() {
      mounted()
      return handler
    },
    async result(request) {
      const arrival = await site
        .arrive(request)
        .catch((error: unknown) => unconfigured(error, site))
      if (arrival instanceof Response) return { response: arrival }
      return authResult(atOrigin(request, arrival.origin), arrival.config)
    },
    get handlers() {
      mounted()
      return { GET: handler, POST: handler }
    },
    async getSession(input) {
      const readOnly = !(input instanceof Request)
      const [result, cookies] = await readFor(input, { readOnly })
      return { ...result, headers: cookieHeaders(readOnly ? [] : cookies) }
    },
    auth: Object.assign(async (input: Request | Headers) => (await ask(input)).session, {
      result: ask,
    }),
    session: (request) => read(request),
    updateSession: (request, data) => read(request, { update: { data } }),
    async getProviderToken(input, provider) {
      ;(await loadArguments()).checkCall('getProviderToken', [input, provider])
      const asking = await resolveReader(input, site)
      if (!asking) return null
      const { providerToken } = await import('./provider-token.ts')
      return providerToken(asking.asked, provider, asking.plan)
    },
    async protect(request, options = {}) {
      ;(await loadArguments()).checkCall('protect', [request, options])
      const { path, native = request, authorized, redirectsOnlyPages } = options
      const arrival = await site.arrive(request)
      const plan = usable(arrival)
      const asked = sessionRequest(request, arrival.origin)
      const { session, cookies } = await plan.session.read(asked)
      const { pathname, search } = new URL(request.url)
      const url = new URL(arrival.origin + pathname + search)
      const visiting = {
        request,
        url,
        path: path ?? url.pathname,
        native,
        session,
        redirectsOnlyPages,
        authorized: authorized ?? arrival.config.callbacks?.authorized,
      }
      const { protect } = await loadProtection()
      return {
        ...(await protect(visiting, plan)),
        session: session as SessionOf<Config> | null,
        headers: cookieHeaders(cookies),
      }
    },
    get adapter() {
      const { adapter } = site.fixed ?? {}
      const { store, plugins } = (site.fixed && planOf(site.fixed)) || {}
      const wrapped = adapter && store && wrappedAdapter(adapter, store)
      return wrapped && plugins ? plugins.accounts.tellingDeletions(wrapped) : wrapped
    },
    async maintain(options = {}) {
      ;(await loadArguments()).checkCall('maintain', [options])
      const { budgetMs = 2000 } = options
      const plan = planOf(await site.config())
      if (plan.fault) throw plan.fault
      await plan.plugins?.maintain(budgetMs)
    },
    signIn: Object.assign(
      async (...asked: Parameters<SignInFunction>) => act(await signingInWith(asked)),
      {
        result: async (...asked: Parameters<SignInFunction>) => result(await signingInWith(asked)),
      },
    ),
    signOut: Object.assign(
      async (...asked: Parameters<SignOutFunction>) => act(await signingOutWith(asked)),
      {
        result: async (...asked: Parameters<SignOutFunction>) =>
          result(await signingOutWith(asked)),
      },
    ),
  }
  return offerNotes(instance, {
    warn: (code, detail) => loggerOf(site).warn(code, detail),
    signIn: plan && !plan.pages.signIn ? `${plan.basePath}/signin` : undefined,
    mounted,
  })
}

type Callable = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>

/** Looks up the functions of plugins with each call, since the configuration may depend on the request. */
function apiOf(
  find: (name: string, first: unknown) => Promise<{ api: object; request: Request | undefined }>,
): object {
  return callsByName(async (plugin, name, args) => {
    const { api, request } = await find(plugin, args[0])
    const called = (api as Callable)[name]
    if (typeof called !== 'function') {
      throw new AuthError(`the plugin ${plugin} has no function \`${name}\``)
    }
    return called.apply(api, request ? [request, ...args.slice(1)] : args)
  })
}

function toResult(outcome: Outcome): ActionResult {
  const headers = cookieHeaders(outcome.cookies ?? [])
  if (outcome.kind !== 'redirect') return { url: '/', headers }
  const { to, detour, error } = outcome
  return { url: to, headers, ...error, ...(detour && { detour }) }
}

/** The result of an action: an outcome, or an error and a function that reports it to the visitor. */
type Attempt =
  | { readonly outcome: Outcome; readonly error?: undefined; readonly tell?: undefined }
  | { readonly outcome?: undefined; readonly error: unknown; readonly tell: () => Promise<Outcome> }

/** Failures of other systems: the visitor sees a page, and the log has the details. */
const ENDS_ON_A_PAGE: ReadonlySet<string> = new Set([
  'EmailSignInError',
  'OAuthSignInError',
  'ReauthenticationRequired',
  'SignOutError',
  'TooManyAttempts',
])

/** Removes the message of a database or a provider from an error, since applications show messages. The cause keeps it. */
function withoutInnerMessage(error: unknown): unknown {
  const inner = isAuthError(error) ? error.cause?.err?.message : undefined
  if (isAuthError(error) && inner && error.message.includes(inner)) {
    error.message = `the action failed with ${error.type}; \`cause.err\` has the reason`
  }
  return error
}

/** An action and its request. */
interface Act {
  readonly request: Request
  readonly what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>
  /** What the `signIn` callback must know; not checked yet. */
  readonly context?: object | undefined
}

/** The length of the context as JSON, characters. Together with other sign-ins, it must fit into the cookies. */
const CONTEXT_LIMIT = 1000

/** @throws {TypeError} if the context of a sign-in is not JSON, or too long. */
function checkContext(context: object): JsonObject {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(context))
  try {
    const text = isPlain ? JSON.stringify(context) : ''
    if (text !== '' && text.length <= CONTEXT_LIMIT) return JSON.parse(text) as JsonObject
  } catch {}
  throw new TypeError(
    `\`context\` of signIn must be a plain object whose JSON has at most ${CONTEXT_LIMIT} characters`,
  )
}

function signingIn(
  request: Request,
  providerId?: string,
  { redirectTo, context, ...fields }: SignInOptions = {},
  params: AuthorizationParams = '',
): Act {
  // Values of a form are strings: a visitor cannot send a context.
  const isField = typeof context === 'string'
  if (isField) fields['context'] = context
  return {
    request,
    context: isField ? undefined : context,
    what: {
      action: 'signin',
      providerId,
      form: { ...fields, callbackUrl: redirectTo ?? wayBack(request, providerId) },
      query: new URLSearchParams(params),
    },
  }
}

function signingOut(request: Request, { redirectTo, federated }: SignOutOptions = {}): Act {
  const isChosen = federated !== undefined
  return {
    request,
    what: {
      action: 'signout',
      providerId: undefined,
      form: {
        callbackUrl: redirectTo ?? pageOf(request),
        ...(isChosen && { federated: String(Number(federated)) }),
      },
      query: new URLSearchParams(),
    },
  }
}

/** The request for a session, and its configuration. */
interface Asking {
  readonly config: AuthConfig
  readonly plan: SessionPlan
  readonly asked: SessionRequest
}

/** Returns why there is no session. A reading that clears cookies means that the request had an invalid one. */
async function statusOf(
  { cookies, failed, expired }: Omit<SessionReading, 'session'>,
  asking: Asking,
): Promise<Exclude<AuthResult['status'], 'authenticated'>> {
  if (failed) return 'unavailable'
  if (cookies.length === 0) return 'none'
  return (expired ?? (await wasValidBefore(asking))) ? 'expired' : 'invalid'
}

/** Returns whether the session was valid at an earlier time. Does not call an application's own decoder again. */
async function wasValidBefore({ config, plan, asked }: Asking): Promise<boolean> {
  if (plan.session.name !== 'jwt' || config.jwt?.decode) return false
  const { name } = plan.cookies(asked.secure).sessionToken
  const value = readChunked(asked.cookies, name)
  const secret = tokenSecret(config, plan.secrets)
  const decode = createJwtDecoder({ secret, maxAge: 0, decode: undefined }, { now: () => 0 })
  return value !== undefined && (await decode(value, name)) !== undefined
}

/** Returns the request of an action, as if its form had been sent. It does not read the body of the original request. */
function asAction(
  request: Request,
  origin: string,
  plan: SessionPlan,
  what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>,
): AuthRequest {
  const { headers } = request
  const { pathname, search } = new URL(request.url)
  return Object.freeze({
    ...what,
    method: 'POST',
    origin,
    base: origin + plan.basePath,
    secure: origin.startsWith('https:'),
    cookies: parseCookies(headers.get('cookie'), new URL(origin).host),
    original: sentBySame(new Request(origin + pathname + search, { headers }), request),
  })
}

/** Returns the request and the plan to read a session with; `undefined` if the configuration is not usable. */
async function resolveReader(input: Request | Headers, site: Site): Promise<Asking | undefined> {
  try {
    const { origin, config } = isHeaders(input)
      ? { origin: site.origin, config: await site.config() }
      : await site.arrive(input)
    const plan = planOf(config)
    // Headers without a request may have no address.
    const fault = plan.fault ?? (origin === undefined ? undefined : refusalOf(origin, plan))
    if (!fault) return { config, plan, asked: sessionRequest(input, origin) }
    plan.logger.error(fault)
  } catch (error) {
    logUnconfigured(error, site)
  }
  return undefined
}

/** If the function that returns the configuration failed, there is no logger but the console. */
function logUnconfigured(error: unknown, site: Site): void {
  const thrown = toError(error)
  const fix = 'the function passed to createLatchkey must return a configuration for every request'
  const told = isAuthError(thrown)
    ? thrown
    : new AuthError(`the configuration could not be loaded: ${thrown.message}; ${fix}`, thrown)
  loggerOf(site).error(told)
}

function loggerOf({ fixed }: Site): Logger {
  return createLogger(fixed?.logger, fixed?.debug ?? false, systemPorts.console)
}

function unconfigured(error: unknown, site: Site): Response {
  logUnconfigured(error, site)
  const message = 'The server is not set up correctly. Its operator finds the details in the log.'
  return toResponse({ ...json({ message }), status: 500 })
}

/** Returns the page after the sign-in: the protected page itself, or the page with the link that started the sign-in. */
function wayBack(request: Request, providerId: string | undefined): string {
  return providerId === undefined && request.method === 'GET' ? pathOf(request) : pageOf(request)
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return pathname + search
}

/** Returns the page that sent the request. It is checked like any other callback URL. */
function pageOf(request: Request): string {
  return request.headers.get('referer') ?? '/'
}

/** Returns `Set-Cookie` headers, and a `Cache-Control` that keeps caches from storing them. */
function cookieHeaders(cookies: readonly Cookie[]): Headers {
  const headers = new Headers()
  if (cookies.length > 0) headers.set('cache-control', 'private, no-store')
  for (const cookie of cookies) headers.append('set-cookie', serializeCookie(cookie))
  return headers
}
