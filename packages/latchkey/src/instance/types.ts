import type { Awaitable } from '../base/awaitable.ts'
import type { HandlerResult } from '../core/auth.ts'
import type { PublicError } from '../http/outcome.ts'
import type { Adapter } from '../model/adapter.ts'
import type { JsonObject } from '../model/json.ts'
import type { Session } from '../model/session.ts'
import type { AuthConfig, SessionOptions } from '../options/auth-config.ts'
import type { CallbacksOptions, SessionParams, SessionParamsOf } from '../options/callbacks.ts'
import type { PluginApis } from '../options/plugin-option.ts'
import type { ProviderToken } from '../plugin/provides.ts'
import type { ResealedRecords } from '../plugin/sealed-kind.ts'
import type { StepUp } from '../session/proof/step-up.ts'

/** The session of a user whose id it has. */
export type IdentifiedSession = Session & {
  user: NonNullable<Session['user']> & { id: string }
}

/**
 * The type of session that the `session` callback of a configuration returns. Without one, the session has the id of the user if the
 * configuration says so.
 */
export type SessionOf<Config extends { callbacks?: unknown }> = Config extends {
  callbacks: { session: (...params: never[]) => infer Returned }
}
  ? Awaited<Returned>
  : Config extends { session: { userId: true } }
    ? IdentifiedSession
    : Session

export interface SignInOptions {
  /**
   * Path of the redirect after the sign-in.
   *
   * @default without a provider the requested page, otherwise the page that sent the request, otherwise `/`
   */
  redirectTo?: string
  /**
   * What the `signIn` callback must know when the user comes back, for example an invitation. It is sealed, so the visitor
   * can neither read nor change it. At most 1000 characters as JSON. A string is a field of the form.
   *
   * @see docs/how-to/sign-up-by-invitation.md
   */
  context?: JsonObject | string | undefined
  /** Fields of the form: `email`, or the fields of a credentials provider. */
  [field: string]: unknown
}

export interface SignOutOptions {
  /** Path of the redirect after the sign-out. @default the page that sent the request, otherwise `/` */
  redirectTo?: string
  /**
   * With the plugin `federatedLogout`: whether the user also signs out at the provider. Forms send `1` or `0`.
   *
   * @default the option `federated` of the plugin
   */
  federated?: boolean | '1' | '0' | undefined
  /**
   * With the plugin `limits` or `accounts`: whether the sign-out also forgets this browser, which is then not trusted any more. Forms
   * send `1`.
   *
   * @default false
   */
  forget?: boolean | '1' | '0' | undefined
}

export interface ProtectOptions<S = Session> {
  /** The path within the application, without the base path of a framework or a locale. */
  path?: string
  /** The request passed to the callback, for example the framework's own request object. */
  native?: Request
  /**
   * Whether a request that is no navigation of a browser, by `Sec-Fetch-Mode`, gets 401 instead of a redirect. Not for
   * frameworks whose router requests pages with scripts. @default false
   */
  redirectsOnlyPages?: boolean | undefined
  /**
   * Called instead of `callbacks.authorized`. It is a method, so that a callback for the request type of a framework is
   * assignable.
   */
  authorized?(params: {
    request: Request
    auth: S | null
  }): Awaitable<boolean | Response | undefined>
}

/** Parameters of the authorization request, for example `prompt` or `login_hint`. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** The session, or the reason why there is none. */
export type AuthResult<S = Session> =
  | { readonly status: 'authenticated'; readonly session: S }
  | {
      /**
       * - `none`: the request has no session token
       * - `expired`: the session has expired
       * - `invalid`: the token is unknown or was changed, or the session was ended
       * - `unavailable`: the session could not be read, for example because the store or a callback failed
       */
      readonly status: 'none' | 'expired' | 'invalid' | 'unavailable'
      readonly session: null
    }

/** The session, or the reason why there is none, with headers for the response. */
export type ReadSession<S = Session> = AuthResult<S> & {
  /**
   * `Set-Cookie` headers that extend the session when it is due, or clear the cookie of a session that has ended, with
   * `Cache-Control: private, no-store`. Send them to the browser.
   */
  readonly headers: Headers
}

/** Returns the session, or `null`. */
export interface AuthReader<S = Session> {
  (request: Request | Headers): Promise<S | null>
  /** Also returns the reason if there is no session. It sets no cookie either. */
  result(request: Request | Headers): Promise<AuthResult<S>>
}

/** The result of a sign-in or sign-out. */
export interface ActionResult extends Partial<PublicError> {
  /** The URL of the redirect. After an error, the page that reports it. */
  readonly url: string
  /** Set if there is no session yet, because the page at `url` asks for something first, for example a second factor. */
  readonly detour?: true
  /** The `Set-Cookie` headers, with `Cache-Control: private, no-store`. Send them to the browser. */
  readonly headers: Headers
}

/** Starts a sign-in on the server, without the form of the sign-in page. */
export interface SignInFunction {
  /**
   * @returns the redirect to respond with. Without a provider, and if a mail cannot be sent or a provider cannot be
   *   reached, it redirects to the sign-in page.
   * @throws {AuthError} for other failures; `InvalidProvider` if no provider has the id; `MissingCSRF` if the browser
   *   reports that another site sent the request, unless it is a link that redirects to a provider or to the sign-in page.
   */
  (
    request: Request,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<Response>
  /**
   * The same, but returns the result instead of a response. Errors are logged, and are part of the result.
   *
   * @throws {AuthError} only if the configuration is invalid.
   */
  result(
    request: Request,
    provider?: string,
    options?: SignInOptions,
    params?: AuthorizationParams,
  ): Promise<ActionResult>
}

/** Ends the session. */
export interface SignOutFunction {
  /**
   * @returns the redirect to respond with. If the store cannot end the session, it redirects to the error page, and the
   *   cookie stays.
   * @throws {AuthError} `MissingCSRF` if the browser reports that another site sent the request.
   * @throws {TypeError} for an option that is probably misspelled.
   */
  (request: Request, options?: SignOutOptions): Promise<Response>
  /** The same, but returns the result instead of a response. */
  result(request: Request, options?: SignOutOptions): Promise<ActionResult>
}

/** What a session says about the proof of identity. */
export interface ProofOfSession {
  /** The public id of the session. */
  readonly sid: string
  readonly userId: string | undefined
  /** When the user proved their identity last, seconds since the epoch. */
  readonly authTime?: number
  /** When the user did so with a second factor last, seconds since the epoch. */
  readonly secondTime?: number
  /** The methods (RFC 8176), with `email`, `fed` and `recovery` for a mail, a provider and a recovery code. */
  readonly amr: readonly string[]
  /** How strong they are: `urn:latchkey:acr:0` (a guest), `…:1`, `…:2` (two factors), or `…:2pr` (also resistant to phishing). */
  readonly acr: string
  readonly factors: 0 | 1 | 2
  /** The kind of program that has the session instead of a browser. */
  readonly holder?: 'native' | 'device'
  /**
   * Whether the user signed in with this browser before (`known`, otherwise `new`); `trusted` if the browser stood for the second
   * factor. With the plugin `limits`, and not for the session of a program.
   */
  readonly device?: 'known' | 'new' | 'trusted'
  /**
   * `unproved` for a user who signed up with `verify: 'after'` of the plugin `passwords`, as long as nobody has proved the
   * address. It is looked up with each call.
   */
  readonly address?: 'unproved'
}

/** Functions that ask for a recent or stronger proof of identity. */
export interface StepUpFunctions {
  /** Returns what the session says about the proof of identity; `null` without a session. */
  facts(input: Request | Headers): Promise<ProofOfSession | null>
  /**
   * Checks how recent and how strong the proof of identity in the session is. The session of a program never passes.
   *
   * @throws {AuthError} `StepUpRequired` if it is too old or too weak, or there is no session. Answer with
   *   {@link StepUpFunctions.stepUpResponse}.
   */
  requireProof(input: Request | Headers, needed: StepUp): Promise<ProofOfSession>
  /**
   * The same for a proof that is at most so many seconds old. If the account has a second factor, it counts from the last proof
   * with one.
   */
  requireFresh(
    input: Request | Headers,
    maxAge: number,
    options?: Omit<StepUp, 'maxAge'>,
  ): Promise<ProofOfSession>
  /** The same for a number of factors. */
  requireFactors(
    input: Request | Headers,
    factors: 1 | 2,
    options?: Omit<StepUp, 'factors'>,
  ): Promise<ProofOfSession>
  /**
   * Returns the response for a request whose proof is too old or too weak: a redirect to the page that asks for one, the problem
   * `reauthentication_required` with `next` for a script, and a challenge (RFC 9470) for a program with a token.
   *
   * @param needed `redirectTo`: the page after the proof, by default the requested one or the one that sent the request.
   *   `asPage`: whether scripts are redirected, too, for a framework whose router requests pages with scripts.
   */
  stepUpResponse(
    request: Request,
    needed: StepUp & {
      readonly redirectTo?: string | undefined
      readonly asPage?: boolean | undefined
    },
  ): Promise<Response>
}

/** An instance of Latchkey for one configuration. */
export interface Latchkey<Config extends { callbacks?: unknown } = AuthConfig>
  extends StepUpFunctions {
  /**
   * The functions of the plugins, by plugin name. The first argument of each function is the request. The names are typed
   * if the list of plugins is written in the configuration itself, or in an object that `satisfies AuthConfig`.
   */
  readonly api: PluginApis<Config>
  /** Returns whether Latchkey handles this path, as an action or as a path of a plugin. */
  answers(request: Request): Promise<boolean>
  /** Handles every request below the base path. Mount it there for GET and POST. */
  handler(request: Request): Promise<Response>
  /** The same; also returns the error if the response redirects to a page that reports it. */
  result(request: Request): Promise<HandlerResult>
  /** The handler, by method. */
  readonly handlers: {
    GET(request: Request): Promise<Response>
    POST(request: Request): Promise<Response>
  }
  /**
   * Returns the session, or the reason why there is none, and the headers that extend the session when it is due. It
   * never throws.
   *
   * With headers instead of a request, it does not extend the session. Use this where the response cannot set cookies.
   */
  getSession(input: Request | Headers): Promise<ReadSession<SessionOf<Config>>>
  /** Returns the session of {@link getSession}, or `null`. It sets no cookie and does not extend the session. */
  readonly auth: AuthReader<SessionOf<Config>>
  /**
   * Returns the session and the headers of {@link getSession}.
   *
   * @throws {AuthError} if the configuration is invalid, or the host is not trusted.
   */
  session(request: Request): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
  /**
   * Calls the `authorized` callback with the session to decide whether the request may continue.
   *
   * @returns `response`: the response instead of the page, if the request may not continue; `open`: whether the callback
   *   was not called, because the page is open to everybody (an action, or one of `pages`); `headers`: the `Set-Cookie`
   *   headers that extend the session when it is due, for every response.
   */
  protect(
    request: Request,
    options?: ProtectOptions<SessionOf<Config>>,
  ): Promise<{
    response: Response | undefined
    open: boolean
    session: SessionOf<Config> | null
    headers: Headers
  }>
  readonly signIn: SignInFunction
  readonly signOut: SignOutFunction
  /**
   * The adapter of the configuration, with the records of plugins. Delete users through it, so that their records are also
   * deleted, and plugins can end their sessions. `undefined` without an adapter, and if the configuration is a function.
   */
  readonly adapter: Adapter | undefined
  /**
   * Lets the plugins clean up and repair their stored data, one process at a time. Call it from a timer or a scheduled
   * function, for example every minute; it only frees space. The service calls it itself.
   *
   * @param options `budgetMs`: milliseconds after which no further step starts, 2000 by default.
   */
  maintain(options?: { budgetMs?: number }): Promise<void>
  /**
   * Seals all stored values that do not expire, for example passwords, with the first secret of `secret`. Call it before an
   * old secret is removed. It may be interrupted and repeated, while the application runs.
   *
   * @returns how many values were sealed anew, how many the first secret had sealed already, and how many no configured
   *   secret opens.
   */
  resealRecords(): Promise<ResealedRecords>
  /**
   * Returns the access token of the signed-in user for the API of a provider. A token that is about to expire is renewed
   * first, once for all concurrent callers, and stored in the account.
   *
   * @returns `null` without a session, or if the user has to sign in with the provider again: there is no account, or no
   *   valid token and the provider does not renew it.
   * @throws {AuthError} without an adapter that lists and updates accounts, and if the provider cannot be reached.
   */
  getProviderToken(request: Request | Headers, provider: string): Promise<ProviderToken | null>
  /** Passes `data` to the `jwt` or `session` callback. Send the headers to the browser. */
  updateSession(
    request: Request,
    data: unknown,
  ): Promise<{ session: SessionOf<Config> | null; headers: Headers }>
}

/** A configuration without the types of the callbacks that depend on the session. */
export type UntypedConfig = Omit<AuthConfig, 'callbacks'> & {
  callbacks?:
    | (Omit<CallbacksOptions, 'session' | 'authorized'> & {
        session?: unknown
        authorized?: unknown
      })
    | undefined
}

/** Types `auth` of `authorized` as the return value of `session`, if `session` is written before it. */
export interface SessionCallbacks<S, Params = SessionParams, Asked extends Request = Request> {
  callbacks?:
    | {
        session?: (params: Params) => Awaitable<S>
        authorized?: (params: {
          request: Asked
          auth: S | null
        }) => Awaitable<boolean | Response | undefined>
      }
    | undefined
}

/** `session` of a configuration, if it is set. */
export type ConfiguredSession = SessionOptions | undefined

/** `adapter` of a configuration, if it is set. */
export type ConfiguredAdapter = Adapter | undefined

/**
 * A configuration whose callbacks have types that follow from the rest of the configuration.
 *
 * @template S the return type of its `session` callback
 * @template K its `session`
 * @template A its `adapter`
 * @template Asked the request that `authorized` receives
 */
export type TypedConfig<Config, S, K, A, Asked extends Request = Request> = Config & {
  session?: K
  adapter?: A
} & SessionCallbacks<S, SessionParamsOf<K, A>, Asked>
