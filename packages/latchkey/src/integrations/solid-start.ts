import { getRequestEvent } from 'solid-js/web'
import { withClientAddress } from '../http/client-address.ts'
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
} from '../index.ts'
import { asForOne, keepFromCaches, keepNodeFromCaches } from './caching.ts'
import { mountedAt, processEnv } from './mounted.ts'
import type { NodeResponse } from './node-http.ts'

export {
  type Account,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  type Profile,
  type Session,
  type User,
} from '../index.ts'

export interface SolidAuthConfig extends AuthConfig {
  /** Where the route is: the path of its file. @default `basePath`, the path of AUTH_URL, `/api/auth` */
  prefix?: string
}

/** What is used of an event of SolidStart. */
export interface SolidStartEvent {
  readonly request: Request
  readonly clientAddress?: string | undefined
}

/**
 * Latchkey for SolidStart 1 and 2: what the file `routes/api/auth/[...latchkey].ts` exports.
 */
export function SolidAuth(config: SolidAuthConfig): {
  GET(event: SolidStartEvent): Promise<Response>
  POST(event: SolidStartEvent): Promise<Response>
} {
  const { handler } = siteOf(config).latchkey
  const answer = async ({ request, clientAddress }: SolidStartEvent): Promise<Response> =>
    asForOne(await handler(withClientAddress(request, clientAddress)))
  return { GET: answer, POST: answer }
}

/**
 * What the plugins of a configuration offer, by their names. Each function is given the request first.
 */
export function apiOf<const Config extends SolidAuthConfig>(config: Config): PluginApis<Config> {
  return siteOf(config).latchkey.api as PluginApis<Config>
}

/** What {@link getSession} gives. */
export type GetSessionResult = Promise<Session | null>

/**
 * Who is signed in; `null` for nobody. A session that is due is extended on the answer to the request
 * that SolidStart is busy with. Asked again for the same request, it gives the same answer.
 *
 * @throws {AuthError} when the configuration cannot be used.
 */
export function getSession<const Config extends SolidAuthConfig>(
  request: Request,
  config: Config,
): Promise<SessionOf<Config> | null> {
  const site = siteOf(config)
  let reading = site.asked.get(request)
  if (!reading) site.asked.set(request, (reading = read(site.latchkey, request)))
  return reading as Promise<SessionOf<Config> | null>
}

/** Begins a sign-in in a server function. */
export interface SolidSignIn {
  /**
   * @returns the redirect for it to return, or to throw; without a provider to the sign-in page.
   * @throws {AuthError} when it fails, and when another site sent the form.
   */
  (
    request: Request,
    config: SolidAuthConfig,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /** Sets the cookies, and says what came of it. */
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
 * @returns the redirect for it to return.
 * @throws {AuthError} when another site sent the form.
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
  /** Who was found to be signed in, by request. */
  readonly asked: WeakMap<Request, Promise<Session | null>>
}

/** `getSession` is given a configuration with each request, and compiles it no more than once. */
const sites = new WeakMap<SolidAuthConfig, SolidSite>()

function siteOf(given: SolidAuthConfig): SolidSite {
  let site = sites.get(given)
  if (!site) {
    const env = processEnv()
    const { prefix, ...rest } = given
    const config: AuthConfig = prefix === undefined ? rest : { ...rest, basePath: prefix }
    // As a function, it is judged when a request comes, and not while the application is built.
    const latchkey = createLatchkey(
      mountedAt(() => config, '/api/auth', env),
      env,
    )
    sites.set(given, (site = { latchkey, asked: new WeakMap() }))
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

/** What is used of the request that SolidStart is busy with, and of its answer. */
interface CurrentEvent {
  readonly response?: { readonly headers?: Headers }
  /** That of its server, h3: an answer that a route makes itself goes past the headers above. */
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
