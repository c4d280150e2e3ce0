import { Auth, authDirect, authResult, type HandlerResult, planOf, refusalOf } from './auth.ts'
import { callsByName } from './calls-by-name.ts'
import { tokenSecret } from './compile/session-options.ts'
import { AuthError, isAuthError, toError } from './errors.ts'
import { sentBySame } from './http/client-address.ts'
import { readChunked } from './http/cookie-chunks.ts'
import { type Cookie, parseCookies, serializeCookie } from './http/cookies.ts'
import { offerDirect } from './http/direct.ts'
import { atOrigin, pendingAtOrigin } from './http/public-origin.ts'
import type { Adapter } from './model/adapter.ts'
import type { Session } from './model/session.ts'
import { loadOnce } from './once.ts'
import type { AuthConfig, SessionOptions } from './options/auth-config.ts'
import type { Awaitable } from './options/awaitable.ts'
import type { CallbacksOptions, SessionParams, SessionParamsOf } from './options/callbacks.ts'
import { checkPages } from './options/check-pages.ts'
import { checkTexts } from './options/check-texts.ts'
import { type Env, processEnv } from './options/env.ts'
import type { PluginApis } from './options/plugin-option.ts'
import { createLogger } from './options/redacting-logger.ts'
import { json, type Outcome, type PublicError, toResponse } from './outcome.ts'
import type { SessionPlan } from './plan.ts'
import type { ProviderToken } from './plugin.ts'
import { systemPorts } from './ports.ts'
import { type AuthRequest, asksForAction } from './request.ts'
import { createJwtDecoder } from './session/jwt-codec.ts'
import { sessionRequest } from './session/session-request.ts'
import type { ReadingOptions, SessionReading, SessionRequest } from './session/strategy.ts'
import { type Arrival, type ConfigSource, createSite, type Site } from './site.ts'
import { wrappedAdapter } from './store/store.ts'

/** The session type that a configuration's `session` callback makes. */
export type SessionOf<Config extends { callbacks?: unknown }> = Config extends {
  callbacks: { session: (...params: never[]) => infer Returned }
}
  ? Awaited<Returned>
  : Session

export interface SignInOptions {
  /**
   * Path to go to in the end.
   *
   * @default without a provider the page itself, else the page that the request came from, else `/`
   */
  redirectTo?: string
  /** Fields of the form: `email`, or those of a credentials provider. */
  [field: string]: unknown
}

export interface SignOutOptions {
  /** Where to go in the end. @default the page that the request came from, else `/` */
  redirectTo?: string
  /**
   * With the plugin `federatedLogout`: whether the visitor is signed out of the provider, too. A form says it with
   * `1` or `0`.
   *
   * @default what the plugin's option `federated` says
   */
  federated?: boolean | '1' | '0' | undefined
}

export interface ProtectOptions<S = Session> {
  /** The path within the application, where a framework's base path or a locale stands before it. */
  path?: string
  /** What the callback is given as the request, a framework's own say. */
  native?: Request
  /**
   * Asked instead of `callbacks.authorized`. A method, so that a callback for the request of one framework
   * fits.
   */
  authorized?(params: {
    request: Request
    auth: S | null
  }): Awaitable<boolean | Response | undefined>
}

/** Parameters for the authorization endpoint, `prompt` or `login_hint` say. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** Who is signed in, or why nobody is. */
export type AuthResult<S = Session> =
  | { readonly status: 'authenticated'; readonly session: S }
  | {
      /**
       * - `none`: the browser brought no session
       * - `expired`: it brought one that has come to its end
       * - `invalid`: one that is not ours, was changed, or was ended
       * - `unavailable`: it could not be found out, since the store or a callback failed, say
       */
      readonly status: 'none' | 'expired' | 'invalid' | 'unavailable'
      readonly session: null
    }

/** Who is signed in, why nobody is, and what belongs on the answer. */
export type ReadSession<S = Session> = AuthResult<S> & {
  /**
   * The `Set-Cookie` headers that extend the session when that is due, or clear one that is over, with what keeps
   * caches from them. Send them to the browser.
   */
  readonly headers: Headers
}

/** Who is signed in. */
export interface AuthReader<S = Session> {
  (request: Request | Headers): Promise<S | null>
  /** The same, and when it is nobody, why. Sets no cookie either. */
  result(request: Request | Headers): Promise<AuthResult<S>>
}

/** What came of a sign-in or sign-out. */
export interface ActionResult extends Partial<PublicError> {
  /** Where the visitor is to go: the page that tells the error, if there is one. */
  readonly url: string
  /** Nobody is signed in yet: the page at `url` asks for something first, a second factor say. */
  readonly detour?: true
  /** The `Set-Cookie` headers, with `Cache-Control: private, no-store`. Send them to the browser. */
  readonly headers: Headers
}

/** Begins a sign-in from the server: what the sign-in page's form does, without the form. */
export interface SignInFunction {
  /**
   * @returns the redirect to answer with. Without a provider, and when a mail cannot be sent or a provider
   *   not be reached, it leads to the sign-in page.
   * @throws {AuthError} when it fails otherwise; `MissingCSRF` when the browser says that another site asks
   *   for it, unless a link leads to a provider or to the sign-in page.
   */
  (
    request: Request,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /**
   * The same, told instead of answered. What fails is logged, and part of the result.
   *
   * @throws {AuthError} only when the configuration cannot be used.
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
   * @returns the redirect to answer with. It leads to the error page, and the cookie stays, when the store
   *   cannot end the session.
   * @throws {AuthError} `MissingCSRF` when the browser says that another site asks for it.
   */
  (request: Request, options?: SignOutOptions): Promise<Response>
  /** The same, told instead of answered. */
  result(request: Request, options?: SignOutOptions): Promise<ActionResult>
}

/** Latchkey with a configuration: what an application calls. */
export interface Latchkey<Config extends { callbacks?: unknown } = AuthConfig> {
  /**
   * What the plugins offer, by their names. Each function is given the request first. Names are known
   * where the list of plugins is written in the configuration itself, or `satisfies AuthConfig`.
   */
  readonly api: PluginApis<Config>
  /** Does Latchkey answer this path, an action or one of a plugin, and nothing else? */
  answers(request: Request): Promise<boolean>
  /** Answers every request below the base path. Mount it there for GET and POST. */
  handler(request: Request): Promise<Response>
  /** The same, and what went wrong where the answer leads to a page that tells the visitor so. */
  result(request: Request): Promise<HandlerResult>
  /** The handler, by method. */
  readonly handlers: {
    GET(request: Request): Promise<Response>
    POST(request: Request): Promise<Response>
  }
  /**
   * Who is signed in, why nobody is, and the headers that extend the session when that is due. It never throws.
   *
   * Given headers alone, as where an answer cannot set cookies, it extends nothing.
   */
  getSession(input: Request | Headers): Promise<ReadSession<SessionOf<Config>>>
  /** The session of {@link getSession}, or `null`. It sets no cookie and extends nothing. */
  readonly auth: AuthReader<SessionOf<Config>>
  /**
   * The session and the headers of {@link getSession}.
   *
   * @throws {AuthError} when the configuration cannot be used, or the host is not trusted.
   */
  session(request: Request): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
  /**
   * May this request go on? Asks the `authorized` callback, with who is signed in.
   *
   * @returns the answer instead of the page, if there is one; whether it was not asked, since the page is
   *   open to everybody: an action, or one of `pages`; and the `Set-Cookie` headers that extend the session
   *   when that is due, which belong on whatever is answered.
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
   * The adapter of the configuration, with the records of plugins. Delete users through it: what is stored
   * beside the adapter is then deleted, too, and plugins end what they know of. `undefined` without an adapter,
   * and where the configuration is a function.
   */
  readonly adapter: Adapter | undefined
  /**
   * Has the plugins clean up and repair what they keep, one process at a time. Call it from a timer or a scheduled
   * function, every minute say; nothing but space depends on it. The service does it by itself.
   *
   * @param options `budgetMs`: milliseconds after which no further step is begun, 2000 if left out.
   */
  maintain(options?: { budgetMs?: number }): Promise<void>
  /**
   * The access token that a provider gave for who is signed in, to ask its API with. One that is
   * about to end is renewed before, once however many ask, and stored in the account.
   *
   * @returns `null` when nobody is signed in, or only another sign-in with the provider helps: there
   *   is no account, or no token that works, and the provider gives no other.
   * @throws {AuthError} without an adapter that lists and updates accounts, and when the provider
   *   cannot be asked.
   */
  getProviderToken(request: Request | Headers, provider: string): Promise<ProviderToken | null>
  /** Hands `data` to the `jwt` or `session` callback. Send the headers to the browser. */
  updateSession(
    request: Request,
    data: unknown,
  ): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
}

/** A configuration but for the types of the callbacks that have to do with the session. */
export type UntypedConfig = Omit<AuthConfig, 'callbacks'> & {
  callbacks?:
    | (Omit<CallbacksOptions, 'session' | 'authorized'> & {
        session?: unknown
        authorized?: unknown
      })
    | undefined
}

/** What `session` returns, `authorized` is given, if it stands behind it. */
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

/** `session` of a configuration, if it has one. */
export type ConfiguredSession = SessionOptions | undefined

/** `adapter` of a configuration, if it has one. */
export type ConfiguredAdapter = Adapter | undefined

/**
 * A configuration whose callbacks have the types that the rest of it makes.
 *
 * @template S what its `session` callback returns
 * @template K its `session`
 * @template A its `adapter`
 * @template Asked the request that `authorized` receives
 */
export type TypedConfig<Config, S, K, A, Asked extends Request = Request> = Config & {
  session?: K
  adapter?: A
} & SessionCallbacks<S, SessionParamsOf<K, A>, Asked>

/**
 * Makes an instance. What the configuration leaves open is filled in from the environment
 * (`AUTH_SECRET`, `AUTH_URL`, `AUTH_<PROVIDER>_ID` and so on).
 *
 * @throws {AuthError} when the configuration cannot be used; a function is judged when it is called.
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

  // Who only mounts the handler does without.
  const loadForms = loadOnce(() => import('./form-answers.ts'))
  const loadProtection = loadOnce(() => import('./protect.ts'))

  const handler = async (request: Request): Promise<Response> => {
    const arrival = await site.arrive(request).catch(unconfigured)
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

  /** Does what is asked for, and says of what fails on which page it is told. */
  const attempt = async ({ request, what }: Act): Promise<Attempt> => {
    const arrival = await site.arrive(request)
    const plan = usable(arrival)
    const asked = asAction(request, arrival.origin, plan, what)
    const { answerForm, failurePage } = await loadForms()
    try {
      return { outcome: await answerForm(asked, plan, request.method) }
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

  const readFor = async (
    input: Request | Headers,
    how: ReadingOptions,
  ): Promise<[result: AuthResult<SessionOf<Config>>, cookies: readonly Cookie[]]> => {
    const asking = await whoAsks(input, site)
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

  return {
    api: apiOf(async (name, input) => {
      const request = input instanceof Request ? input : undefined
      const arrival = request && (await site.arrive(request))
      const plan = arrival ? usable(arrival) : planOf(await site.config())
      const api = plan.plugins?.api(name)
      if (!api) throw new AuthError(`no plugin of the configuration offers \`api.${name}\``)
      return { api, request: request && arrival ? atOrigin(request, arrival.origin) : undefined }
    }) as PluginApis<Config>,
    async answers(request) {
      const { config } = await site.arrive(request)
      const plan = planOf(config)
      const { pathname } = new URL(request.url)
      return asksForAction(pathname, plan) || (plan.plugins?.answers(pathname) ?? false)
    },
    handler,
    async result(request) {
      const arrival = await site.arrive(request).catch(unconfigured)
      if (arrival instanceof Response) return { response: arrival }
      return authResult(atOrigin(request, arrival.origin), arrival.config)
    },
    handlers: { GET: handler, POST: handler },
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
      const asking = await whoAsks(input, site)
      if (!asking) return null
      const { providerToken } = await import('./provider-token.ts')
      return providerToken(asking.asked, provider, asking.plan)
    },
    async protect(request, { path, native = request, authorized } = {}) {
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
      return wrapped && plugins ? plugins.tellingDeletions(wrapped) : wrapped
    },
    async maintain({ budgetMs = 2000 } = {}) {
      const plan = planOf(await site.config())
      if (plan.fault) throw plan.fault
      await plan.plugins?.maintain(budgetMs)
    },
    signIn: Object.assign((...asked: Parameters<SignInFunction>) => act(signingIn(...asked)), {
      result: (...asked: Parameters<SignInFunction>) => result(signingIn(...asked)),
    }),
    signOut: Object.assign((...asked: Parameters<SignOutFunction>) => act(signingOut(...asked)), {
      result: (...asked: Parameters<SignOutFunction>) => result(signingOut(...asked)),
    }),
  }
}

type Callable = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>

/** Finds a plugin's functions when they are called: the configuration may depend on the request. */
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

/** What came of an action: an outcome, or an error and how the visitor is told of it. */
type Attempt =
  | { readonly outcome: Outcome; readonly error?: undefined; readonly tell?: undefined }
  | { readonly outcome?: undefined; readonly error: unknown; readonly tell: () => Promise<Outcome> }

/** What went wrong between us and others: the visitor is told on a page, and the log has the rest. */
const ENDS_ON_A_PAGE: ReadonlySet<string> = new Set([
  'EmailSignInError',
  'OAuthSignInError',
  'SignOutError',
  'TooManyAttempts',
])

/** Applications show the messages of errors. What a database or a provider said stays in the cause. */
function withoutInnerMessage(error: unknown): unknown {
  const inner = isAuthError(error) ? error.cause?.err?.message : undefined
  if (isAuthError(error) && inner && error.message.includes(inner)) {
    error.message = `it failed with ${error.type}; \`cause.err\` says why`
  }
  return error
}

/** An action, and the request that it is done for. */
interface Act {
  readonly request: Request
  readonly what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>
}

function signingIn(
  request: Request,
  providerId?: string,
  { redirectTo, ...fields }: SignInOptions = {},
  params: AuthorizationParams = '',
): Act {
  return {
    request,
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

/** Who is asked for, and by which configuration. */
interface Asking {
  readonly config: AuthConfig
  readonly plan: SessionPlan
  readonly asked: SessionRequest
}

/** Why nobody is signed in. Whoever brought a session that is none is told to forget it. */
async function statusOf(
  { cookies, failed, expired }: Omit<SessionReading, 'session'>,
  asking: Asking,
): Promise<Exclude<AuthResult['status'], 'authenticated'>> {
  if (failed) return 'unavailable'
  if (cookies.length === 0) return 'none'
  return (expired ?? (await wasGood(asking))) ? 'expired' : 'invalid'
}

/** Would the session have been read at an earlier time? An application's own decoder is not asked twice. */
async function wasGood({ config, plan, asked }: Asking): Promise<boolean> {
  if (plan.session.name !== 'jwt' || config.jwt?.decode) return false
  const { name } = plan.cookies(asked.secure).sessionToken
  const value = readChunked(asked.cookies, name)
  const secret = tokenSecret(config, plan.secrets)
  const decode = createJwtDecoder({ secret, maxAge: 0, decode: undefined }, { now: () => 0 })
  return value !== undefined && (await decode(value, name)) !== undefined
}

/** The request of an action, as if a form of ours had been sent. The application's own body stays unread. */
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
    cookies: parseCookies(headers.get('cookie')),
    original: sentBySame(new Request(origin + pathname + search, { headers }), request),
  })
}

/** Whose session is asked for, and how it is read; `undefined` when there is no usable configuration. */
async function whoAsks(input: Request | Headers, site: Site): Promise<Asking | undefined> {
  try {
    const { origin, config } =
      input instanceof Request
        ? await site.arrive(input)
        : { origin: site.origin, config: await site.config() }
    const plan = planOf(config)
    // Headers alone may come without an address; none is made up for them.
    const fault = plan.fault ?? (origin === undefined ? undefined : refusalOf(origin, plan))
    if (!fault) return { config, plan, asked: sessionRequest(input, origin) }
    plan.logger.error(fault)
  } catch (error) {
    logUnconfigured(error)
  }
  return undefined
}

/** The function that gives the configuration failed, so there is no logger of the application either. */
function logUnconfigured(error: unknown): void {
  const thrown = toError(error)
  const fix =
    'the function that createLatchkey was given must return a configuration for every request'
  const told = isAuthError(thrown)
    ? thrown
    : new AuthError(`the configuration could not be had: ${thrown.message}; ${fix}`, thrown)
  createLogger({}, false, systemPorts.console).error(told)
}

function unconfigured(error: unknown): Response {
  logUnconfigured(error)
  const message = 'The server is not set up correctly. Its operator finds the details in the log.'
  return toResponse({ ...json({ message }), status: 500 })
}

/** A page that asks for a sign-in is shown after it; a link that starts one leads back to its own page. */
function wayBack(request: Request, providerId: string | undefined): string {
  return providerId === undefined && request.method === 'GET' ? pathOf(request) : pageOf(request)
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return pathname + search
}

/** The page that the request came from; judged like any other target. */
function pageOf(request: Request): string {
  return request.headers.get('referer') ?? '/'
}

/** Cookies for one person, and that no cache may keep the answer that sets them. */
function cookieHeaders(cookies: readonly Cookie[]): Headers {
  const headers = new Headers()
  if (cookies.length > 0) headers.set('cache-control', 'private, no-store')
  for (const cookie of cookies) headers.append('set-cookie', serializeCookie(cookie))
  return headers
}
