import { withClientAddress } from '../http/client-address.ts'
import {
  type ActionResult,
  type AuthConfig,
  type AuthorizationParams,
  type ConfigSource,
  type ConfiguredAdapter,
  type ConfiguredSession,
  createLatchkey,
  type Env,
  type PluginApis,
  type Session,
  type SessionOf,
  type SignInOptions,
  type SignOutOptions,
  type TypedConfig,
  type UntypedConfig,
} from '../index.ts'
import { asForOne } from './caching.ts'
import { mountedAt, processEnv } from './mounted.ts'
import { withCookies } from './set-cookies.ts'

export {
  type Account,
  type AuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type Profile,
  type Session,
  type User,
} from '../index.ts'

declare global {
  namespace App {
    interface Locals {
      /** Who is signed in; `null` for nobody. Asked again for the same request, it gives the same answer. */
      auth(): Promise<Session | null>
    }
  }
}

/** What is used of Astro's context, which pages know as `Astro`. */
export interface AstroContext {
  readonly request: Request
  readonly locals: object
  /** Whether the page is made ahead, for nobody in particular. */
  readonly isPrerendered?: boolean
  /** Throws where the platform does not say it. */
  readonly clientAddress?: string
}

/** Begins a sign-in, in an endpoint or at the top of a page. */
export interface AstroSignIn {
  /**
   * @returns the redirect to answer with; without a provider to the sign-in page.
   * @throws {AuthError} when it fails.
   */
  (
    context: AstroContext,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /** Says what came of it, and throws not what went wrong. Its headers belong on the answer. */
  result(
    context: AstroContext,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<ActionResult>
}

/** What a configuration gives to an Astro application. */
export interface AstroAuthResult<S = Session, Apis extends object = object> {
  /** What the plugins offer, by their names. Each function is given the request first. */
  readonly api: Apis
  /** For `pages/api/auth/[...latchkey].ts`. */
  GET(context: AstroContext): Promise<Response>
  POST(context: AstroContext): Promise<Response>
  /** For `middleware.ts`: sets `locals.auth`, and asks `authorized`. */
  onRequest(context: AstroContext, next: () => Promise<Response>): Promise<Response>
  /** What `locals.auth()` gives, with the type that the configuration makes of it. */
  auth(context: Pick<AstroContext, 'locals'>): Promise<S | null>
  readonly signIn: AstroSignIn
  /** Ends the session. @returns the redirect to answer with. */
  signOut(context: AstroContext, options?: SignOutOptions): Promise<Response>
}

/**
 * Latchkey for Astro 7, on a server.
 *
 * @param source mounted at `/api/auth`, unless it says otherwise. A function is called once for a
 *   request.
 * @param env the environment of the process, unless it is kept elsewhere.
 */
export function AstroAuth<
  const Config extends UntypedConfig,
  S extends Session = Session,
  const K extends ConfiguredSession = undefined,
  A extends ConfiguredAdapter = undefined,
>(
  config: TypedConfig<Config, S, K, A>,
  env?: Env,
): AstroAuthResult<SessionOf<Config>, PluginApis<Config>>
export function AstroAuth<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env?: Env,
): AstroAuthResult<SessionOf<Config>, PluginApis<Config>>
export function AstroAuth<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env: Env = processEnv(),
): AstroAuthResult<SessionOf<Config>, PluginApis<Config>> {
  // Judged at the first request: while the application is built, its environment may not be there.
  const configs = new WeakMap<Request, Promise<Config>>()
  const ask = async (request?: Request): Promise<Config> =>
    typeof source === 'function' ? source(request) : source
  const lazily = (request?: Request): Promise<Config> => {
    if (!request) return ask()
    let known = configs.get(request)
    if (!known) configs.set(request, (known = ask(request)))
    return known
  }
  const latchkey = createLatchkey(mountedAt(lazily, '/api/auth', env), env)
  const answer = async (context: AstroContext): Promise<Response> =>
    asForOne(await latchkey.handler(sent(context)))

  const signIn: AstroSignIn = (context, ...what) => latchkey.signIn(sent(context), ...what)
  signIn.result = (context, ...what) => latchkey.signIn.result(sent(context), ...what)

  return {
    api: latchkey.api,
    GET: answer,
    POST: answer,
    async onRequest({ request, locals, isPrerendered = false }, next) {
      let cookies: Headers | undefined = new Headers()
      let reading: Promise<Session | null> | undefined
      const read = async (): Promise<Session | null> => {
        // A part of a page that is streamed comes too late to extend anything.
        if (!cookies) return latchkey.auth(request)
        const { session, headers } = await latchkey.session(request)
        for (const line of headers.getSetCookie()) cookies?.append('set-cookie', line)
        return session
      }
      if (isPrerendered) reading = Promise.resolve(null)
      else if ((await lazily(request)).callbacks?.authorized) {
        const verdict = await latchkey.protect(request)
        if (verdict.response) return withCookies(verdict.response, verdict)
        cookies = verdict.headers
        reading = Promise.resolve(verdict.session as Session | null)
      }
      Object.assign(locals, { auth: () => (reading ??= read()) })
      const response = await next()
      const headers = cookies
      cookies = undefined
      return withCookies(response, { headers })
    },
    auth: ({ locals }) => (locals as App.Locals).auth() as Promise<SessionOf<Config> | null>,
    signIn,
    signOut: ({ request }, options = {}) => latchkey.signOut(request, options),
  }
}

/** The request of a context, with where it came from if the platform says so. */
function sent(context: AstroContext): Request {
  const { request, isPrerendered } = context
  if (isPrerendered) return request
  try {
    return withClientAddress(request, context.clientAddress)
  } catch {
    return request
  }
}
