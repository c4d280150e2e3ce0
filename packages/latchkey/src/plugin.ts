import type { MaybePromise } from './crypto/crypto.ts'
import type { Cookie } from './http/cookies.ts'
import type { Html } from './http/html.ts'
import type { SafeUrl } from './http/safe-url.ts'
import type { Account, AdapterAccount, ProviderType, TokenSet } from './model/account.ts'
import type { Profile } from './model/profile.ts'
import type { ProofKey } from './model/proof-key.ts'
import type { JsonObject } from './model/record.ts'
import type { Session } from './model/session.ts'
import type { AdapterUser, User } from './model/user.ts'
import type { Awaitable } from './options/awaitable.ts'
import type { CookieName, CookieSpecs } from './options/cookie-policy.ts'
import type { EventHandlers, EventMessages } from './options/events.ts'
import type { PluginOption, PluginTexts } from './options/plugin-option.ts'
import type {
  EndSession,
  Mail,
  OAuthCheck,
  ProviderTokenRules,
} from './options/provider-options.ts'
import type { Logger } from './options/redacting-logger.ts'
import type { Ports } from './ports.ts'
import type { AuthMethod, AuthRequest, SiteRequest } from './request.ts'
import type { EdgeHalf } from './session/at-edge.ts'
import type { EndReason } from './session/end-reason.ts'
import type { SessionFacts } from './session/facts.ts'
import type { SessionServices } from './session/services.ts'
import type {
  CurrentSession,
  Proof,
  SessionHolder,
  SessionRequest,
  SessionStrategy,
  SignInFields,
  WithMaxAge,
} from './session/strategy.ts'
import type { SessionHooks } from './session/watch.ts'
import type { Records } from './store/records.ts'
import type { Store } from './store/store.ts'
import type { TextKey } from './texts/catalogue.ts'
import type { Texts } from './texts/texts.ts'

/**
 * One capability: a name, what it needs, the paths it answers, and what it does when it is set up.
 *
 * @template Own what the modules of its routes are given
 */
export interface Plugin<Name extends string = string, Api extends object = object, Own = unknown>
  extends PluginOption<Name, Api> {
  /**
   * By path below the base path, `terms` or `sessions/list` say, and method. HEAD is answered as GET. A star at the
   * end, as in `hooks/*`, stands for one segment, which is `rest` of the call.
   */
  readonly routes?: Readonly<Record<string, PluginMethods<Own>>> | undefined
  /**
   * It stands between a proof of identity and the session: at `prove` for a further factor, at `require` for
   * what has to be done first. Sign-ins pass all of the first before any of the second, in the order of the
   * list. Needs records.
   */
  readonly gate?: 'prove' | 'require' | undefined
  /** Checkboxes that the sign-in page has for it; what was ticked is in `kept` of the sign-in. */
  readonly signInFields?: readonly SignInField[] | undefined
  /** What its routes may refuse with, beside the codes that every plugin has. */
  readonly problems?: ProblemTable | undefined
  /** Set where `setUp` returns `session.onRead`: whoever reads sessions without the plugin is warned. */
  readonly judgesSessions?: true | undefined
  /** What `latchkey doctor` mentions of the chosen options, by code. */
  readonly notes?: readonly string[] | undefined
  /** What of it works without a store, at the edge: see `splitConfig` and `createVerifier`. */
  atEdge?(ports: Ports): EdgeHalf
  /** Called for each plan: it does no work and keeps nothing. What outlives a plan is in `host.shared`. */
  setUp(host: Host): PluginParts<Api, Own>
}

/** A checkbox of the sign-in page, whose value is `1`. Pages of an application send a field of this name. */
export interface SignInField {
  readonly name: string
  /** In English, or the key of a text of the plugin. */
  readonly label: string
}

/** The routes of one path. */
export type PluginMethods<Own> = Readonly<Partial<Record<AuthMethod, PluginRoute<Own>>>>

/** What a plugin adds to a plan. */
export interface PluginParts<Api extends object = object, Own = unknown> {
  /** What `latchkey.api.<name>` offers. Each function is asynchronous, and is given the request first. */
  readonly api?: Api | undefined
  readonly own?: Own | undefined
  /** Asked when sessions begin, are read, are extended and end. */
  readonly session?: SessionHooks | undefined
  /**
   * Asked at its gate. It judges by what is stored and by `amr`: whoever goes on is asked again.
   *
   * @returns the page to go to first, `host.path('terms')` say; `undefined` to let them pass.
   */
  atGate?(signIn: PendingSignIn, request: SiteRequest): MaybePromise<SafeUrl | undefined>
  /** Asked about built-in actions, before they do their work and when they fail. */
  readonly actions?: ActionHooks | undefined
  /** Where a sign-out leads on its way: the provider, for example. */
  readonly leave?: Leave | undefined
  /** Counts attempts, for all plugins and for built-in actions. The first plugin that has one does it. */
  readonly limiter?: Limiter | undefined
  /** Lists and ends sessions, for all plugins. The first plugin that has one does it. */
  readonly sessionControl?: SessionControl | undefined
  /** Told what the handlers of the application are told, after them. */
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
   * Called when a sign-in with an OAuth or OpenID provider begins.
   *
   * @returns further cookies of it, for another library say.
   */
  onBegin?(signIn: BegunSignIn): Awaitable<readonly Cookie[]>
  /** Has a say in what is stored of accounts of OAuth and OpenID Connect providers. */
  readonly accounts?: AccountHooks | undefined
  /** Keeps the tokens of providers, for `latchkey.getProviderToken`. The first plugin that has one does it. */
  readonly tokenKeeper?: TokenKeeper | undefined
  /** Called before a user is deleted through `latchkey.adapter`: what it returns, `onUserDelete` is given. */
  beforeUserDelete?(userId: string): Awaitable<unknown>
  /** Called after a user was deleted through `latchkey.adapter`. @param before what `beforeUserDelete` returned. */
  onUserDelete?(userId: string, before?: unknown): Awaitable<void>
  /**
   * Cleans up and repairs, in one process at a time; nothing may depend on it for correctness. Called by
   * `latchkey.maintain()`. It asks before each step whether there is time left.
   */
  maintain?(budget: Budget): Awaitable<void>
}

/** Time for maintenance. */
export interface Budget {
  isOver(): boolean
}

/** A name that this process holds. */
export interface Lease {
  /** @param milliseconds from now. @returns whether it is still held. */
  extend(milliseconds: number): Promise<boolean>
  release(): Promise<void>
}

/** The sessions of users, by their public names. */
export interface SessionControl {
  /** Those that go on. */
  list(userId: string): Promise<readonly { readonly sid: string }[]>
  /** @returns whether this call ended it: not one that is over or unknown, or another user's. */
  end(userId: string, sid: string, how: SessionEnding): Promise<boolean>
  /** @param how `except`: the name of one that goes on. @returns how many this call ended. */
  endAll(userId: string, how: SessionEnding & { readonly except?: string }): Promise<number>
}

/** Why a session is ended, and by whom. */
export interface SessionEnding {
  readonly reason: EndReason
  /** The id of the user who does it, if it is another one. */
  readonly by?: string | undefined
}

/** What a plugin does when an account of a provider is stored: at each sign-in with it, and when it is linked. */
export interface AccountHooks {
  /** Returns what is stored in the row; `null` removes a value. Called within a transaction, so it asks no store. */
  row?(account: AdapterAccount): AdapterAccount
  /**
   * When the row is there, before the session is. Throwing refuses the sign-in.
   *
   * @param account what is stored of it, with its tokens.
   * @param answer everything that the provider answered.
   * @param asked the scopes that were asked for, where a plugin connected the account.
   * @param dpop the private key that the tokens are bound to (RFC 9449), for a provider with `dpop`.
   */
  stored?(
    account: AdapterAccount,
    answer: Account,
    asked?: string,
    dpop?: ProofKey,
  ): Awaitable<void>
  /** After an account was unlinked through `latchkey.adapter`. */
  unlinked?(account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Awaitable<void>
}

/** Keeps the tokens of providers. */
export interface TokenKeeper {
  /**
   * @returns a token that works; `null` where only another sign-in helps.
   * @throws when the provider cannot be asked, and the token has come to its end.
   */
  get(
    request: Request | SiteRequest | SessionRequest,
    provider: string,
  ): Promise<ProviderToken | null>
}

/** What an application sends to a provider's API. */
export interface ProviderToken extends Pick<TokenSet, 'scope'> {
  access_token: string
  /** In lower case; `DPoP` for a token that is bound to a key, which is sent with a proof. */
  token_type?: string
  /** Of a token that is bound to a key: the `DPoP` header of one request with it (RFC 9449). */
  proof?: BoundToken['proof']
  /** Seconds since the epoch; `undefined` when the provider did not say. */
  expires_at?: number
}

/** What a provider's token endpoint answers. */
export type TokenAnswer =
  | {
      readonly kind: 'tokens'
      readonly tokens: TokenSet & { access_token: string }
      /** Of a verified ID token that came along. */
      readonly claims: Readonly<Record<string, unknown>> | undefined
    }
  /** The provider will not, whenever it is asked. @property code its error */
  | { readonly kind: 'refused'; readonly code: string; readonly error: Error }
  /** The provider could not be asked, or what it said is no answer. */
  | { readonly kind: 'unavailable'; readonly error: Error }

/** What a plugin has to say about the built-in actions, all but reading the session. */
export interface ActionHooks {
  /**
   * Called before an action does its work.
   *
   * @param provider the one that the action is for, if there is one.
   * @param how `isLink`: the application begins it for a request that only opens an address, without a click on a form.
   * @throws {Problem} to refuse it.
   */
  before?(
    request: AuthRequest,
    provider: AskedProvider | undefined,
    how: { readonly isLink: boolean },
  ): Awaitable<InsteadOfAction | void>
  /** Called when an action failed: a wrong password or code, say. */
  failed?(request: AuthRequest, provider: AskedProvider | undefined): Awaitable<void>
}

/** What happens instead of an action as it was asked for. */
export interface InsteadOfAction {
  /** The visitor is sent there, and the action does not run. */
  readonly to?: SafeUrl | undefined
  /** Parameters of the query, instead of those that were sent: `prompt` for an authorization request, for example. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** What a plugin has to say about a sign-out. */
export interface Leave {
  /** Called for the built-in page that asks before the sign-out. */
  page?(request: SiteRequest): Awaitable<SignOutAddition | undefined>
  /**
   * Called after the session ended, or there was none. What it throws is logged, and the sign-out leads to
   * `callbackUrl`.
   */
  to(signedOut: SignedOut): Awaitable<Leaving | undefined>
}

/** What the built-in sign-out page shows for a plugin. Texts are in the language of the request. */
export interface SignOutAddition {
  /** A checkbox, whose value is `1`. */
  readonly field?: SignInField | undefined
  /** A sentence above the buttons. */
  readonly note?: string | undefined
}

/** A sign-out that was carried out. */
export interface SignedOut {
  readonly request: AuthRequest
  /** The session that ended; `undefined` if there was none. */
  readonly facts: SessionFacts | undefined
  /** Where the visitor wanted to go, judged already. */
  readonly callbackUrl: SafeUrl
}

/** Where a sign-out leads, and further cookies of its answer. Of several plugins the first with an address counts. */
export interface Leaving {
  readonly to?: SafeUrl | undefined
  readonly cookies?: readonly Cookie[] | undefined
}

/** A provider, as far as it matters to others. */
export interface AskedProvider {
  readonly id: string
  readonly type: ProviderType
  /** Of a provider that mails: what the application makes of an address. */
  readonly normalizeIdentifier?: ((identifier: string) => string) | undefined
}

/** Counts attempts. */
export interface Limiter {
  /** Counts one attempt at something that has a name, before the work that it limits. */
  count(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /** From which address a request came; `undefined` if nobody knows. */
  clientAddress?(request: Request): Promise<string | undefined>
}

/** Who attempts something, and at whose expense. */
export interface LimitSubjects {
  readonly request: SiteRequest
  /** What was typed: an address, a user name. */
  readonly identifier?: string | undefined
  readonly userId?: string | undefined
  readonly sid?: string | undefined
}

/** May it be done? */
export type LimitVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
      /** What else programs are told, by lower-case names. */
      readonly headers: Readonly<Record<string, string>>
      /** Further members of the problem. */
      readonly members: JsonObject
    }

/** What answers one path: its methods, what their modules are given, and what they may refuse with. */
export interface PluginPath {
  readonly methods: PluginMethods<never>
  readonly own: unknown
  readonly problems: ProblemTable
  readonly texts: PluginTexts
  /** What stands for the star at the end of its route. */
  readonly rest: string | undefined
}

/** A sign-in with a provider that begins: what its answer is checked with. */
export interface BegunSignIn {
  /** The id of the provider. */
  readonly provider: string
  /** As the provider is configured. */
  readonly checks: readonly OAuthCheck[]
  readonly state: string
  /** Code verifier (RFC 7636). */
  readonly pkce: string | undefined
  readonly nonce: string | undefined
  /**
   * Makes a cookie that comes along when the provider sends the visitor back. It lives as long as the sign-in.
   *
   * @param name by which `cookies` of the configuration knows it.
   * @param claims are sealed, with the name of the cookie as their purpose.
   */
  keep(name: CookieName, claims: JsonObject): Promise<Cookie>
}

/** Somebody who proved who they are, and has no session yet. */
export interface PendingSignIn {
  readonly user: User | AdapterUser
  /** With the tokens of its provider. */
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
  /** How they proved it (RFC 8176). */
  readonly amr: readonly string[]
  /** When they proved it, seconds since the epoch. */
  readonly authTime: number
  /** What has to be the same when the session is issued, by the name of the plugin that said so. */
  readonly before: JsonObject
  /** When that began to be read, milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Fields of plugins that were sent when it began. */
  readonly kept?: SignInFields | undefined
  /** Where they wanted to go, judged already. */
  readonly callbackUrl: SafeUrl
  /** The private key that the tokens are bound to (RFC 9449). */
  readonly dpop?: ProofKey | undefined
}

/** Who may ask: everybody, who is signed in, or who waits at a gate. */
export type Who = 'anyone' | 'user' | 'pending'

/**
 * What calls a route:
 *
 * - `people`: browsers that show a page, and scripts. A refusal is a page or JSON, whichever the request asks for.
 * - `scripts`: code that runs in a page of the site. It never gets a page, only JSON.
 * - `servers`: programs elsewhere, which have no session here. It reads and sets no cookie, asks for no proof of origin, and
 *   never answers with a page. Its `who` is `anyone`.
 * - `protocol`: whoever speaks a standard of others. As for `servers`, but nothing is counted as a POST, the body is unread
 *   (`request.original`) and there is no `input`; it may answer with a page, and a browser is led on.
 */
export type Callers = 'people' | 'scripts' | 'servers' | 'protocol'

/** One method of one path. */
export interface PluginRoute<Own = unknown> {
  /** Everybody else gets 401; the visitor of a page is sent to sign in. */
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
   * Longest body in bytes; a longer one is answered with 413.
   *
   * @default 65536
   */
  readonly bodyLimit?: number | undefined
  /** Loads what does it. */
  readonly run: () => Promise<RunRoute<Own, never>>
}

// The schema decides what the input is.
// oxlint-disable-next-line typescript/no-explicit-any
/** What does the work of a route: `RunRoute<Terms, { code: string }>`, where `input` takes a code. */
export type RunRoute<Own = unknown, Input = NoInput> = (
  call: Call<Input>,
  own: Own,
) => Awaitable<Answer>

/** What a route without `input` is given. */
type NoInput = Readonly<Record<string, never>>

/** A request for a route, which was judged already. */
export interface Call<Input = NoInput> {
  readonly request: SiteRequest
  readonly input: Input
  /** The last segment of the path, where the route ends with a star. */
  readonly rest: string | undefined
  /** Who is signed in, and with which session; a route for `user` always has somebody. */
  readonly current: CurrentSession | null
  /** Who waits at a gate in this browser, on a route for `pending`. */
  readonly pending: PendingSignIn | undefined
  /** The hidden field that each form of a page needs. */
  readonly csrfField: Html
  /** Where the visitor wanted to go, judged by the `redirect` callback; the site itself if they did not say. */
  readonly callbackUrl: SafeUrl
}

/** An answer, as data. A form gets the page or the redirect, a program the JSON. */
export interface Answer {
  readonly json?: JsonObject | undefined
  /** For programs; their type is among the headers. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  readonly page?: AnswerPage | undefined
  /** A page of ours. */
  readonly to?: SafeUrl | undefined
  /** @default 200 */
  readonly status?: number | undefined
  readonly cookies?: readonly Cookie[] | undefined
  /** Further headers, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A page that is laid out as the built-in ones are. */
export interface AnswerPage {
  readonly title: string
  readonly body: Html
  /** Further rules of the style sheet: the plugin's own text, never a visitor's. */
  readonly style?: string
  /** A script: the plugin's own text, never a visitor's. The policy of the page allows it by its hash. */
  readonly script?: string
  /** The only origin to which forms of the page may lead; without it they may lead anywhere. */
  readonly formAction?: string
}

/** Us as a client of an OAuth or OpenID provider, for plugins that talk to it. */
export interface ProviderClient {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  /** As configured, with its places filled in. */
  readonly issuer: string | undefined
  /** As configured. */
  readonly endSession: EndSession | undefined
  /** Members of the provider that fill places such as `{clientId}`. */
  readonly members: Readonly<Record<string, unknown>>
  /** The provider's metadata, read when it is first needed and kept. @throws when it cannot be read. */
  metadata(): Promise<Readonly<Record<string, unknown>>>
  /** Is this the issuer of the provider, or of one of its tenants? Reads no metadata. */
  isIssuer(issuer: string): boolean
  /** May a visitor or a token be sent to this address of the provider? */
  isSecure(url: URL): boolean
  /** Is this algorithm one that the provider may sign ID tokens with, as far as the configuration says? */
  acceptsAlgorithm(algorithm: string): boolean
  /**
   * Verifies that the provider signed a JWT for us, with the keys that sign-ins keep: issuer, audience, algorithm
   * and signature, and nothing else of it.
   *
   * @throws when it did not, or its keys cannot be read.
   */
  verify(jwt: string): Promise<void>
  /** As configured. */
  readonly rules: ProviderTokenRules
  /** What a sign-in asks for. */
  readonly scopes: readonly string[]
  /** Renews tokens (RFC 6749 section 6). @param params further ones, `resource` for example. */
  refresh(tokens: RenewableTokens, params?: Readonly<Record<string, string>>): Promise<TokenAnswer>
  /**
   * Exchanges a token for another one (RFC 8693).
   *
   * @param params all but the grant type and who asks
   * @param key what the token is bound to (RFC 9449).
   */
  exchange(params: Readonly<Record<string, string>>, key?: ProofKey): Promise<TokenAnswer>
  /** Returns how a token is sent that is bound to a key (RFC 9449). */
  bound(key: ProofKey, accessToken: string): BoundToken
  /** Can the provider revoke tokens? */
  canRevoke(): Promise<boolean>
  /** Revokes a token (RFC 7009). @throws when the provider did not say that it did. */
  revoke(token: string, hint: 'access_token' | 'refresh_token'): Promise<void>
}

/** Tokens that are renewed. */
export interface RenewableTokens
  extends Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'> {
  /** What they are bound to (RFC 9449). */
  readonly dpop?: ProofKey | undefined
}

/** How an access token is sent that is bound to a key (RFC 9449). */
export interface BoundToken {
  /**
   * Makes a proof for one request with the token: the value of its `DPoP` header, beside `Authorization: DPoP <token>`.
   *
   * @param method of HTTP. @param url of the request; query and fragment are left out.
   */
  proof(method: string, url: string | URL): Promise<string>
  /** The same `fetch`, which sends this token as a bound one where a request has it as a bearer token. */
  fetch(send: typeof fetch): typeof fetch
}

/** Who gets a session outside of a browser, and how they proved who they are. */
export interface HeadlessSignIn extends Pick<Proof, 'amr' | 'authTime' | 'before'> {
  readonly user: User | AdapterUser
  readonly holder: SessionHolder
  /** Of the program. */
  readonly request: SiteRequest
}

/** Who somebody is, and how they proved it to a plugin. */
export type ProvenIdentity = ProvenUser | ProvenMailbox

/** A user of the store; with sealed sessions and without an adapter, whom the application knows by that id. */
export interface ProvenUser {
  readonly user: User & { readonly id: string }
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** What {@link Host.beforeProof} gave before the proof was read. */
  readonly before: JsonObject
}

/** Whoever has this address, who is created if nobody has it. */
export interface ProvenMailbox {
  /** As it was typed: it is normalized as that of a sign-in by mail. */
  readonly address: string
  /** RFC 8176. */
  readonly amr: readonly string[]
}

/** What a plugin is given. */
export interface Host {
  readonly ports: Ports
  /** Below which all paths are: `/auth`, with no slash at its end. */
  readonly basePath: string
  readonly logger: Logger
  /** Small objects in the store of records. */
  readonly records: Records
  /** Is there a store of records, for a plugin that does without where there is none? */
  readonly hasRecords: boolean
  /** The store of users as the core has it; none without an adapter. */
  readonly store: Store | undefined
  /** The session of this request, which is not extended, and whose it is; `null` for nobody. */
  current(request: Request | SiteRequest | SessionRequest): Promise<CurrentSession | null>
  /** What the browser is told of its session, which is not extended. @throws when it cannot be read. */
  session(request: Request | SiteRequest): Promise<Session | null>
  /**
   * Gives the session of a request another token and name, after a further proof.
   *
   * @returns the cookies that the answer has to set; `null` when nobody is signed in.
   */
  renew(
    request: Request | SiteRequest,
    proof: { readonly amr: readonly string[] },
  ): Promise<readonly Cookie[] | null>
  /**
   * What has to be the same when a session begins that is proved now, and is begun later with {@link begin}.
   */
  beforeProof(userId: string): Promise<JsonObject>
  /**
   * Begins a session that is in no browser, for somebody who proved elsewhere who they are. It is kept, listed and ended as
   * any other.
   *
   * @returns the cookies that a browser would have, and the session.
   * @throws when it is refused: since all sessions of the user ended meanwhile, for example.
   */
  begin(signIn: HeadlessSignIn): Promise<{
    readonly cookies: readonly Cookie[]
    readonly current: CurrentSession
  }>
  /**
   * Begins a session in the browser that asked, for somebody who proved to the plugin who they are. It goes through the
   * `signIn` callback and every gate, like any other sign-in.
   *
   * @throws {Problem} `forbidden` when the application or another plugin refuses, `invalid_input` for an address that is none.
   */
  establish(call: Pick<Call, 'request' | 'callbackUrl'>, identity: ProvenIdentity): Promise<Answer>
  /**
   * Sends a mail with the first mail provider of the configuration that can. It is waited for, 10 seconds at most.
   *
   * @param request says the address of the site that sends it.
   * @throws {Problem} `mail_unavailable` when it could not be sent; why is logged.
   */
  mail(mail: Mail, request: SiteRequest): Promise<void>
  /** Makes the browser of a request forget its session. */
  forget(request: SiteRequest): readonly Cookie[]
  /** Tells a handler of the application; an error of it is logged and changes nothing. */
  tell<Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]): Promise<void>
  /** Names and attributes of built-in cookies, to make others alike. @param secure whether they are kept to https */
  cookies(secure: boolean): CookieSpecs
  /** How sessions are kept. */
  strategy(): 'jwt' | 'database'
  /** The ids of the OAuth and OpenID Connect providers; only of those whose refresh tokens do this when they are used. */
  providers(rotation?: ProviderTokenRules['rotation']): readonly string[]
  /**
   * Sends who is signed in to an OAuth or OpenID Connect provider, for an account of theirs. What comes back counts for this
   * session alone, and for this account, and the session stays as fresh and as strong as it was.
   *
   * @param asked `account`: the provider's identifier of it, if they have it already; `params` of the request.
   */
  connect(
    call: Pick<Call, 'request' | 'current' | 'callbackUrl'>,
    provider: string,
    asked: {
      readonly account?: string | undefined
      readonly params?: Readonly<Record<string, string>>
    },
  ): Promise<Answer>
  /** A provider of OAuth or OpenID Connect; `undefined` for what is none. */
  provider(id: string): Promise<ProviderClient | undefined>
  /** Seconds for which a session goes on that nobody uses, or a sealed token is accepted: the longer of the two. */
  longestSession(): number
  /**
   * Counts an attempt, by the rules that have this name; what has none is allowed, and so is everything without the
   * plugin `limits`.
   */
  limit(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /** The sessions of users, as the plugin `sessions` keeps them; `undefined` without it. */
  sessions(): SessionControl | undefined
  /**
   * Holds a name among all processes that share the records. Clocks differ and processes pause: what depends on it for
   * more than saving work compares versions of records as well.
   *
   * @param milliseconds after which it is anybody's again.
   * @returns `null` while somebody else holds it.
   */
  lease(name: string, milliseconds: number): Promise<Lease | null>
  /**
   * Does what an answer does not depend on. The promise is kept after 250 ms at the latest; what is left goes on, with the
   * platform's help where `waitUntil` is configured. What fails is logged once a minute and kind.
   */
  background(kind: string, work: () => Promise<unknown>): Promise<void>
  /**
   * From which address a request came: as the plugin `limits` is told by its option `client`, and without that plugin as
   * the server's connection says. `undefined` if nobody knows.
   */
  clientAddress(request: Request): Promise<string | undefined>
  /** What outlives a plan: one for all plans that share a store, else one for the process. */
  shared<Kept extends object>(make: () => Kept): Kept
  /** The texts of the plugin, and those of built-in pages, in the language that a request prefers. */
  text<Key extends string = never>(request: Request | SiteRequest): Promise<Texts<Key | TextKey>>
  /** The address of a route, or of one of our own pages. */
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
  /** Asks the application where a target that a visitor had a say in may lead. */
  resolveRedirect(target: string, origin: string): Promise<SafeUrl>
  /** Seals values in records of a kind, bound to the record's key and user, with `secret`. */
  sealer(kind: string): RecordSealer
  /**
   * Goes on with the sign-in that waits in this browser. All gates are asked again.
   *
   * @param proof what was proved meanwhile.
   * @throws {Problem} `invalid_code` when none waits, or another call was faster.
   */
  resume(call: Pick<Call, 'request'>, proof?: { readonly amr: readonly string[] }): Promise<Answer>
  /** HMAC-SHA-256 with a key for this purpose: the parts can be compared, and not read. */
  keyedHash(purpose: string, ...parts: readonly string[]): Promise<string>
  /** The same with each configured secret, for what may have been stored under an older one. The first is {@link keyedHash}. */
  keyedHashes(purpose: string, ...parts: readonly string[]): Promise<readonly string[]>
  /** 32 bytes for this purpose from each configured secret (HKDF-SHA-256); the first are for what is new. */
  derivedKeys(purpose: string): Promise<readonly Uint8Array[]>
}

export interface RecordSealer {
  /** @param bound `maxAge` in seconds; without it the value has no end. */
  seal(data: JsonObject, bound: SealedFor & { maxAge?: number }): Promise<string>
  /** @returns `undefined` when it is another record's, was changed, or has come to its end. */
  open(text: string, bound: SealedFor): Promise<JsonObject | undefined>
}

interface SealedFor {
  readonly key: string
  readonly userId?: string | undefined
}

/** Codes of refusals: their status, and what people read. */
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
