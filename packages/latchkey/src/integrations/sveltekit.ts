import * as kit from '@sveltejs/kit'
import { parseSetCookie } from 'cookie'
import { needs } from '../base/needs.ts'
import { applicationPath } from '../client/sveltekit-paths.ts'
import {
  type ActionResult,
  type AuthConfig,
  type ConfiguredAdapter,
  type ConfiguredSession,
  createLatchkey,
  type Env,
  type Latchkey,
  type PluginApis,
  type Session,
  type SessionOf,
  type SignInOptions,
  type TypedConfig,
  type UntypedConfig,
} from '../entries/index.ts'
import { sentBySame, withClientAddress } from '../http/origin/client-address.ts'
import { builtEnv } from './built.ts'
import { asForOne, keepFromCaches } from './caching.ts'
import { forbidden } from './forbidden.ts'
import { apiThrough, askForProof, mountedAt, processEnv, proofGuards } from './mounted.ts'
import type { ProofGuards } from './parts.ts'
import { fieldsOf, perEvent, withCookies } from './per-event.ts'

export {
  type Account,
  type AuthConfig as SvelteKitAuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'

needs({ what: 'latchkey/sveltekit', name: '@sveltejs/kit', from: '2' }, kit.VERSION)

/** SvelteKit's function: returns whether an error is a redirect that a form action threw. */
export const isRedirect: typeof kit.isRedirect = kit.isRedirect

declare global {
  namespace App {
    interface Locals {
      /** Returns the session, or `null`. Further calls for the same request return the same session. */
      auth(): Promise<Session | null>
    }
    interface PageData {
      session?: Session | null
    }
  }
}

/** The part of an event of SvelteKit that is used. */
export interface SvelteKitEvent {
  readonly request: Request
  readonly url: URL
  /** Whether it calls a remote function. The client then names the page in a header. */
  readonly isRemoteRequest?: boolean
  /** Whether the router of SvelteKit asks for the data of a page. */
  readonly isDataRequest?: boolean
  readonly locals: object
  /** Throws if the platform does not provide it. */
  getClientAddress?(): string
  readonly cookies: {
    getAll(): readonly { readonly name: string; readonly value: string }[]
    set(name: string, value: string, options: { readonly path: string }): void
  }
  setHeaders?(headers: Record<string, string>): void
}

export interface SvelteKitAuthOptions {
  /** Whether SvelteKit builds the application, so that there is no session. @default detected */
  building?: boolean
  /**
   * The variables of the environment.
   *
   * @default those of the process, then those of `.env` (`$env/dynamic/private`)
   */
  env?: Env
}

/**
 * The functions for a SvelteKit application. `requireFresh` and `requireFactors` end a `load` function, an action or an endpoint
 * if the proof of identity of the user is too old or too weak: with the redirect to the page that asks for one, or for a script
 * with the error 403 and its address in `next`.
 */
export interface SvelteKitAuthResult<S = Session, Apis extends object = object>
  extends ProofGuards<SvelteKitEvent, void> {
  /** The functions of the plugins, by plugin name. Their first argument is the request. */
  readonly api: Apis
  /** For `hooks.server.ts`: handles the actions, calls the `authorized` callback, and sets `event.locals.auth`. */
  handle<Event extends SvelteKitEvent>(input: {
    event: Event
    resolve(event: Event): Response | Promise<Response>
  }): Promise<Response>
  /** Returns the session of `event.locals.auth()`, with the session type of the configuration. */
  auth(event: Pick<SvelteKitEvent, 'locals'>): Promise<S | null>
  readonly signIn: SvelteKitSignIn
  readonly signOut: SvelteKitSignOut
}

/**
 * A form action with the fields `providerId`, `redirectTo`, `redirect`, `authorizationParams-…` and those of the
 * provider.
 */
export interface SvelteKitSignIn {
  /**
   * Throws a redirect of SvelteKit, see {@link isRedirect}.
   *
   * @returns the URL of the redirect if `redirect` is `false`.
   * @throws {AuthError} if the sign-in fails.
   */
  (event: SvelteKitEvent): Promise<{ url: string }>
  /** Returns the result, and throws neither redirects nor errors. */
  result(event: SvelteKitEvent): Promise<SvelteKitActionResult>
}

/** A form action with the fields `redirectTo` and `redirect`. */
export interface SvelteKitSignOut {
  /**
   * Throws a redirect of SvelteKit.
   *
   * @returns the URL of the redirect if `redirect` is `false`.
   */
  (event: SvelteKitEvent): Promise<{ url: string }>
  /** Returns the URL of the redirect, and throws no redirect. */
  result(event: SvelteKitEvent): Promise<SvelteKitActionResult>
}

/** The result of a sign-in or sign-out, whose cookies are already set. */
export type SvelteKitActionResult = Omit<ActionResult, 'headers'>

/**
 * Latchkey for SvelteKit 2 and 3.
 *
 * @param source the configuration, with the base path `/auth` below the path of the application by default. A function
 *   is called once for each event.
 */
export function SvelteKitAuth<
  const Config extends UntypedConfig,
  S extends Session = Session,
  const K extends ConfiguredSession = undefined,
  A extends ConfiguredAdapter = undefined,
>(
  config: TypedConfig<Config, S, K, A>,
  options?: SvelteKitAuthOptions,
): SvelteKitAuthResult<SessionOf<Config>, PluginApis<Config>>
export function SvelteKitAuth<const Config extends AuthConfig>(
  source: Config | ((event: SvelteKitEvent) => Config | Promise<Config>),
  options?: SvelteKitAuthOptions,
): SvelteKitAuthResult<SessionOf<Config>, PluginApis<Config>>
export function SvelteKitAuth<Config extends AuthConfig>(
  source: Config | ((event: SvelteKitEvent) => Config | Promise<Config>),
  { env: given, building = isBuilding(given ?? processEnv()) }: SvelteKitAuthOptions = {},
): SvelteKitAuthResult<SessionOf<Config>, PluginApis<Config>> {
  const root = new URL(applicationPath(), 'http://localhost').pathname.replace(/\/$/, '')
  const base = `${root}/auth`
  const configs = perEvent<Promise<Config>>('config')
  const configured = (request?: Request): Promise<Config> =>
    configs.get(request as Request) as Promise<Config>
  const mount = async (): Promise<Mounted<Config>> => {
    const env = builtEnv(given ?? (await environment()))
    return { env, latchkey: createLatchkey(mountedAt(configured, base, env), env) }
  }
  let mounting: Promise<Mounted<Config>> | undefined
  // The next request tries again after an error.
  const mounted = async (): Promise<Mounted<Config>> => {
    mounting ??= mount()
    return mounting.catch((error: unknown) => {
      mounting = undefined
      throw error
    })
  }
  const answered = perEvent<true>('answered')

  /** Returns the request with the configuration of the event. */
  const asked = (event: SvelteKitEvent, request: Request): Request => {
    const config = configs.once(event.request, async () =>
      typeof source === 'function' ? source(event) : source,
    )
    configs.set(request, config)
    return request
  }

  const read = async (event: SvelteKitEvent): Promise<Session | null> => {
    const { latchkey } = await mounted()
    const request = asked(event, current(event))
    // The headers are sent before a streamed part of a page, so it cannot extend the session.
    if (answered.get(event.request)) return latchkey.auth(request)
    const { session, headers } = await latchkey.session(request)
    if (!answered.get(event.request)) setCookies(event, headers)
    return session
  }

  const introduce = (event: SvelteKitEvent, known?: Promise<Session | null>): void => {
    let reading = known
    Object.assign(event.locals, { auth: () => (reading ??= read(event)) })
  }

  /** Sets the cookies of a response on the event. */
  const keep = (event: SvelteKitEvent, headers: Headers): void => {
    setCookies(event, headers)
    introduce(event)
  }

  /** Redirects the visitor to the location of a response. */
  const follow = (
    event: SvelteKitEvent,
    { headers }: Response,
    stays: boolean,
  ): { url: string } => {
    keep(event, headers)
    const url = headers.get('location') ?? '/'
    return stays ? { url } : kit.redirect(302, url, { external: true })
  }

  const tell = (
    event: SvelteKitEvent,
    { headers, ...result }: ActionResult,
  ): SvelteKitActionResult => {
    keep(event, headers)
    return result
  }

  const signIn: SvelteKitSignIn = async (event) => {
    const { latchkey } = await mounted()
    const { provider, options, params, stays } = await readForm(event)
    const request = asked(event, current(event))
    return follow(
      event,
      await latchkey.signIn(request, provider, options, params).catch(refuse),
      stays,
    )
  }
  signIn.result = async (event) => {
    const { latchkey } = await mounted()
    const { provider, options, params } = await readForm(event)
    const request = asked(event, current(event))
    return tell(event, await latchkey.signIn.result(request, provider, options, params))
  }

  const signOut: SvelteKitSignOut = async (event) => {
    const { latchkey } = await mounted()
    const { options, stays } = await readForm(event)
    const request = asked(event, current(event))
    return follow(event, await latchkey.signOut(request, options).catch(refuse), stays)
  }
  signOut.result = async (event) => {
    const { latchkey } = await mounted()
    const { options } = await readForm(event)
    return tell(event, await latchkey.signOut.result(asked(event, current(event)), options))
  }

  return {
    async handle({ event, resolve }) {
      if (building) {
        introduce(event, Promise.resolve(null))
        return resolve(event)
      }
      const { latchkey } = await mounted()
      const request = asked(event, current(event))
      const { callbacks } = await configured(request)
      const { pathname } = new URL(request.url)
      if (await latchkey.answers(request)) {
        return asForOne(await latchkey.handler(addressed(event)))
      }
      introduce(event)
      if (callbacks?.authorized) {
        const path = pathname.slice(root.length) || '/'
        const verdict = await latchkey.protect(request, { path, native: event.request })
        if (verdict.response) return withCookies(verdict.response, verdict)
        setCookies(event, verdict.headers)
        introduce(event, Promise.resolve(verdict.session as Session | null))
      }
      const answer = await resolve(event)
      answered.set(event.request, true)
      return extended.get(event.cookies) ? uncached(answer) : answer
    },
    auth: ({ locals }) => (locals as App.Locals).auth() as Promise<SessionOf<Config> | null>,
    signIn,
    signOut,
    ...proofGuards(async (event, needed) => {
      const { latchkey } = await mounted()
      const asPage = followsRedirects(event) || undefined
      const refused = await askForProof(latchkey, asked(event, current(event)), {
        ...needed,
        asPage,
      })
      if (refused) await end(event, refused)
    }),
    api: apiThrough(async () => (await mounted()).latchkey),
  }
}

/** An instance, and the environment that completes its configuration. */
interface Mounted<Config extends AuthConfig> {
  readonly env: Env
  readonly latchkey: Latchkey<Config>
}

/** Returns whether this process builds an application: SvelteKit then sets this variable. */
function isBuilding(env: Env): boolean {
  return env['SVELTEKIT_FORK'] === 'true'
}

/**
 * Returns the environment of the process with what `.env` says, which `vite dev` keeps to itself. SvelteKit 3
 * warns of the module in development, so there it is only loaded if the process has no secret.
 */
async function environment(): Promise<Env> {
  const env = processEnv()
  if (Number.parseInt(kit.VERSION, 10) > 2 && env['AUTH_SECRET']) return env
  const { env: named } = await import('$env/dynamic/private')
  return { ...env, ...named }
}

/** Throws the error, as the one of SvelteKit if it has a response. */
function refuse(error: unknown): never {
  const { status } = forbidden(error) ?? {}
  if (status === undefined) throw error
  return kit.error(status, 'Forbidden')
}

/** Returns whether scripts of SvelteKit sent the request: for the data of a page, or for a form. */
function followsRedirects({ request, isDataRequest = false }: SvelteKitEvent): boolean {
  return isDataRequest || request.headers.has('x-sveltekit-action')
}

/** Throws a response as the redirect or the error of SvelteKit. */
async function end(event: SvelteKitEvent, response: Response): Promise<never> {
  const { headers, status } = response
  const url = headers.get('location')
  if (url !== null) return kit.redirect(303, url, { external: true })
  const challenge = headers.get('www-authenticate')
  if (challenge !== null) event.setHeaders?.({ 'www-authenticate': challenge })
  const problem = (await response.json()) as { title: string }
  return kit.error(status, { ...problem, message: problem.title })
}

/** Returns the fields of a form of the actions. */
async function readForm({ request }: SvelteKitEvent): Promise<{
  provider: string | undefined
  options: SignInOptions
  params: string[][]
  stays: boolean
}> {
  const { providerId, redirectTo, redirect, ...fields } = fieldsOf(await request.formData())
  const all = Object.entries(fields)
  const isParameter = ([name]: [string, unknown]): boolean => name.startsWith(PARAMETER)
  return {
    provider: String(providerId ?? '') || undefined,
    options: {
      ...Object.fromEntries(all.filter((field) => !isParameter(field))),
      ...(redirectTo ? { redirectTo: String(redirectTo) } : {}),
    },
    params: all
      .filter(isParameter)
      .map(([name, value]) => [name.slice(PARAMETER.length), String(value)]),
    stays: redirect === 'false',
  }
}

const PARAMETER = 'authorizationParams-'

/**
 * Returns a request for the page of an event, with its current cookies. A call of a remote function keeps its own URL,
 * so that a client cannot claim that it is for a page that is open.
 */
function current(event: SvelteKitEvent): Request {
  const { request, url, cookies, isRemoteRequest = false } = event
  const headers = new Headers(request.headers)
  const pairs = cookies.getAll().map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  headers.set('cookie', pairs.join('; '))
  if (isRemoteRequest) headers.set('accept', 'application/json')
  const { method } = request
  const made = new Request(isRemoteRequest ? request.url : url, { method, headers })
  return sentBySame(made, addressed(event))
}

/** The `cookies` of events whose response sets the cookie of a session. */
const extended = perEvent<true>('extended')

/** Returns a copy of a response without caching, since the headers of `Response.redirect` cannot be changed. */
function uncached(response: Response): Response {
  const answer = new Response(response.body, response)
  keepFromCaches(answer.headers)
  return answer
}

function setCookies({ cookies }: SvelteKitEvent, headers: Headers): void {
  if (headers.getSetCookie().length > 0) extended.set(cookies, true)
  for (const line of headers.getSetCookie()) {
    const { name, value = '', ...options } = parseSetCookie(line)
    // SvelteKit would choose its own values for missing options.
    cookies.set(name, value, { path: '/', httpOnly: false, secure: false, ...options })
  }
}

/** Returns the request of an event, with the address of the client if the platform provides it. */
function addressed(event: SvelteKitEvent): Request {
  try {
    return withClientAddress(event.request, event.getClientAddress?.())
  } catch {
    return event.request
  }
}
