import { parseSetCookie } from 'cookie'
import { cookies, headers } from 'next/headers.js'
/** @ts-ignore: exists only if Next.js is installed. */
import type { NextRequest as InstalledRequest } from 'next/server.js'
import { NextResponse, NextRequest as RequestOfNext } from 'next/server.js'
import * as React from 'react'
import { StepUpRequired } from '../base/errors.ts'
import {
  type ActionResult,
  type AuthConfig,
  type AuthorizationParams,
  type AuthResult,
  type ConfigSource,
  type ConfiguredAdapter,
  type ConfiguredSession,
  createLatchkey,
  type Env,
  type Latchkey,
  type PluginApis,
  type ProviderToken,
  type Session,
  type SessionOf,
  type SignInOptions,
  type TypedConfig,
  type UntypedConfig,
} from '../entries/index.ts'
import { asForOne, keepNodeFromCaches } from './caching.ts'
import {
  type ApisOfRequest,
  apiThrough,
  askForProof,
  fromPage,
  mountedAt,
  processEnv,
  proofGuards,
  withDefaults,
} from './mounted.ts'
import type { NodeResponse as HttpResponse } from './node-http.ts'
import type { FactorOptions, FreshOptions } from './parts.ts'
import { fieldsOf, withCookies } from './per-event.ts'

export {
  type Account,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'
export type { ApisOfRequest } from './mounted.ts'

/** The request of Next.js, or a web `Request` if Next.js is not installed. */
type NextRequest = 0 extends 1 & InstalledRequest ? Request : InstalledRequest

/** A request with its session. */
export type NextAuthRequest<S = Session> = NextRequest & { auth: S | null }

type Verdict = boolean | Response | undefined

/** The configuration of a Next.js application, whose `authorized` callback receives a `NextRequest`. */
export interface NextAuthConfig extends Omit<AuthConfig, 'callbacks'> {
  callbacks?:
    | (Omit<NonNullable<AuthConfig['callbacks']>, 'authorized'> & {
        /** Decides in the proxy, and before a handler in `auth(…)`, whether the request may continue. */
        authorized?: (params: {
          request: NextRequest
          auth: Session | null
        }) => Verdict | PromiseLike<Verdict>
      })
    | undefined
}

/** A handler that receives the session. In a proxy it can return nothing to continue. */
type Handler<S> = (
  request: NextAuthRequest<S>,
  // Routes and proxies have different types for it.
  // oxlint-disable-next-line typescript/no-explicit-any
  context: any,
) => unknown

/** The request of a page of the `pages` directory. */
interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly url?: string | undefined
}
type NodeResponse = Pick<HttpResponse, 'getHeader' | 'setHeader'>

/** Returns the session, in every part of a Next.js application. */
export interface NextAuthFunction<S = Session> {
  /** In a server component, a server function or a route. It sets no cookie, so it does not extend the session. */
  (): Promise<S | null>
  /** As the proxy. */
  (request: Request, event: unknown): Promise<Response>
  /** Around a handler of a route, or of the proxy. */
  (handler: Handler<S>): (request: Request, context?: unknown) => Promise<Response>
  /** In a route of the `pages` directory. */
  (request: NodeRequest, response: NodeResponse): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: { req: NodeRequest; res: NodeResponse }): Promise<S | null>
  /** Returns the session of `auth()`, or the reason why there is none. */
  result(): Promise<AuthResult<S>>
}

export interface NextSignInOptions {
  /** @default the page with the form */
  redirectTo?: string
  /**
   * With `false`, the function returns the URL and does not redirect.
   *
   * @default true
   */
  redirect?: boolean | 'true' | 'false'
  [field: string]: unknown
}

export interface NextSignOutOptions {
  /** @default the page with the form */
  redirectTo?: string
  /** With the plugin `federatedLogout`: whether the user also signs out at the provider. */
  federated?: boolean | '1' | '0'
  /** With the plugin `limits` or `accounts`: whether the sign-out also forgets this browser. */
  forget?: boolean | '1' | '0'
  /**
   * With `false`, the function returns the URL and does not redirect.
   *
   * @default true
   */
  redirect?: boolean | 'true' | 'false'
}

/** Signs in, in a server function. */
export interface NextSignIn {
  /**
   * Throws the redirect of Next.js, see {@link isRedirect}. If a mail cannot be sent or a provider cannot be reached,
   * it redirects to the sign-in page.
   *
   * @throws {AuthError} for other failures.
   */
  <Options extends FormData | NextSignInOptions>(
    provider?: string,
    options?: Options,
    params?: AuthorizationParams,
  ): Promise<Options extends { redirect: false | 'false' } ? string : never>
  /** Returns the result, and throws neither redirects nor failures. */
  result(
    provider?: string,
    options?: FormData | NextSignInOptions,
    params?: AuthorizationParams,
  ): Promise<NextActionResult>
}

/** Signs out, in a server function. */
export interface NextSignOut {
  /** Throws the redirect of Next.js, see {@link isRedirect}. */
  <Options extends FormData | NextSignOutOptions>(
    options?: Options,
  ): Promise<Options extends { redirect: false | 'false' } ? { redirect: string } : never>
  /** Returns the URL of the redirect, and throws no redirect. */
  result(options?: FormData | NextSignOutOptions): Promise<NextActionResult>
}

/** The result of a sign-in or sign-out, whose cookies are already set. */
export type NextActionResult = Omit<ActionResult, 'headers'>

/** A guard that asks for a proof of identity. */
export interface NextProofGuard<Needed, Options> {
  /**
   * In a page or a server function: throws the redirect of Next.js to the page that asks for a proof, see {@link isRedirect}.
   * After it, the user returns to the page before, or to `redirectTo`.
   *
   * @throws {AuthError} `StepUpRequired` for a program with a token.
   */
  (needed: Needed, options?: Options): Promise<undefined>
  /**
   * In a route handler.
   *
   * @returns the response to return, if there is one: the redirect, or for a script 403 with its address in `next`.
   */
  (request: Request, needed: Needed, options?: Options): Promise<Response | undefined>
}

/** The functions for a Next.js application. */
export interface NextAuthResult<S = Session, Apis extends object = object> {
  /**
   * The functions of the plugins, by plugin name. The request argument is optional in server components, server
   * functions and route handlers.
   */
  readonly api: Apis
  /** For `app/api/auth/[...nextauth]/route.ts`. */
  readonly handlers: {
    GET(request: Request): Promise<Response>
    POST(request: Request): Promise<Response>
  }
  readonly auth: NextAuthFunction<S>
  readonly signIn: NextSignIn
  readonly signOut: NextSignOut
  /**
   * Asks for a proof of identity that is at most so many seconds old; with a second factor in the account, the last proof with
   * one.
   */
  readonly requireFresh: NextProofGuard<number, FreshOptions>
  /** Asks for this number of factors in the session. */
  readonly requireFactors: NextProofGuard<1 | 2, FactorOptions>
  /**
   * Returns the access token of the signed-in user at a provider, renewed if it is about to expire; `null` if the user
   * has to sign in with the provider again. It needs an adapter that lists and updates accounts.
   *
   * @throws {AuthError} if the provider cannot be reached.
   */
  getProviderToken(provider: string): Promise<ProviderToken | null>
  /** Passes data to the `jwt` or `session` callback, in a server function. */
  unstable_update(data: unknown): Promise<S | null>
}

/**
 * Latchkey for Next.js 15 and 16.
 *
 * @param source the configuration, with the base path `/api/auth` by default. A function receives the request, or
 *   `undefined` where Next.js has none.
 */
export default function NextAuth<
  const Config extends UntypedConfig,
  S extends Session = Session,
  const K extends ConfiguredSession = undefined,
  A extends ConfiguredAdapter = undefined,
>(
  config: TypedConfig<Config, S, K, A, NextRequest>,
): NextAuthResult<SessionOf<Config>, ApisOfRequest<PluginApis<Config>>>
export default function NextAuth<const Config extends NextAuthConfig>(
  source: Config | ((request: NextRequest | undefined) => Config | PromiseLike<Config>),
): NextAuthResult<SessionOf<Config>, ApisOfRequest<PluginApis<Config>>>
export default function NextAuth<Config extends AuthConfig>(
  source: Config | ((request: NextRequest | undefined) => Config | PromiseLike<Config>),
): NextAuthResult<SessionOf<Config>, ApisOfRequest<PluginApis<Config>>> {
  type S = SessionOf<Config>
  const env = processEnv()
  // Checked with the first request, since the environment may be missing during the build.
  const lazily: ConfigSource<Config> =
    typeof source === 'function'
      ? (request) => source(request && withNextUrl(request))
      : () => source
  // Next.js redirects to the spelling of its own option `trailingSlash`.
  const complete = withDefaults(lazily, { trailingSlash: true })
  const latchkey = createLatchkey(mountedAt(complete, '/api/auth', env), env)

  const ambient = oncePerRender(async () => latchkey.auth.result(await headers()))

  const actions = async (request: Request): Promise<Response> =>
    asForOne(await latchkey.handler(request))

  const proxy = async (request: Request): Promise<Response> => {
    const native = toNextRequest(request, env)
    const { response, headers } = await protectPage(latchkey, request, native)
    return withCookies(response ?? goOn(request, headers), { headers })
  }

  const around =
    (handler: Handler<S>) =>
    async (request: Request, context?: unknown): Promise<Response> => {
      const native = toNextRequest(request, env)
      const { response, session, headers } = await protectPage(latchkey, request, native)
      if (response) return withCookies(response, { headers })
      const known = Object.assign(native, { auth: session })
      const answer = await handler(known, context)
      // Cookies of the handler take precedence, for example of a sign-out.
      return withCookies(answer instanceof Response ? answer : goOn(request, headers), { headers })
    }

  const fromPages = async (request: NodeRequest, response: NodeResponse): Promise<S | null> => {
    const { session, headers: cookies } = await latchkey.session(toRequest(request))
    const before = [response.getHeader('set-cookie') ?? []].flat().map(String)
    const set = cookies.getSetCookie()
    response.setHeader('set-cookie', [...before, ...set])
    if (set.length > 0) keepNodeFromCaches(response)
    return session
  }

  const auth = (...args: readonly unknown[]): unknown => {
    const [first, second] = args
    if (first === undefined) return ambient().then(({ session }) => session)
    if (typeof first === 'function') return around(first as Handler<S>)
    if (first instanceof Request) return proxy(first)
    const { req, res } = first as { req?: NodeRequest; res?: NodeResponse }
    return req && res
      ? fromPages(req, res)
      : fromPages(first as NodeRequest, second as NodeResponse)
  }

  const signIn: NextSignIn = async (provider, options, params) => {
    const { asked, stays } = read(options)
    const answer = await latchkey.signIn(...(await signingIn(provider, asked)), params)
    const url = await keep(answer)
    return stays ? (url as never) : leave(url)
  }
  signIn.result = async (provider, options, params) => {
    const { asked } = read(options)
    return toNextResult(await latchkey.signIn.result(...(await signingIn(provider, asked)), params))
  }

  const signOut: NextSignOut = async (options) => {
    const { asked, stays } = read(options)
    const url = await keep(await latchkey.signOut(await ambientRequest(), asked))
    return stays ? ({ redirect: url } as never) : leave(url)
  }
  signOut.result = async (options) =>
    toNextResult(await latchkey.signOut.result(await ambientRequest(), read(options).asked))

  const guards = proofGuards(async (request: Request | undefined, needed) => {
    if (request) return askForProof(latchkey, request, needed)
    // Next.js does not tell a page its address.
    const visit = fromPage(await ambientRequest())
    const refused = await askForProof(latchkey, visit, { ...needed, asPage: true })
    const url = refused?.headers.get('location')
    if (url) return leave(url)
    if (refused) throw new StepUpRequired('the proof of a token is too old or too weak for this')
    return undefined
  })

  return {
    api: apiThrough(async () => latchkey, ambientRequest),
    handlers: { GET: actions, POST: actions },
    auth: Object.assign(auth as NextAuthFunction<S>, { result: ambient }),
    signIn,
    signOut,
    requireFresh: withRequest(guards.requireFresh),
    requireFactors: withRequest(guards.requireFactors),
    getProviderToken: async (provider) =>
      latchkey.getProviderToken(await ambientRequest(), provider),
    async unstable_update(data) {
      const request = await ambientRequest()
      const { session, headers: set } = await latchkey.updateSession(request, data)
      await keepCookies(set)
      return session
    },
  }
}

/** Returns a guard whose request is optional. */
function withRequest<Needed, Options>(
  guard: (
    request: Request | undefined,
    needed: Needed,
    options?: Options,
  ) => Promise<Response | undefined>,
): NextProofGuard<Needed, Options> {
  const either = (...args: [Request, Needed, Options?] | [Needed, Options?]): unknown =>
    args[0] instanceof Request
      ? guard(...(args as [Request, Needed, Options?]))
      : guard(undefined, ...(args as [Needed, Options?]))
  return either as NextProofGuard<Needed, Options>
}

/** Runs work once for each rendered page, if React on the server supports it. */
function oncePerRender<T>(work: () => Promise<T>): () => Promise<T> {
  const { cache } = React as { cache?: <F>(work: F) => F }
  return cache ? cache(work) : work
}

/** Guards a page. Paths in the application have neither the base path of Next.js nor a locale. */
function protectPage<Config extends AuthConfig>(
  latchkey: Latchkey<Config>,
  request: Request,
  native: NextRequest,
): ReturnType<Latchkey<Config>['protect']> {
  return latchkey.protect(request, { path: native.nextUrl.pathname, native })
}

/**
 * Returns the request as a `NextRequest` with the public URL, so that redirects that applications build from `nextUrl`
 * also work if `AUTH_URL` has another origin.
 */
function toNextRequest(request: Request, env: Env): NextRequest {
  const { nextUrl } = request as Partial<NextRequest>
  const address = env['AUTH_URL'] || env['NEXTAUTH_URL'] || ''
  const origin = URL.canParse(address) ? new URL(address).origin : undefined
  if (nextUrl && (origin === undefined || nextUrl.origin === origin)) return request as NextRequest
  const { pathname, search, origin: asked } = new URL(nextUrl?.href ?? request.url)
  const { basePath = '', locale, defaultLocale } = nextUrl ?? {}
  const i18n = locale && defaultLocale ? { locales: [locale], defaultLocale } : undefined
  const { method, headers, body, signal } = request
  // In the edge runtime, a `NextRequest` of a `Request` has no headers.
  return new RequestOfNext(`${origin ?? asked}${pathname}${search}`, {
    method,
    headers,
    body,
    signal,
    duplex: 'half',
    nextConfig: { basePath, i18n },
  })
}

/** Returns the request as a `NextRequest`; another request loses its body. */
function withNextUrl(request: Request): NextRequest {
  if ('nextUrl' in request) return request as NextRequest
  return new RequestOfNext(request.url, { method: request.method, headers: request.headers })
}

/** Continues to the page, which receives the updated session. */
function goOn(request: Request, cookies: Headers): Response {
  const set = cookies.getSetCookie()
  if (set.length === 0) return NextResponse.next()
  const sent = new Map<string, string>()
  for (const pair of (request.headers.get('cookie') ?? '').split(/; */)) {
    const end = pair.indexOf('=')
    if (end > 0) sent.set(pair.slice(0, end), pair.slice(end + 1))
  }
  for (const line of set) {
    const [pair = ''] = line.split(';')
    const end = pair.indexOf('=')
    const [name, value] = [pair.slice(0, end), pair.slice(end + 1)]
    if (value === '') sent.delete(name)
    else sent.set(name, value)
  }
  const forwarded = new Headers(request.headers)
  forwarded.set('cookie', Array.from(sent, ([name, value]) => `${name}=${value}`).join('; '))
  return NextResponse.next({ request: { headers: forwarded } })
}

/** Returns a request with the headers of the current server function. */
async function ambientRequest(): Promise<Request> {
  const sent = new Headers(await headers())
  // Next.js does not provide the method. Browsers send `Origin` with forms, but not with links.
  const method = sent.has('origin') || sent.has('next-action') ? 'POST' : 'GET'
  return new Request(`${originOf(sent)}/`, { method, headers: sent })
}

/** Returns the arguments of a sign-in. The default callback URL is the page with the form. */
async function signingIn(
  provider: string | undefined,
  asked: SignInOptions,
): Promise<[Request, string | undefined, SignInOptions]> {
  const request = await ambientRequest()
  return [request, provider, { redirectTo: request.headers.get('referer') ?? '/', ...asked }]
}

function originOf(sent: Headers): string {
  const scheme = sent.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https' ? 'https' : 'http'
  const origin = `${scheme}://${sent.get('host') ?? 'localhost'}`
  return URL.canParse(origin) ? origin : 'http://localhost'
}

function toRequest({ headers: sent, url = '/' }: NodeRequest): Request {
  const all = new Headers()
  for (const [name, values] of Object.entries(sent)) {
    for (const value of [values ?? []].flat()) all.append(name, value)
  }
  return new Request(new URL(url, originOf(all)), { headers: all })
}

/**
 * Returns whether an error is a redirect of Next.js. Code that catches errors of {@link NextSignIn} must throw it
 * again.
 */
export function isRedirect(error: unknown): boolean {
  const { digest } = Object(error) as { digest?: unknown }
  return typeof digest === 'string' && digest.startsWith('NEXT_REDIRECT;')
}

/** Throws the redirect of Next.js. */
async function leave(url: string): Promise<never> {
  // Resolved only by a bundler; it is called only in server functions, not in the `pages` directory.
  const { redirect } = await import('next/navigation')
  return redirect(url)
}

/**
 * Sets the cookies of a response.
 *
 * @returns the URL of its redirect.
 */
async function keep(answer: Response): Promise<string> {
  await keepCookies(answer.headers)
  return answer.headers.get('location') ?? '/'
}

async function toNextResult({ headers: set, ...result }: ActionResult): Promise<NextActionResult> {
  await keepCookies(set)
  return result
}

async function keepCookies(set: Headers): Promise<void> {
  const jar = await cookies()
  for (const line of set.getSetCookie()) {
    const { name, value = '', ...options } = parseSetCookie(line)
    jar.set(name, value, options)
  }
}

/** Returns the fields of a form or an object, and whether `redirect` is false, which is a string in forms. */
function read(options: FormData | object | undefined): {
  asked: SignInOptions
  stays: boolean
} {
  const { redirect, redirectTo, ...fields } = givenFields(options)
  return {
    asked: redirectTo === undefined ? fields : { ...fields, redirectTo: String(redirectTo) },
    stays: redirect === false || redirect === 'false',
  }
}

/** Returns the fields of a form or an object. */
function givenFields(options: FormData | object | undefined): Record<string, unknown> {
  if (!(options instanceof FormData)) return { ...options }
  const fields = Object.entries(fieldsOf(options))
  // Next.js adds its own fields to the forms of server functions.
  return Object.fromEntries(fields.filter(([name]) => !name.startsWith('$ACTION_')))
}
