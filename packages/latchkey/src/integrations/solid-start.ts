import { getRequestEvent } from 'solid-js/web'
import {
  type ActionResult,
  type AuthConfig,
  type AuthorizationParams,
  createLatchkey,
  type Latchkey,
  type PluginApis,
  type Session,
  type SessionOf,
  type SignInOptions,
  type SignOutOptions,
} from '../entries/index.ts'
import { withClientAddress } from '../http/origin/client-address.ts'
import { builtEnv } from './built.ts'
import { asForOne, keepFromCaches, keepNodeFromCaches } from './caching.ts'
import { askForProof, fromPage, mountedAt } from './mounted.ts'
import type { NodeResponse } from './node-http.ts'
import type { FactorOptions, FreshOptions, NeededProof } from './parts.ts'
import { type PerEvent, perEvent } from './per-event.ts'

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

export interface SolidAuthConfig extends AuthConfig {
  /** Where the route is: the path of its file. @default `basePath`, the path of AUTH_URL, `/api/auth` */
  prefix?: string
}

/** The part of an event of SolidStart that is used. */
export interface SolidStartEvent {
  readonly request: Request
  readonly clientAddress?: string | undefined
}

/** Latchkey for SolidStart 1 and 2: returns the exports of the file `routes/api/auth/[...latchkey].ts`. */
export function SolidAuth(config: SolidAuthConfig): {
  GET(event: SolidStartEvent): Promise<Response>
  POST(event: SolidStartEvent): Promise<Response>
} {
  const { handler } = siteOf(config).latchkey
  const answer = async ({ request, clientAddress }: SolidStartEvent): Promise<Response> =>
    asForOne(await handler(withClientAddress(request, clientAddress)))
  return { GET: answer, POST: answer }
}

/** Returns the functions of the plugins, by plugin name. Their first argument is the request. */
export function apiOf<const Config extends SolidAuthConfig>(config: Config): PluginApis<Config> {
  return siteOf(config).latchkey.api as PluginApis<Config>
}

/** The return type of {@link getSession}. */
export type GetSessionResult = Promise<Session | null>

/**
 * Returns the session, or `null`. If the session is due for extension, it is extended on the response to the current
 * request of SolidStart. Further calls for the same request return the same session.
 *
 * @throws {AuthError} if the configuration is invalid.
 */
export function getSession<const Config extends SolidAuthConfig>(
  request: Request,
  config: Config,
): Promise<SessionOf<Config> | null> {
  const site = siteOf(config)
  const reading = site.asked.once(request, () => read(site.latchkey, request))
  return reading as Promise<SessionOf<Config> | null>
}

/** Starts a sign-in in a server function. */
export interface SolidSignIn {
  /**
   * @returns the redirect that the server function returns or throws; without a provider to the sign-in page.
   * @throws {AuthError} if the sign-in fails, or another site sent the form.
   */
  (
    request: Request,
    config: SolidAuthConfig,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /** Sets the cookies and returns the result. */
  result(
    request: Request,
    config: SolidAuthConfig,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Omit<ActionResult, 'headers'>>
}

const begin: SolidSignIn = (request, config, ...what) =>
  siteOf(config).latchkey.signIn(request, ...what)
begin.result = async (request, config, ...what) => {
  const { signIn } = siteOf(config).latchkey
  const { headers, ...result } = await signIn.result(request, ...what)
  setCookies(currentEvent(), headers)
  return result
}

export const signIn: SolidSignIn = begin

/**
 * Ends the session in a server function.
 *
 * @returns the redirect that the server function returns.
 * @throws {AuthError} if another site sent the form.
 */
export function signOut(
  request: Request,
  config: SolidAuthConfig,
  options: SignOutOptions = {},
): Promise<Response> {
  return siteOf(config).latchkey.signOut(request, options)
}

/**
 * Asks for a proof of identity that is at most so many seconds old; with a second factor in the account, the last proof with one.
 *
 * @returns the response that a server function throws and a route returns, if there is one: the redirect to the page that asks
 *   for a proof, or for a script 403 with its address in `next`.
 */
export function requireFresh(
  request: Request,
  config: SolidAuthConfig,
  seconds: number,
  options: FreshOptions = {},
): Promise<Response | undefined> {
  return ask(request, config, { ...options, maxAge: seconds })
}

/** The same for a number of factors in the session. */
export function requireFactors(
  request: Request,
  config: SolidAuthConfig,
  factors: 1 | 2,
  options: FactorOptions = {},
): Promise<Response | undefined> {
  return ask(request, config, { ...options, factors })
}

async function ask(
  request: Request,
  config: SolidAuthConfig,
  needed: NeededProof,
): Promise<Response | undefined> {
  const { latchkey } = siteOf(config)
  // The router follows the redirect of a server function.
  return request.headers.has('x-server-id')
    ? askForProof(latchkey, fromPage(request), { ...needed, asPage: true })
    : askForProof(latchkey, request, needed)
}

interface SolidSite {
  readonly latchkey: Latchkey
  /** The sessions by request. */
  readonly asked: PerEvent<Promise<Session | null>>
}

/** Sites by configuration: `getSession` receives the configuration with each request, and compiles it once. */
const sites = new WeakMap<SolidAuthConfig, SolidSite>()

function siteOf(given: SolidAuthConfig): SolidSite {
  let site = sites.get(given)
  if (!site) {
    const env = builtEnv()
    const { prefix, ...rest } = given
    const config: AuthConfig = prefix === undefined ? rest : { ...rest, basePath: prefix }
    // As a function, it is checked with the first request and not during the build.
    const latchkey = createLatchkey(
      mountedAt(() => config, '/api/auth', env),
      env,
    )
    sites.set(given, (site = { latchkey, asked: perEvent('session') }))
  }
  return site
}

async function read(latchkey: Latchkey, request: Request): Promise<Session | null> {
  const event = currentEvent()
  if (!event?.response?.headers) return latchkey.auth(request)
  const { session, headers } = await latchkey.session(request)
  setCookies(event, headers)
  return session
}

/** The part of SolidStart's current request and response that is used. */
interface CurrentEvent {
  readonly response?: { readonly headers?: Headers }
  /** The event of its server, h3. A response that a route creates itself ignores the headers above. */
  readonly nativeEvent?: { readonly node?: { readonly res?: NodeResponse } }
}

function currentEvent(): CurrentEvent | undefined {
  return getRequestEvent() as CurrentEvent | undefined
}

function setCookies(event: CurrentEvent | undefined, headers: Headers): void {
  const answer = event?.response?.headers
  const cookies = headers.getSetCookie()
  if (!answer || cookies.length === 0) return
  for (const line of cookies) answer.append('set-cookie', line)
  keepFromCaches(answer)
  const node = event.nativeEvent?.node?.res
  if (node) keepNodeFromCaches(node)
}
