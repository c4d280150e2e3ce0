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
} from '../entries/index.ts'
import { withClientAddress } from '../http/origin/client-address.ts'
import { builtEnv } from './built.ts'
import { asForOne } from './caching.ts'
import { forbidden } from './forbidden.ts'
import { askForProof, mountedAt, processEnv, proofGuards } from './mounted.ts'
import type { ProofGuards } from './parts.ts'
import { perEvent, withCookies } from './per-event.ts'

export {
  type Account,
  type AuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'

declare global {
  namespace App {
    interface Locals {
      /** Returns the session, or `null`. Further calls for the same request return the same session. */
      auth(): Promise<Session | null>
    }
  }
}

/** The part of Astro's context that is used. Pages have it as `Astro`. */
export interface AstroContext {
  readonly request: Request
  readonly locals: object
  /** Whether the page is prerendered, so that it is the same for all visitors. */
  readonly isPrerendered?: boolean
  /** Throws if the platform does not provide it. */
  readonly clientAddress?: string
}

/** Starts a sign-in, in an endpoint or at the top of a page. */
export interface AstroSignIn {
  /**
   * @returns the response: a redirect to the provider, or without a provider to the sign-in page.
   * @throws {AuthError} if the sign-in fails.
   */
  (
    context: AstroContext,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /** Returns the result instead of throwing. Add its headers to the response. */
  result(
    context: AstroContext,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<ActionResult>
}

/**
 * The functions for an Astro application. A page or an endpoint returns the response of `requireFresh` and `requireFactors`, if
 * there is one: the redirect to the page that asks for a proof, or for a script 403 with its address in `next`.
 */
export interface AstroAuthResult<S = Session, Apis extends object = object>
  extends ProofGuards<AstroContext, Response | undefined> {
  /** The functions of the plugins, by plugin name. Their first argument is the request. */
  readonly api: Apis
  /** For `pages/api/auth/[...latchkey].ts`. */
  GET(context: AstroContext): Promise<Response>
  POST(context: AstroContext): Promise<Response>
  /** For `middleware.ts`: sets `locals.auth`, and calls the `authorized` callback. */
  onRequest(context: AstroContext, next: () => Promise<Response>): Promise<Response>
  /** Returns the session of `locals.auth()`, with the session type of the configuration. */
  auth(context: Pick<AstroContext, 'locals'>): Promise<S | null>
  readonly signIn: AstroSignIn
  /** Ends the session. @returns the response: a redirect. */
  signOut(context: AstroContext, options?: SignOutOptions): Promise<Response>
}

/**
 * Latchkey for Astro 4 and later, on a server.
 *
 * @param source the configuration, with the base path `/api/auth` by default. A function is called once for each
 *   request.
 * @param env the environment variables; those of the process by default, and above those of `import.meta.env`. Without
 *   `NODE_ENV` the application runs in production.
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
  given: Env = processEnv(),
): AstroAuthResult<SessionOf<Config>, PluginApis<Config>> {
  const env = builtEnv(withProcess(given))
  // Checked with the first request, since the environment may be missing during the build.
  const configs = perEvent<Promise<Config>>('config')
  const ask = async (request?: Request): Promise<Config> =>
    typeof source === 'function' ? source(request) : source
  const lazily = (request?: Request): Promise<Config> => {
    return request ? configs.once(request, () => ask(request)) : ask()
  }
  const latchkey = createLatchkey(mountedAt(lazily, '/api/auth', env), env)
  const answer = async (context: AstroContext): Promise<Response> =>
    asForOne(await latchkey.handler(sent(context)))

  const signIn: AstroSignIn = (context, ...what) =>
    latchkey.signIn(sent(context), ...what).catch(respond)
  signIn.result = (context, ...what) => latchkey.signIn.result(sent(context), ...what)

  return {
    api: latchkey.api,
    GET: answer,
    POST: answer,
    async onRequest({ request, locals, isPrerendered = false }, next) {
      let cookies: Headers | undefined = new Headers()
      let reading: Promise<Session | null> | undefined
      const read = async (): Promise<Session | null> => {
        // The headers are sent before a streamed part of a page, so it cannot extend the session.
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
    signOut: ({ request }, options = {}) => latchkey.signOut(request, options).catch(respond),
    ...proofGuards(({ request }, needed) => askForProof(latchkey, request, needed)),
  }
}

/** @throws the error, unless it has a response. */
function respond(error: unknown): Response {
  const response = forbidden(error)
  if (response) return response
  throw error
}

/** Returns the variables of the build, `import.meta.env`, below those of the process, which belong to the place where it runs. */
function withProcess(given: Env): Env {
  return 'PROD' in given ? { ...given, ...processEnv() } : given
}

/** Returns the request of a context, with the address of the client if the platform provides it. */
function sent(context: AstroContext): Request {
  const { request, isPrerendered } = context
  if (isPrerendered) return request
  try {
    return withClientAddress(request, context.clientAddress)
  } catch {
    return request
  }
}
