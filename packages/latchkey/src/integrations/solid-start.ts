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
import { mountedAt } from './mounted.ts'
import type { NodeResponse } from './node-http.ts'
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
