import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { Ports } from '../base/ports.ts'
import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { Html } from '../http/html.ts'
import type { AuthMethod, AuthRequest, SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { Account, AdapterAccount, ProviderType, TokenSet } from '../model/account.ts'
import type { Profile } from '../model/profile.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { JsonObject } from '../model/record.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, IdentifiedUser, User } from '../model/user.ts'
import type { CookieName, CookieSpecs } from '../options/cookie-policy.ts'
import type { EventHandlers, EventMessages } from '../options/events.ts'
import type { PluginOption, PluginTexts } from '../options/plugin-option.ts'
import type {
  EndSession,
  Mail,
  OAuthCheck,
  ProviderTokenRules,
} from '../options/provider-options.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { EdgeHalf } from '../session/at-edge.ts'
import type { EndReason } from '../session/end-reason.ts'
import type { SessionFacts } from '../session/facts.ts'
import type { SessionServices } from '../session/services.ts'
import type {
  CurrentSession,
  Proof,
  SessionHolder,
  SessionRequest,
  SessionStrategy,
  SignInFields,
  WithMaxAge,
} from '../session/strategy.ts'
import type { SessionHooks } from '../session/watch.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/**
 * One capability: a name, requirements, routes, and a `setUp` function.
 *
 * @template Own the object that the modules of its routes receive
 */
export interface Plugin<Name extends string = string, Api extends object = object, Own = unknown>
  extends PluginOption<Name, Api> {
  /**
   * By path below the base path, for example `terms` or `sessions/list`, and method. HEAD is handled as GET. A star at the
   * end, as in `hooks/*`, matches one segment, which is `rest` of the call.
   */
  readonly routes?: Readonly<Record<string, PluginMethods<Own>>> | undefined
  /**
   * The plugin is a gate between a proof of identity and the session: `prove` for a further factor, `require` for
   * something that the user must do first. Sign-ins pass all `prove` gates before all `require` gates, in the order of the
   * list. Needs records.
   */
  readonly gate?: 'prove' | 'require' | undefined
  /** Checkboxes on the sign-in page for this plugin; `kept` of the sign-in has the checked ones. */
  readonly signInFields?: readonly SignInField[] | undefined
  /** Error codes of its routes, in addition to the codes of every plugin. */
  readonly problems?: ProblemTable | undefined
  /** Set it if `setUp` returns `session.onRead`: reading sessions without the plugin then causes a warning. */
  readonly judgesSessions?: true | undefined
  /** Findings of `latchkey doctor` about the chosen options, by code. */
  readonly notes?: readonly string[] | undefined
  /** The part that works without a store, at the edge: see `splitConfig` and `createVerifier`. */
  atEdge?(ports: Ports): EdgeHalf
  /** Called for each plan: it must do no work and store nothing. Put state that outlives a plan into `host.shared`. */
  setUp(host: Host): PluginParts<Api, Own>
}

/** A checkbox of the sign-in page, whose value is `1`. Pages of an application send a field of this name. */
export interface SignInField {
  readonly name: string
  /** An English text, or the key of a text of the plugin. */
  readonly label: string
}

/** The routes of one path. */
export type PluginMethods<Own> = Readonly<Partial<Record<AuthMethod, PluginRoute<Own>>>>

/** The parts that a plugin adds to a plan. */
export interface PluginParts<Api extends object = object, Own = unknown> {
  /** The functions of `latchkey.api.<name>`. Each is asynchronous and receives the request as its first argument. */
  readonly api?: Api | undefined
  readonly own?: Own | undefined
  /**
   * Seconds since the proof of identity within which its routes let a user pass, if that may be less than for other plugins:
   * OpenID providers are asked for a proof that is no older. It counts with `session`.
   */
  readonly freshAge?: number | undefined
  /** Called when sessions start, are read, are extended and end. */
  readonly session?: SessionHooks | undefined
  /**
   * Called at its gate. It decides from the store and from `amr`, and is called again when the sign-in continues.
   *
   * @returns the page to visit first, for example `host.path('terms')`; `undefined` to let the sign-in pass.
   */
  atGate?(signIn: PendingSignIn, request: SiteRequest): MaybePromise<SafeUrl | undefined>
  /** Called before built-in actions, and when they fail. */
  readonly actions?: ActionHooks | undefined
  /** Adds a redirect to a sign-out, for example to the provider. */
  readonly leave?: Leave | undefined
  /** Counts attempts for all plugins and for built-in actions. The first plugin that has this part is used. */
  readonly limiter?: Limiter | undefined
  /** Lists and ends sessions for all plugins. The first plugin that has this part is used. */
  readonly sessionControl?: SessionControl | undefined
  /** Event handlers, called after those of the application with the same arguments. */
  readonly listen?: EventHandlers | undefined
  /**
   * Put around how sessions are kept, for sessions that are in no cookie, or for a further cookie: what it returns does what
   * the given one does, and more. What it does not know, it hands on. Those of plugins stand outside of what options do.
   *
   * @param services what keeps sessions, too.
   * @param withMaxAge the same, bare, for sessions that last longer or shorter than those of browsers.
   */
  around?(kept: SessionStrategy, services: SessionServices, withMaxAge: WithMaxAge): SessionStrategy
  /**
   * Called when a sign-in with an OAuth or OpenID provider starts.
   *
   * @returns further cookies of the sign-in, for example for another library.
   */
  onBegin?(signIn: BegunSignIn): Awaitable<readonly Cookie[]>
  /**
   * Called when a browser has a new session after a sign-in.
   *
   * @param request the last request of the sign-in: of a gate, if the sign-in waited there.
   * @returns additional cookies of the response.
   */
  afterSignIn?(signIn: PendingSignIn, request: SiteRequest): Awaitable<readonly Cookie[]>
  /** Changes the stored members of accounts of OAuth and OpenID Connect providers. */
  readonly accounts?: AccountHooks | undefined
  /** Stores the tokens of providers for `latchkey.getProviderToken`. The first plugin that has this part is used. */
  readonly tokenKeeper?: TokenKeeper | undefined
  /** Called before a user is deleted through `latchkey.adapter`. `onUserDelete` receives its result. */
  beforeUserDelete?(userId: string): Awaitable<unknown>
  /** Called after a user was deleted through `latchkey.adapter`. @param before the result of `beforeUserDelete`. */
  onUserDelete?(userId: string, before?: unknown): Awaitable<void>
  /**
   * Cleans up and repairs, in one process at a time; correctness must not depend on it. Called by
   * `latchkey.maintain()`. It must check before each step whether there is time left.
   */
  maintain?(budget: Budget): Awaitable<void>
}

/** The time limit of maintenance. */
export interface Budget {
  isOver(): boolean
}

/** A lease that this process holds. */
export interface Lease {
  /** Extends the lease. @param milliseconds from now. @returns whether the process still holds it. */
  extend(milliseconds: number): Promise<boolean>
  release(): Promise<void>
}

/** The sessions of users, by their public ids. */
export interface SessionControl {
  /** Returns the sessions that have not ended. */
  list(userId: string): Promise<readonly { readonly sid: string }[]>
  /** @returns whether this call ended the session; `false` if it has ended, is unknown or belongs to another user. */
  end(userId: string, sid: string, how: SessionEnding): Promise<boolean>
  /** @param how `except`: the id of a session to keep. @returns the number of sessions that this call ended. */
  endAll(userId: string, how: SessionEnding & { readonly except?: string }): Promise<number>
}

/** The reason for the end of a session, and who ended it. */
export interface SessionEnding {
  readonly reason: EndReason
  /** The id of the user who ends the session, if it belongs to another user. */
  readonly by?: string | undefined
}

/** Hooks for stored provider accounts, called at each sign-in with the account and when it is linked. */
export interface AccountHooks {
  /**
   * Returns the members to store in the row; `null` removes a value. Called inside a transaction, so it must
   * not use the store.
   */
  row?(account: AdapterAccount): AdapterAccount
  /**
   * Called after the row was stored and before the session is created. An error refuses the sign-in.
   *
   * @param account the stored account with its tokens.
   * @param answer the complete response of the provider.
   * @param asked the requested scopes, if a plugin connected the account.
   * @param dpop the private key to which the tokens are bound (RFC 9449), for a provider with `dpop`.
   */
  stored?(
    account: AdapterAccount,
    answer: Account,
    asked?: string,
    dpop?: ProofKey,
  ): Awaitable<void>
  /** Called after an account was unlinked through `latchkey.adapter`. */
  unlinked?(account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Awaitable<void>
}

/** Stores the tokens of providers. */
export interface TokenKeeper {
  /**
   * @returns a valid token; `null` if only a new sign-in can provide one.
   * @throws if the token has expired and the provider is unreachable.
   */
  get(
    request: Request | SiteRequest | SessionRequest,
    provider: string,
  ): Promise<ProviderToken | null>
}

/** A token for the API of a provider. */
export interface ProviderToken extends Pick<TokenSet, 'scope'> {
  access_token: string
  /** The token type in lower case; `DPoP` for a token that is bound to a key and needs a proof. */
  token_type?: string
  /** For a token that is bound to a key: returns the `DPoP` header of one request (RFC 9449). */
  proof?: BoundToken['proof']
  /** Seconds since the epoch; `undefined` if the provider did not send it. */
  expires_at?: number
}

/** The response of a provider's token endpoint. */
export type TokenAnswer =
  | {
      readonly kind: 'tokens'
      readonly tokens: TokenSet & { access_token: string }
      /** Claims of the verified ID token in the response. */
      readonly claims: Readonly<Record<string, unknown>> | undefined
    }
  /** The provider refuses permanently. @property code its error code */
  | { readonly kind: 'refused'; readonly code: string; readonly error: Error }
  /** The provider was unreachable, or its response was invalid. */
  | { readonly kind: 'unavailable'; readonly error: Error }

/** Hooks for the built-in actions, except reading the session. */
export interface ActionHooks {
  /**
   * Called before an action runs.
   *
   * Not called for a form without its CSRF token, which is refused.
   *
   * @param provider the provider of the action, if there is one.
   * @throws {Problem} to refuse it.
   */
  before?(
    request: AuthRequest,
    provider: AskedProvider | undefined,
    how: HowStarted,
  ): Awaitable<InsteadOfAction | void>
  /** Called when an action failed, for example because of a wrong password or code. */
  failed?(
    request: AuthRequest,
    provider: AskedProvider | undefined,
    how: HowStarted,
  ): Awaitable<void>
}

/** How an action was started. */
export interface HowStarted {
  /** Whether the application started the action for a GET request, without a form. */
  readonly isLink: boolean
  /** Whether a page of this site sent the form, as its CSRF token shows. */
  readonly isProven: boolean
  /** Returns whether a callback belongs to a sign-in that this browser began. */
  isOwnCallback(): Promise<boolean>
}

/** Replaces or changes a requested action. */
export interface InsteadOfAction {
  /** Redirects the visitor to this URL instead of running the action. */
  readonly to?: SafeUrl | undefined
  /** Replaces query parameters, for example `prompt` of an authorization request. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** Hooks for a sign-out. */
export interface Leave {
  /** Called for the built-in page that confirms the sign-out. */
  page?(request: SiteRequest): Awaitable<SignOutAddition | undefined>
  /**
   * Called after the session ended, also if there was none. An error is logged, and the sign-out redirects to
   * `callbackUrl`.
   */
  to(signedOut: SignedOut): Awaitable<Leaving | undefined>
}

/** Parts of a plugin on the built-in sign-out page. Texts are in the language of the request. */
export interface SignOutAddition {
  /** A checkbox, whose value is `1`. */
  readonly field?: SignInField | undefined
  /** A sentence above the buttons. */
  readonly note?: string | undefined
}

/** A completed sign-out. */
export interface SignedOut {
  readonly request: AuthRequest
  /** The session that ended; `undefined` if there was none. */
  readonly facts: SessionFacts | undefined
  /** The validated callback URL. */
  readonly callbackUrl: SafeUrl
}

/** The redirect of a sign-out, and further cookies of its response. Of several plugins, the first one with a URL is used. */
export interface Leaving {
  readonly to?: SafeUrl | undefined
  readonly cookies?: readonly Cookie[] | undefined
}

/** The members of a provider that plugins see. */
export interface AskedProvider {
  readonly id: string
  readonly type: ProviderType
  /** For a mail provider: normalizes an address as configured by the application. */
  readonly normalizeIdentifier?: ((identifier: string) => string) | undefined
}

/** Counts attempts. */
export interface Limiter {
  /** Counts one attempt at a named action. Call it before the action runs. */
  count(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /** Returns the client address of a request; `undefined` if it is unknown. */
  clientAddress?(request: Request): Promise<string | undefined>
}

/** The subjects of an attempt: who attempts it, and which user or address it concerns. */
export interface LimitSubjects {
  readonly request: SiteRequest
  /** The input: an address or a user name. */
  readonly identifier?: string | undefined
  readonly userId?: string | undefined
  readonly sid?: string | undefined
  /** Whether a page of this site sent the request, as its CSRF token shows. Else the headers of the browser decide. */
  readonly isProven?: boolean | undefined
}

/** Whether the attempt is allowed. */
export type LimitVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
      /** Further response headers for programs, by lower-case names. */
      readonly headers: Readonly<Record<string, string>>
      /** Further members of the problem. */
      readonly members: JsonObject
    }

/** The route of one path: its methods, the object that their modules receive, and its error codes. */
export interface PluginPath {
  readonly methods: PluginMethods<never>
  readonly own: unknown
  readonly problems: ProblemTable
  readonly texts: PluginTexts
  /** The segment that matches the star at the end of the route. */
  readonly rest: string | undefined
}

/** A started sign-in with a provider: the values for checking its response. */
export interface BegunSignIn {
  /** The id of the provider. */
  readonly provider: string
  /** The configured checks of the provider. */
  readonly checks: readonly OAuthCheck[]
  readonly state: string
  /** Code verifier (RFC 7636). */
  readonly pkce: string | undefined
  readonly nonce: string | undefined
  /**
   * Creates a cookie that the browser sends with the callback of the provider. It is valid as long as the sign-in.
   *
   * @param name its name in `cookies` of the configuration.
   * @param claims its content, which is sealed with the name of the cookie as the purpose.
   */
  keep(name: CookieName, claims: JsonObject): Promise<Cookie>
}

/** A user who has proved their identity and has no session yet. */
export interface PendingSignIn {
  readonly user: IdentifiedUser | AdapterUser
  /** The account with the tokens of its provider. */
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
  /** The authentication methods (RFC 8176). */
  readonly amr: readonly string[]
  /** The time of the proof in seconds since the epoch. */
  readonly authTime: number
  /** Values that must be unchanged when the session is issued, by the name of the plugin. */
  readonly before: JsonObject
  /** The time when these values were read, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Form fields of plugins from the start of the sign-in. */
  readonly kept?: SignInFields | undefined
  /** The validated callback URL. */
  readonly callbackUrl: SafeUrl
  /** The private key to which the tokens are bound (RFC 9449). */
  readonly dpop?: ProofKey | undefined
}

/** The allowed callers of a route: everybody, signed-in users, or users who wait at a gate. */
export type Who = 'anyone' | 'user' | 'pending'

/**
 * The kind of caller of a route:
 *
 * - `people`: browsers that show a page, and scripts. A refusal is a page or JSON, depending on the request.
 * - `scripts`: code in a page of the site. The response is always JSON.
 * - `servers`: programs without a session. The route reads and sets no cookie, does not check the origin, and
 *   never returns a page. Its `who` is `anyone`.
 * - `protocol`: clients of an external standard. Like `servers`, but requests are not counted as POST requests, the body
 *   is unread (`request.original`), and there is no `input`. The response may be a page, and a browser is redirected.
 */
export type Callers = 'people' | 'scripts' | 'servers' | 'protocol'

/** One method of one path. */
export interface PluginRoute<Own = unknown> {
  /** Other callers get 401; a browser that requests a page is redirected to the sign-in page. */
  readonly who: Who | readonly Who[]
  /** @default 'people' */
  readonly callers?: Callers | undefined
  /**
   * Counted by the plugin `limits`, before anything else happens: by network or for the site. The configuration
   * has to have rules of this name. Who is signed in, and what was sent, is not known yet: see `host.limit`.
   */
  readonly limit?: string
  /** Loads the schema of the fields: those of the body, or of the query of a GET. Without it, none may be sent. */
  readonly input?: () => Promise<StandardSchema>
  /**
   * Maximum size of the body in bytes; a larger body gets 413.
   *
   * @default 65536
   */
  readonly bodyLimit?: number | undefined
  /** Loads the function of the route. */
  readonly run: () => Promise<RunRoute<Own, never>>
}

// The schema decides what the input is.
// oxlint-disable-next-line typescript/no-explicit-any
/** The function of a route: `RunRoute<Terms, { code: string }>` if `input` has a code. */
export type RunRoute<Own = unknown, Input = NoInput> = (
  call: Call<Input>,
  own: Own,
) => Awaitable<Answer>

/** The input of a route without `input`. */
type NoInput = Readonly<Record<string, never>>

/** A validated request for a route. */
export interface Call<Input = NoInput> {
  readonly request: SiteRequest
  readonly input: Input
  /** The last segment of the path, if the route ends with a star. */
  readonly rest: string | undefined
  /** The current user and session; always present on a route for `user`. */
  readonly current: CurrentSession | null
  /** The sign-in that waits at a gate in this browser, on a route for `pending`. */
  readonly pending: PendingSignIn | undefined
  /** The hidden field with the CSRF token, which every form of a page needs. */
  readonly csrfField: Html
  /** The callback URL, validated by the `redirect` callback; the default is the origin of the site. */
  readonly callbackUrl: SafeUrl
}

/** A response as data. A form gets the page or the redirect, a program the JSON. */
export interface Answer {
  readonly json?: JsonObject | undefined
  /** Bytes for programs; the headers have their content type. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  readonly page?: AnswerPage | undefined
  /** A page of the plugin. */
  readonly to?: SafeUrl | undefined
  /** @default 200 */
  readonly status?: number | undefined
  readonly cookies?: readonly Cookie[] | undefined
  /** Further headers, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A page with the layout of the built-in pages. */
export interface AnswerPage {
  readonly title: string
  readonly body: Html
  /** Further CSS rules. They must be constant text of the plugin, never input of a visitor. */
  readonly style?: string
  /** A script. It must be constant text of the plugin, never input of a visitor. The policy of the page allows it by its hash. */
  readonly script?: string
  /** The only origin to which forms of the page may be sent or redirected; without it, every origin is allowed. */
  readonly formAction?: string
}

/** The client of an OAuth or OpenID provider, for plugins that send requests to it. */
export interface ProviderClient {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  /** The configured value, with its placeholders replaced. */
  readonly issuer: string | undefined
  /** The configured value. */
  readonly endSession: EndSession | undefined
  /** Members of the provider that replace placeholders such as `{clientId}`. */
  readonly members: Readonly<Record<string, unknown>>
  /** Returns the provider's metadata, which is read on the first call and cached. @throws if it cannot be read. */
  metadata(): Promise<Readonly<Record<string, unknown>>>
  /** Returns whether this is the issuer of the provider or of one of its tenants. Reads no metadata. */
  isIssuer(issuer: string): boolean
  /** Returns whether a visitor or a token may be sent to this URL of the provider. */
  isSecure(url: URL): boolean
  /** Returns whether the configuration allows ID tokens with this algorithm. */
  acceptsAlgorithm(algorithm: string): boolean
  /**
   * Verifies that the provider signed a JWT for this client, with the cached keys of sign-ins. Checks issuer, audience, algorithm
   * and signature, and no other claims.
   *
   * @throws if the JWT is invalid, or the keys cannot be read.
   */
  verify(jwt: string): Promise<void>
  /** The configured value. */
  readonly rules: ProviderTokenRules
  /** The scope of a sign-in. */
  readonly scopes: readonly string[]
  /** Renews tokens (RFC 6749 section 6). @param params further parameters, for example `resource`. */
  refresh(tokens: RenewableTokens, params?: Readonly<Record<string, string>>): Promise<TokenAnswer>
  /**
   * Exchanges a token for another token (RFC 8693).
   *
   * @param params all parameters except the grant type and the client authentication
   * @param key the key to which the token is bound (RFC 9449).
   */
  exchange(params: Readonly<Record<string, string>>, key?: ProofKey): Promise<TokenAnswer>
  /** Returns functions for requests with a token that is bound to a key (RFC 9449). */
  bound(key: ProofKey, accessToken: string): BoundToken
  /** Returns whether the provider can revoke tokens. */
  canRevoke(): Promise<boolean>
  /** Revokes a token (RFC 7009). @throws if the provider does not confirm it. */
  revoke(token: string, hint: 'access_token' | 'refresh_token'): Promise<void>
}

/** Tokens for a renewal. */
export interface RenewableTokens
  extends Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'> {
  /** The key to which they are bound (RFC 9449). */
  readonly dpop?: ProofKey | undefined
}

/** Functions for requests with an access token that is bound to a key (RFC 9449). */
export interface BoundToken {
  /**
   * Creates a proof for one request: the value of its `DPoP` header, in addition to `Authorization: DPoP <token>`.
   *
   * @param method the HTTP method. @param url the URL of the request; query and fragment are omitted.
   */
  proof(method: string, url: string | URL): Promise<string>
  /** Wraps `fetch`: a request with this token as a bearer token is sent with a proof instead. */
  fetch(send: typeof fetch): typeof fetch
}

/** The user of a session outside of a browser, and the authentication methods. */
export interface HeadlessSignIn extends Pick<Proof, 'amr' | 'authTime' | 'before'> {
  readonly user: User | AdapterUser
  readonly holder: SessionHolder
  /** Of the program. */
  readonly request: SiteRequest
}

/** A user and the authentication methods that a plugin verified. */
export type ProvenIdentity = ProvenUser | ProvenMailbox

/** A user of the store; with sealed sessions and without an adapter, a user of the application with this id. */
export interface ProvenUser {
  readonly user: User & { readonly id: string }
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** The result of {@link Host.beforeProof} from before the proof was read. */
  readonly before: JsonObject
}

/** The user with this address, who is created if necessary. */
export interface ProvenMailbox {
  /** The address as entered; it is normalized like that of a sign-in by mail. */
  readonly address: string
  /** RFC 8176. */
  readonly amr: readonly string[]
}

/** The object that a plugin receives. */
export interface Host {
  readonly ports: Ports
  /** The base path of all actions, for example `/auth`, without a slash at its end. */
  readonly basePath: string
  readonly logger: Logger
  /** The records of the plugin in the store. */
  readonly records: Records
  /** Whether there is a record store, for plugins to which records are optional. */
  readonly hasRecords: boolean
  /** The store of users, accounts and sessions; `undefined` without an adapter. */
  readonly store: Store | undefined
  /** Returns the session and the user of a request, or `null` without a session. It does not extend the session. */
  current(request: Request | SiteRequest | SessionRequest): Promise<CurrentSession | null>
  /** Returns the session as the browser sees it. It does not extend the session. @throws if the session cannot be read. */
  session(request: Request | SiteRequest): Promise<Session | null>
  /**
   * Checks that a person proved their identity in this session a short time ago. The session of a program never passes.
   *
   * @param seconds how long ago at most.
   * @param callbackUrl the page after the user signed in again.
   * @throws {Problem} `reauthentication_required`, which redirects people to the sign-in page.
   */
  needFresh(
    session: Pick<CurrentSession, 'facts' | 'holder'> | null,
    seconds: number,
    callbackUrl: SafeUrl,
  ): Promise<void>
  /**
   * Gives the session of a request a new token and id, after the user proved their identity again.
   *
   * @returns the cookies that the response must set; `null` without a session.
   */
  renew(
    request: Request | SiteRequest,
    proof: { readonly amr: readonly string[] },
  ): Promise<readonly Cookie[] | null>
  /** Returns the state to pass to {@link begin}, if the identity is proved now, but the session begins later. */
  beforeProof(userId: string): Promise<JsonObject>
  /**
   * Begins a session outside of a browser, for a user who proved their identity elsewhere. It is stored, listed and ended
   * like any other session.
   *
   * @returns the cookies that a browser would receive, and the session.
   * @throws if the session is refused, for example because all sessions of the user were ended in the meantime.
   */
  begin(signIn: HeadlessSignIn): Promise<{
    readonly cookies: readonly Cookie[]
    readonly current: CurrentSession
  }>
  /**
   * Begins a session in the requesting browser, for a user who proved their identity to the plugin. Like every sign-in, it
   * calls the `signIn` callback and all gates.
   *
   * @throws {Problem} `forbidden` if the application or another plugin refuses, `invalid_input` for an invalid email address.
   */
  establish(call: Pick<Call, 'request' | 'callbackUrl'>, identity: ProvenIdentity): Promise<Answer>
  /**
   * Sends a mail with the first mail provider of the configuration that has `sendMail`. It waits for at most 10 seconds.
   *
   * @param request determines the address of the site in the mail.
   * @throws {Problem} `mail_unavailable` if the mail could not be sent; the log has the reason.
   */
  mail(mail: Mail, request: SiteRequest): Promise<void>
  /** Returns the cookies that clear the session cookie of the browser. */
  forget(request: SiteRequest): readonly Cookie[]
  /** Calls the event handler of the application. Its errors are logged and have no other effect. */
  tell<Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]): Promise<void>
  /**
   * Returns names and attributes of the built-in cookies, as a template for other cookies.
   *
   * @param secure whether the cookies are limited to https.
   */
  cookies(secure: boolean): CookieSpecs
  /** Returns the session strategy. */
  strategy(): 'jwt' | 'database'
  /**
   * Returns the ids of the OAuth and OpenID Connect providers.
   *
   * @param rotation only providers whose refresh tokens have this rotation.
   */
  providers(rotation?: ProviderTokenRules['rotation']): readonly string[]
  /**
   * Redirects the signed-in user to an OAuth or OpenID Connect provider to connect an account. The response of the provider
   * is valid only for this session and this account, and does not change the time or the methods of its authentication.
   *
   * @param asked `account`: the provider's identifier of the account, if it is already connected; `params`: additional
   *   parameters of the authorization request.
   */
  connect(
    call: Pick<Call, 'request' | 'current' | 'callbackUrl'>,
    provider: string,
    asked: {
      readonly account?: string | undefined
      readonly params?: Readonly<Record<string, string>>
    },
  ): Promise<Answer>
  /** Returns an OAuth or OpenID Connect provider; `undefined` for another id. */
  provider(id: string): Promise<ProviderClient | undefined>
  /** Returns the maximum age in seconds of an unused session or of a sealed token, whichever is longer. */
  longestSession(): number
  /**
   * Counts an attempt by the rules of this name. Without such a rule, or without the plugin `limits`, every attempt is
   * allowed.
   */
  limit(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /** Returns the functions of the plugin `sessions` for the sessions of users; `undefined` without the plugin. */
  sessions(): SessionControl | undefined
  /**
   * Acquires a lease among all processes that share the records. Since clocks differ and processes pause, two processes
   * may hold it at once: use it to save work, and compare versions of records where correctness depends on it.
   *
   * @param milliseconds until the lease expires.
   * @returns `null` while another process holds the lease.
   */
  lease(name: string, milliseconds: number): Promise<Lease | null>
  /**
   * Runs work that the response does not depend on. The promise resolves after 250 ms at the latest. Unfinished work
   * continues, with `waitUntil` of the platform if it is configured. Errors are logged once a minute for each kind.
   */
  background(kind: string, work: () => Promise<unknown>): Promise<void>
  /**
   * Returns the address of the client: with the plugin `limits`, by its option `client`, otherwise from the connection of
   * the server. `undefined` if it is unknown.
   */
  clientAddress(request: Request): Promise<string | undefined>
  /** Returns an object that outlives the plan: one for all plans with the same store, or one for the process. */
  shared<Kept extends object>(make: () => Kept): Kept
  /** Returns the texts of the plugin and of the built-in pages in the preferred language of a request. */
  text<Key extends string = never>(request: Request | SiteRequest): Promise<Texts<Key | TextKey>>
  /** Returns the URL of a route, or of a built-in page. */
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
  /** Calls the `redirect` callback for a URL that came from the request. */
  resolveRedirect(target: string, origin: string): Promise<SafeUrl>
  /** Returns a sealer for values in records of a kind. It uses `secret`, and binds values to the record's key and user. */
  sealer(kind: string): RecordSealer
  /**
   * Continues the sign-in that waits in this browser. It calls all gates again.
   *
   * @param proof the methods with which the user authenticated in the meantime.
   * @throws {Problem} `invalid_code` if no sign-in waits, or another call has already continued it.
   */
  resume(call: Pick<Call, 'request'>, proof?: { readonly amr: readonly string[] }): Promise<Answer>
  /** Returns the HMAC-SHA-256 of the parts, with a key for this purpose. */
  keyedHash(purpose: string, ...parts: readonly string[]): Promise<string>
  /** The same with each configured secret, to find values of older secrets. The first one equals {@link keyedHash}. */
  keyedHashes(purpose: string, ...parts: readonly string[]): Promise<readonly string[]>
  /** Returns a key of 32 bytes for this purpose from each configured secret (HKDF-SHA-256). Use the first for new values. */
  derivedKeys(purpose: string): Promise<readonly Uint8Array[]>
}

export interface RecordSealer {
  /** @param bound `maxAge` in seconds; without it, the value does not expire. */
  seal(data: JsonObject, bound: SealedFor & { maxAge?: number }): Promise<string>
  /** @returns `undefined` if the value belongs to another record, was changed, or has expired. */
  open(text: string, bound: SealedFor): Promise<JsonObject | undefined>
}

interface SealedFor {
  readonly key: string
  readonly userId?: string | undefined
}

/** The HTTP status and the title of each problem code. */
export type ProblemTable = Readonly<
  Record<
    string,
    { readonly status: number } & (
      | { readonly title: string; readonly text?: undefined }
      /** The key of the title among the texts of the plugin. */
      | { readonly text: string; readonly title?: undefined }
    )
  >
>

/** A schema of any library that implements Standard Schema (standardschema.dev, version 1). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Awaitable<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
