import type { Session } from '../model/session.ts'
import { defaultBasePath } from './addresses/default-path.ts'
import { type Ceremony, performCeremony } from './passkey.ts'
import { openPopup, type Windows } from './popup.ts'
import {
  ClientError,
  type ClientProvider,
  createRequests,
  type FormAnswer,
  type Requests,
} from './requests.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

export interface ClientOptions {
  /** Base path of the service. @default `/api/auth` in Next.js, else `/auth` */
  basePath?: string | undefined
  /** Origin of the service. @default that of the page */
  baseUrl?: string | undefined
}

export interface SignInOptions<Redirect extends boolean = boolean> {
  /** Address to which the browser goes after the sign-in. @default the current page */
  redirectTo?: string | undefined
  /** @deprecated The name that Auth.js 4 had for `redirectTo`. */
  callbackUrl?: string | undefined
  /** With `false` the browser stays on the page, and the call returns the result. @default true */
  redirect?: Redirect | undefined
  /**
   * Path of your page on which a sign-in in its own window ends.
   *
   * That page calls `finishPopup`. Browsers open a window only after a click. Without a window, the sign-in continues
   * in this page.
   *
   * @see docs/reference/client.md#in-a-window-of-its-own
   */
  popup?: string | undefined
  /** Fields of the form: `email`, or the fields of a credentials provider. */
  [field: string]: unknown
}

export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Address to which the browser goes after the sign-out. @default the current page */
  redirectTo?: string | undefined
  /** @deprecated The name that Auth.js 4 had for `redirectTo`. */
  callbackUrl?: string | undefined
  /**
   * Whether the sign-out leads to the provider, with the plugin `federatedLogout` on the server.
   *
   * With `redirect: false`, send the browser to the returned `url`.
   *
   * @default the plugin's option `federated`
   */
  federated?: boolean | undefined
  /**
   * Whether the sign-out also forgets this browser, with the plugin `limits` or `accounts` on the server: it is then not trusted any
   * more, and unknown to the user.
   *
   * @default false
   */
  forget?: boolean | undefined
  /** With `false` the browser stays on the page, and the call returns `{ url }`. @default true */
  redirect?: Redirect | undefined
}

/** The result of a sign-out that stays on the page. */
export interface SignOutResult {
  /** The URL to which the browser would have been redirected. */
  url: string
}

/** There is no result if the browser leaves the page. */
type UnlessStaying<Redirect> = Redirect extends false ? never : undefined

/** The result of a sign-in that stays on the page. */
export interface SignInResult {
  /**
   * The error code, for example `CredentialsSignin`; `PopupClosed` if the visitor closed the window, and
   * `InvalidProvider` for an unknown provider.
   */
  error: string | undefined
  /** The `code` of the error of a credentials provider. */
  code: string | undefined
  status: number
  /** Whether the user is signed in, or redirected to a provider. `false` after a detour or with an `error`. */
  ok: boolean
  /** The URL to which the browser would have been redirected; `null` after an error. */
  url: string | null
  /**
   * Set if there is no session yet, because the page at `url` asks for something first, for example a second factor.
   */
  detour?: true
}

/** Parameters of the authorization request, for example `prompt` or `login_hint`. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/**
 * The type of the session of a server, from `typeof auth` or the type of an object with `auth`. It follows from the
 * configuration.
 */
export type SessionFrom<Auth> = Auth extends { auth: infer Inner }
  ? SessionFrom<Inner>
  : Auth extends (...params: never[]) => Promise<infer Read>
    ? NonNullable<Read>
    : Auth

/** The options of `getSession` in Auth.js. They have no effect, since other tabs are updated anyway. */
export interface GetSessionOptions {
  broadcast?: boolean | undefined
  event?: string | undefined
  triggerEvent?: boolean | undefined
}

/** The client for the browser. */
export interface AuthClient<S = Session> {
  readonly store: SessionStore<S>
  /**
   * Returns the session, or `null`.
   *
   * @throws {ClientError} if the service cannot be reached.
   */
  getSession(options?: GetSessionOptions): Promise<S | null>
  /** @throws {ClientError} */
  getProviders(): Promise<Record<string, ClientProvider>>
  /** @throws {ClientError} */
  getCsrfToken(): Promise<string>
  /**
   * Signs in. Without a provider, or with an unknown one, the browser goes to the sign-in page.
   *
   * @returns the result with `redirect: false` or in its own window; otherwise the browser leaves the page.
   * @throws {ClientError} if the service cannot be reached. If the visitor declines to use a passkey, the error of the
   *   browser.
   */
  signIn<Redirect extends boolean = true>(
    provider?: string,
    options?: SignInOptions<Redirect>,
    params?: AuthorizationParams,
  ): Promise<SignInResult | UnlessStaying<Redirect>>
  /**
   * Signs out in all tabs.
   *
   * @throws {ClientError} if the service cannot be reached, or cannot end the session.
   */
  signOut<Redirect extends boolean = true>(
    options?: SignOutOptions<Redirect>,
  ): Promise<SignOutResult | UnlessStaying<Redirect>>
  /**
   * Sends a request to a route of a plugin: GET, or POST with fields. Clients of plugins use it.
   *
   * @param path the path below the base path, with its query.
   * @returns the JSON of the response, or `null` if it is empty.
   * @throws {ClientError} with the `code` of the problem.
   */
  ask(path: string, fields?: object): Promise<unknown>
  /** Sets the address of the service after the client was created. */
  configure(options: ClientOptions): void
}

/** The part of the browser that a client uses. */
export type Page = Windows & {
  fetch?: typeof fetch
  location?: Pick<Location, 'href' | 'assign' | 'reload'>
}

/**
 * Creates a client. With `createAuthClient<typeof auth>()` its session has the type of the session of the server.
 *
 * @param page the browser, or a substitute in tests.
 */
export function createAuthClient<Auth = Session>(
  options?: ClientOptions,
  page?: Page,
): AuthClient<SessionFrom<Auth>>
export function createAuthClient(options: ClientOptions = {}, page: Page = globalThis): AuthClient {
  let { basePath, baseUrl = '' } = options
  // Read with each request: Next.js announces itself after its modules are loaded.
  const base = (): string => baseUrl + (basePath ?? defaultBasePath(page))
  const send: typeof fetch = (input, init) => (page.fetch ?? fetch)(input, init)
  const requests = createRequests(base, send)
  const store = createSessionStore(requests, page)
  const here = (): string => page.location?.href ?? '/'

  /** Returns a URL as the service does: the site itself instead of another origin or a script. */
  const withinSite = (target: string): string => {
    const { origin } = new URL(here())
    const url = URL.canParse(target, here()) ? new URL(target, here()).href : ''
    return url.startsWith(`${origin}/`) ? target : origin
  }

  const go = (url: string): void => {
    page.location?.assign(url)
    // With a fragment, the browser would not reload the page.
    if (url.includes('#')) page.location?.reload()
  }

  const signInPage = (callbackUrl: string, params: AuthorizationParams): string => {
    const query = new URLSearchParams(params)
    query.set('callbackUrl', callbackUrl)
    return `${base()}/signin?${query}`
  }

  const begin = async (
    id: string | undefined,
    { redirectTo, callbackUrl, redirect = true, ...fields }: SignInOptions,
    params: AuthorizationParams,
    leave: (url: string) => void,
  ): Promise<SignInResult | undefined> => {
    const target = redirectTo ?? callbackUrl ?? here()
    const providers = id === undefined ? {} : await requests.providers()
    const provider = id !== undefined && Object.hasOwn(providers, id) ? providers[id] : undefined
    if (!provider) {
      leave(signInPage(target, params))
      return redirect ? undefined : failed('InvalidProvider')
    }
    const { type, id: known } = provider
    const path =
      type === 'credentials' || type === 'webauthn' ? `callback/${known}` : `signin/${known}`
    const query = new URLSearchParams(params).toString()
    const ceremony = type === 'webauthn' ? await passkey(requests, known, fields) : {}
    const filled = { ...fields, ...ceremony, callbackUrl: target }
    const answer = await store.during(() =>
      requests.form(query ? `${path}?${query}` : path, filled),
    )
    if (redirect) {
      leave(answer.url)
      return undefined
    }
    const result = toResult(answer)
    if (result.ok) await store.changed()
    return result
  }

  return {
    store,
    getSession: () => store.read(),
    getProviders: () => requests.providers(),
    getCsrfToken: () => requests.csrfToken(),
    ask: (path, fields) => requests.ask(path, fields),
    async signIn(id, { popup: end, ...options } = {}, params = {}) {
      // Before the first `await`: browsers open a window only during the click.
      const popup = end === undefined ? undefined : openPopup(end, page)
      if (!popup) return begin(id, options, params, go)
      try {
        await begin(id, { ...options, redirectTo: popup.end, redirect: true }, params, popup.go)
      } catch (error) {
        popup.close()
        throw error
      }
      const url = await popup.done
      if (url === undefined) return failed('PopupClosed')
      const result = toResult({ url, status: 200, ok: true })
      if (result.error !== undefined) return result
      await store.changed()
      return { ...result, url: withinSite(options.redirectTo ?? options.callbackUrl ?? here()) }
    },
    async signOut({ redirectTo, callbackUrl, federated, forget, redirect = true } = {}) {
      const fields = {
        callbackUrl: redirectTo ?? callbackUrl ?? here(),
        federated: federated === undefined ? undefined : Number(federated),
        forget: forget ? 1 : undefined,
      }
      const { url, ok, status } = await store.during(() => requests.form('signout', fields))
      if (!ok) {
        throw new ClientError(`the session could not be ended (${status}); try again`, status)
      }
      await store.changed()
      if (!redirect) return { url }
      go(url)
      return undefined
    },
    configure(given) {
      basePath = given.basePath ?? basePath
      baseUrl = given.baseUrl ?? baseUrl
    },
    // The options determine the return type, which the compiler cannot check.
  } as AuthClient
}

function failed(error: string): SignInResult {
  return { error, code: undefined, status: 0, ok: false, url: null }
}

async function passkey(
  requests: Requests,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<{ action: string; data: string }> {
  const given = Object.entries(fields).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(given).toString()
  const ceremony = await requests.ask(`webauthn-options/${id}${query ? `?${query}` : ''}`)
  const { action } = ceremony as Ceremony
  return { action, data: await performCeremony(ceremony as Ceremony) }
}

function toResult({ url, status, ok, detour }: FormAnswer): SignInResult {
  if (detour) return { error: undefined, code: undefined, status, ok: false, url, detour }
  const { searchParams } = new URL(url)
  const error = searchParams.get('error') ?? undefined
  const code = searchParams.get('code') ?? undefined
  const isRefused = error !== undefined
  return { error, code: error && code, status, ok: ok && !isRefused, url: isRefused ? null : url }
}
