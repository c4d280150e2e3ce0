import { callback } from './actions/callback.ts'
import { signIn as beginSignIn } from './actions/signin.ts'
import { signOut as endSession } from './actions/signout.ts'
import { Auth, planOf, refusalOf } from './auth.ts'
import { toError } from './errors.ts'
import { type Cookie, parseCookies, serializeCookie } from './http/cookies.ts'
import { atOrigin } from './http/public-origin.ts'
import { trusted, withParams } from './http/safe-url.ts'
import type { Session } from './model/session.ts'
import type { AuthConfig } from './options/auth-config.ts'
import type { Awaitable } from './options/awaitable.ts'
import type { CallbacksOptions, SessionParams } from './options/callbacks.ts'
import { type Env, processEnv } from './options/env.ts'
import { createLogger } from './options/redacting-logger.ts'
import { json, type Outcome, redirect, toResponse, withCookies } from './outcome.ts'
import type { Plan } from './plan.ts'
import { systemPorts } from './ports.ts'
import type * as Protection from './protect.ts'
import type { AuthRequest } from './request.ts'
import { sessionRequest } from './session/session-request.ts'
import type { ReadingOptions, SessionRequest } from './session/strategy.ts'
import { readVisit } from './sign-in/visit.ts'
import { type Arrival, type ConfigSource, createSite, type Site } from './site.ts'

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

export interface ProtectOptions {
  /** The path within the application, where a framework's base path or a locale stands before it. */
  path?: string
  /** What the callback is given as the request, a framework's own say. */
  native?: Request
  /** Asked instead of `callbacks.authorized`. */
  authorized?: CallbacksOptions['authorized']
}

/** Parameters for the authorization endpoint, `prompt` or `login_hint` say. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** Latchkey with a configuration: what an application calls. */
export interface Latchkey<Config extends { callbacks?: unknown } = AuthConfig> {
  /** Answers every request below the base path. Mount it there for GET and POST. */
  handler(request: Request): Promise<Response>
  /** The same, by method. */
  readonly handlers: {
    GET(request: Request): Promise<Response>
    POST(request: Request): Promise<Response>
  }
  /**
   * Who is signed in; `null` for nobody, and when it cannot be found out. Sets no cookie, so it
   * extends nothing: see {@link session}.
   */
  auth(request: Request | Headers): Promise<SessionOf<Config> | null>
  /** The same, and the `Set-Cookie` headers that extend the session when that is due. */
  session(request: Request): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
  /**
   * May this request go on? Asks the `authorized` callback, with who is signed in.
   *
   * @returns the answer instead of the page, if there is one; and the `Set-Cookie` headers that
   *   extend the session when that is due, which belong on whatever is answered.
   */
  protect(
    request: Request,
    options?: ProtectOptions,
  ): Promise<{
    response: Response | undefined
    session: SessionOf<Config> | null
    headers: Headers
  }>
  /**
   * Begins a sign-in from the server: what the sign-in page's form does, without the form.
   *
   * @returns the redirect to answer with; without a provider it leads to the sign-in page.
   * @throws {AuthError} when it fails.
   */
  signIn(
    request: Request,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /** Ends the session. @returns the redirect to answer with. */
  signOut(request: Request, options?: { redirectTo?: string }): Promise<Response>
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
export interface SessionCallbacks<S> {
  callbacks?:
    | {
        session?: (params: SessionParams) => Awaitable<S>
        authorized?: (params: {
          request: Request
          auth: S | null
        }) => Awaitable<boolean | Response | undefined>
      }
    | undefined
}

/**
 * Makes an instance. What the configuration leaves open is filled in from the environment
 * (`AUTH_SECRET`, `AUTH_URL`, `AUTH_<PROVIDER>_ID` and so on).
 *
 * @throws {AuthError} when the configuration cannot be used; a function is judged when it is called.
 */
export function createLatchkey<const Config extends UntypedConfig, S extends Session = Session>(
  config: Config & SessionCallbacks<S>,
  env?: Env,
): Latchkey<Config>
export function createLatchkey<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env?: Env,
): Latchkey<Config>
export function createLatchkey<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env: Env = processEnv(),
): Latchkey<Config> {
  const site = createSite(source, env)
  const fault = site.fixed && planOf(site.fixed).fault
  if (fault) throw fault

  const handler = async (request: Request): Promise<Response> => {
    let arrival: Arrival
    try {
      arrival = await site.arrive(request)
    } catch (error) {
      return unconfigured(error)
    }
    return Auth(atOrigin(request, arrival.origin), arrival.config)
  }

  const usable = ({ config, origin }: Arrival): Plan => {
    const plan = planOf(config)
    const fault = plan.fault ?? refusalOf(origin, plan)
    if (fault) throw fault
    return plan
  }

  const act = async (
    request: Request,
    what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>,
    run: (request: AuthRequest, plan: Plan) => Promise<Outcome>,
  ): Promise<Response> => {
    const arrival = await site.arrive(request)
    const plan = usable(arrival)
    return toResponse(await run(asAction(request, arrival.origin, plan, what), plan))
  }

  const read = async (
    request: Request,
    how?: ReadingOptions,
  ): Promise<{ session: SessionOf<Config> | null; headers: Headers }> => {
    const arrival = await site.arrive(request)
    const asked = sessionRequest(request.headers, arrival.origin)
    const { session, cookies } = await usable(arrival).session.read(asked, how)
    return { session: session as SessionOf<Config> | null, headers: cookieHeaders(cookies) }
  }

  return {
    handler,
    handlers: { GET: handler, POST: handler },
    async auth(input) {
      const asking = await whoAsks(input, site)
      if (!asking) return null
      const { plan, asked } = asking
      const reading = await plan.session.read(asked, { readOnly: true })
      return reading.session as SessionOf<Config> | null
    },
    session: (request) => read(request),
    updateSession: (request, data) => read(request, { update: { data } }),
    async protect(request, { path, native = request, authorized } = {}) {
      const arrival = await site.arrive(request)
      const plan = usable(arrival)
      const asked = sessionRequest(request.headers, arrival.origin)
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
        response: await protect(visiting, plan),
        session: session as SessionOf<Config> | null,
        headers: cookieHeaders(cookies),
      }
    },
    signIn: (request, providerId, { redirectTo, ...fields } = {}, params = '') =>
      act(
        request,
        {
          action: 'signin',
          providerId,
          form: { ...fields, callbackUrl: redirectTo ?? wayBack(request, providerId) },
          query: new URLSearchParams(params),
        },
        async (asked, plan) => {
          const visit = { ...(await readVisit(asked, plan)), csrfVerified: true }
          const provider = plan.provider(providerId)
          if (!provider) {
            const page = plan.pages.signIn ?? `${asked.base}/signin`
            return redirect(trusted(withParams(page, { callbackUrl: visit.callbackUrl })))
          }
          const run = provider.type === 'credentials' ? callback : beginSignIn
          return withCookies(await run(asked, plan, visit), visit.cookies)
        },
      ),
    signOut: (request, { redirectTo } = {}) =>
      act(
        request,
        {
          action: 'signout',
          providerId: undefined,
          form: { callbackUrl: redirectTo ?? pageOf(request) },
          query: new URLSearchParams(),
        },
        async (asked, plan) => endSession(asked, plan, await readVisit(asked, plan)),
      ),
  }
}

let loaded: Promise<typeof Protection> | undefined

/** For those who protect pages; a handler alone does without. */
function loadProtection(): Promise<typeof Protection> {
  return (loaded ??= import('./protect.ts'))
}

/** The request of an action, as if a form of ours had been sent. The application's own body stays unread. */
function asAction(
  { headers, url }: Request,
  origin: string,
  plan: Plan,
  what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>,
): AuthRequest {
  const { pathname, search } = new URL(url)
  return Object.freeze({
    ...what,
    method: 'POST',
    origin,
    base: origin + plan.basePath,
    secure: origin.startsWith('https:'),
    cookies: parseCookies(headers.get('cookie')),
    original: new Request(origin + pathname + search, { headers }),
  })
}

/** Whose session is asked for, and how it is read; `undefined` when there is no usable configuration. */
async function whoAsks(
  input: Request | Headers,
  site: Site,
): Promise<{ plan: Plan; asked: SessionRequest } | undefined> {
  try {
    const { origin, config } =
      input instanceof Request
        ? await site.arrive(input)
        : { origin: site.origin, config: await site.config() }
    const plan = planOf(config)
    const headers = input instanceof Request ? input.headers : input
    // Headers alone may come without an address; none is made up for them.
    const fault = plan.fault ?? (origin === undefined ? undefined : refusalOf(origin, plan))
    if (!fault) return { plan, asked: sessionRequest(headers, origin) }
    plan.logger.error(fault)
  } catch (error) {
    logUnconfigured(error)
  }
  return undefined
}

/** The function that gives the configuration failed, so there is no logger of the application either. */
function logUnconfigured(error: unknown): void {
  createLogger({}, false, systemPorts.console).error(toError(error))
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

function cookieHeaders(cookies: readonly Cookie[]): Headers {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('set-cookie', serializeCookie(cookie))
  return headers
}
