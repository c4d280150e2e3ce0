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
import type { Env } from './options/env.ts'
import { createLogger } from './options/redacting-logger.ts'
import { json, type Outcome, redirect, toResponse, withCookies } from './outcome.ts'
import type { Plan } from './plan.ts'
import { systemPorts } from './ports.ts'
import type { AuthRequest } from './request.ts'
import type { ReadingOptions, SessionRequest } from './session/strategy.ts'
import { readVisit } from './sign-in/visit.ts'
import { type Arrival, type ConfigSource, createSite, type Site } from './site.ts'

/** The session type that a configuration's `session` callback makes. */
export type SessionOf<Config extends AuthConfig> = Config extends {
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

/** Parameters for the authorization endpoint, `prompt` or `login_hint` say. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** Latchkey with a configuration: what an application calls. */
export interface Latchkey<Config extends AuthConfig = AuthConfig> {
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

/**
 * Makes an instance. What the configuration leaves open is filled in from the environment
 * (`AUTH_SECRET`, `AUTH_URL`, `AUTH_<PROVIDER>_ID` and so on).
 *
 * @throws {AuthError} when the configuration cannot be used; a function is judged when it is called.
 */
export function createLatchkey<const Config extends AuthConfig>(
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

/** The environment, where the runtime has one. */
function processEnv(): Env {
  const { process } = globalThis as { process?: { env?: Env } }
  return process?.env ?? {}
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

/** What a session is read from: the headers of a request, and the address that it was sent to. */
function sessionRequest(headers: Headers, origin: string | undefined): SessionRequest {
  const cookies = parseCookies(headers.get('cookie'))
  // Without an address, the cookies say over what they came: only https sets prefixed ones.
  const secure =
    origin?.startsWith('https:') ?? cookies.names().some((name) => name.startsWith('__Secure-'))
  return { cookies, secure }
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
