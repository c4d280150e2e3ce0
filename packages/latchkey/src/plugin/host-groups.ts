import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { AdapterAccount, ProviderType } from '../model/account.ts'
import type { AdapterAuthenticator } from '../model/authenticator.ts'
import type { JsonObject } from '../model/record.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { CookieSpecs } from '../options/cookie-policy.ts'
import type { MailTemplates } from '../options/mail/mail-options.ts'
import type { Theme } from '../options/pages.ts'
import type { ProviderTokenRules } from '../options/provider-options.ts'
import type { StepUp } from '../session/proof/step-up.ts'
import type {
  BegunSession,
  CurrentSession,
  Proof,
  SessionHolder,
  SessionRequest,
} from '../session/strategy.ts'
import type { SignInWay } from './hooks.ts'
import type { HostPasskeys } from './passkeys.ts'
import type { ProviderClient } from './provider-client.ts'
import type { SessionControl } from './provides.ts'
import type { Answer, Call } from './route.ts'

/** The site: its paths, pages and visitors. */
export interface HostSite {
  /** The base path of all actions, for example `/auth`, without a slash at its end. */
  readonly basePath: string
  /** The origin of the site if `AUTH_URL` has it, for work without a request. */
  readonly origin?: string | undefined
  /** The look of pages and mails. */
  readonly theme: Theme
  /** Functions of the application that write mails, by kind. `sendMail` of `latchkey/plugin/accounts` calls them. */
  readonly mailTemplates?: MailTemplates | undefined
  /** Returns the URL of a route, or of a built-in page. */
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
  /** Calls the `redirect` callback for a URL that came from the request. */
  resolveRedirect(target: string, origin: string): Promise<SafeUrl>
  /** Returns the texts of the plugin and of the built-in pages in the preferred language of a request. */
  text<Key extends string = never>(request: Request | SiteRequest): Promise<Texts<Key | TextKey>>
  /**
   * Returns names and attributes of the built-in cookies, as a template for other cookies.
   *
   * @param secure whether the cookies are limited to https.
   */
  cookies(secure: boolean): CookieSpecs
  /**
   * Returns the address of the client: with the plugin `limits`, by its option `client`, otherwise from the connection of
   * the server. `undefined` if it is unknown.
   */
  clientAddress(request: Request): Promise<string | undefined>
  /**
   * Returns the URL of the page with the mails, if they are kept in development instead of being sent, and the visitor may
   * read them. A page that says that a mail was sent has a link to it.
   */
  mailbox(request: SiteRequest): SafeUrl | undefined
}

/** Sessions of browsers and programs. */
export interface HostSessions {
  /** Returns the session and the user of a request, or `null` without a session. It does not extend the session. */
  current(request: Request | SiteRequest | SessionRequest): Promise<CurrentSession | null>
  /** Returns the session as the browser sees it. It does not extend the session. @throws if the session cannot be read. */
  read(request: Request | SiteRequest): Promise<Session | null>
  /**
   * Checks that a person proved their identity in this session a short time ago. The session of a program never passes.
   *
   * @param needed seconds since the last proof, or also how strong it must be. Without a number of factors, as many as the
   *   account has.
   * @param callbackUrl the page after the user signed in again.
   * @throws {Problem} `reauthentication_required`, which redirects people to the page that asks for a proof: the sign-in page,
   *   if the user has no way of a plugin with `proofs`.
   */
  needFresh(
    session: Pick<CurrentSession, 'facts' | 'holder'> | null,
    needed: number | StepUp,
    callbackUrl: SafeUrl,
  ): Promise<void>
  /**
   * Gives the session of a request a new token and id, after the user proved their identity again.
   *
   * @param proof `amr`: the methods of the session from now on. `proved`: those that were proved now, if there are others:
   *   without a second factor among them, the time of the last proof with one stays.
   * @returns the cookies that the response must set; `null` without a session.
   */
  renew(
    request: Request | SiteRequest,
    proof: { readonly amr: readonly string[]; readonly proved?: readonly string[] | undefined },
  ): Promise<readonly Cookie[] | null>
  /**
   * Gives the session of a request a new token and id after its user was changed. A sealed session has the new name,
   * address and picture. When and how the user proved their identity stays.
   *
   * @returns the cookies that the response must set; `null` without a session.
   */
  describe(
    request: Request | SiteRequest,
    user: Pick<User, 'name' | 'email' | 'image'>,
  ): Promise<readonly Cookie[] | null>
  /**
   * Begins a session in the requesting browser, for a user who proved their identity to the plugin. Like every sign-in, it
   * calls the `signIn` callback and all gates.
   *
   * @throws {Problem} `forbidden` if the application or another plugin refuses, `invalid_input` for an invalid email address.
   */
  establish(call: Pick<Call, 'request' | 'callbackUrl'>, identity: ProvenIdentity): Promise<Answer>
  /**
   * Continues the sign-in that waits in this browser. It calls all gates again.
   *
   * @param proof `amr`: the methods with which the user authenticated in the meantime; `browser`: what to store with the
   *   browser when the session begins.
   * @throws {Problem} `invalid_code` if no sign-in waits, or another call has already continued it.
   */
  resume(call: Pick<Call, 'request'>, proof?: GateProof): Promise<Answer>
  /** Returns the state to pass to {@link HostSessions.begin}, if the identity is proved now, but the session begins later. */
  beforeProof(userId: string): Promise<JsonObject>
  /**
   * Begins a session outside of a browser, for a user who proved their identity elsewhere. It is stored, listed and ended
   * like any other session.
   *
   * @returns the value that a carrier of the plugin must find in later requests, the cookies that a browser would receive,
   *   and the session.
   * @throws if the session is refused, for example because all sessions of the user were ended in the meantime.
   */
  begin(signIn: HeadlessSignIn): Promise<BegunSession>
  /** Returns the cookies that clear the session cookie of the browser. */
  forget(request: SiteRequest): readonly Cookie[]
  /** Returns the session strategy. */
  strategy(): 'jwt' | 'database'
  /** Returns the maximum age in seconds of an unused session or of a sealed token, whichever is longer. */
  longest(): number
  /** Returns the functions of the plugin `sessions` for the sessions of users; `undefined` without the plugin. */
  control(): SessionControl | undefined
}

/** What happened at a gate. */
export interface GateProof {
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** See `browser` of a pending sign-in. */
  readonly browser?: JsonObject | undefined
}

/** The OAuth and OpenID Connect providers of the configuration. */
export interface HostProviders {
  /**
   * Returns the ids of the OAuth and OpenID Connect providers.
   *
   * @param rotation only providers whose refresh tokens have this rotation.
   */
  ids(rotation?: ProviderTokenRules['rotation']): readonly string[]
  /** Returns the passkeys and security keys of users; `undefined` without a provider for them that has a form. */
  passkeys(): Promise<HostPasskeys | undefined>
  /** Returns an OAuth or OpenID Connect provider; `undefined` for another id. */
  client(id: string): Promise<ProviderClient | undefined>
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
  /**
   * Returns an email address in the form in which it is stored and receives mails: by `normalizeIdentifier` of the first mail
   * provider. What is mailed to another form proves nothing about the user of the address.
   *
   * @returns `undefined` for a text that is no address, or that `normalizeIdentifier` refuses.
   */
  addressOf(typed: string): Promise<string | undefined>
  /** Returns the ways to sign in that the configuration has. */
  waysIn(): ConfiguredWays
  /** Returns what adds passkeys to users, with the first passkey provider; `undefined` without one. */
  newPasskeys(): NewPasskeys | undefined
}

/** The ways to sign in that a configuration has. */
export interface ConfiguredWays {
  /** The types of all providers, by id, without those with which users can no longer sign in. */
  readonly providers: ReadonlyMap<string, ProviderType>
  /** The forms of plugins, with the names of the plugins. */
  readonly forms: readonly (SignInWay & { readonly plugin: string })[]
}

/** Adds passkeys to signed-in users. */
export interface NewPasskeys {
  /** The id of the provider, which accounts of passkeys have. Those of keys that are only second factors have another one. */
  readonly provider: string
  /**
   * Returns the options with which the browser creates a passkey for a user, and the cookie that keeps the challenge.
   *
   * @param how `isSecond`: a key that is only a second factor, and with which nobody signs in. It need not verify its user.
   */
  options(
    request: SiteRequest,
    user: AdapterUser,
    how?: { readonly isSecond?: boolean },
  ): Promise<{ readonly options: JsonObject; readonly cookies: readonly Cookie[] }>
  /**
   * Checks the response of the browser and stores the passkey. The challenge works once.
   *
   * @param data the response of the browser, as JSON.
   * @param how `isConditional`: the browser made it without asking (`mediation: 'conditional'`), so that nobody was present or
   *   verified. Only for a user who proved their identity a short time ago.
   * @throws {Problem} `invalid_code` if the response is wrong or belongs to another user, `conflict` if the passkey exists.
   */
  register(
    request: SiteRequest,
    user: AdapterUser,
    data: string,
    how?: { readonly isConditional?: boolean },
  ): Promise<{
    readonly passkey: AdapterAuthenticator
    /** The provider in the account of the key. */
    readonly provider: string
    /** The model of the authenticator, as it says itself. */
    readonly aaguid?: string
    readonly cookies: readonly Cookie[]
  }>
  /** Returns the value for `signalAllAcceptedCredentials` and similar functions of browsers. */
  relyingParty(
    request: SiteRequest,
    user: Pick<AdapterUser, 'id'>,
  ): Promise<{ readonly rpId: string; readonly userId: string }>
}

/** Changes of users and accounts that other plugins have to know of. */
export interface HostUsers {
  /**
   * Deletes a user with everything that belongs to the user. The event `deleteUser` comes first.
   *
   * @param how `reason` for the event; `isLastTry`: whether errors of its handlers are only logged.
   * @throws the error of a handler of the event; the user is then unchanged.
   */
  delete(
    userId: string,
    how: { readonly reason: string; readonly isLastTry?: boolean },
  ): Promise<void>
  /**
   * Checks that a user may add something to the account that stays there, as `proved` of a route does. It always passes on a
   * site that lets nobody in before the address is proved.
   *
   * @throws {Problem} `address_unproved`, which redirects people to the page that asks for the proof.
   */
  needProved(userId: string): Promise<void>
  /** Unlinks an account. That of a passkey is deleted with its key. */
  unlink(account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Promise<void>
}

/** Keys that are derived from `secret`, each for one purpose. */
export interface HostKeys {
  /** Returns a sealer for values in records of a kind. It uses `secret`, and binds values to the record's key and user. */
  sealer(kind: string): RecordSealer
  /** Returns the HMAC-SHA-256 of the parts, with a key for this purpose. */
  hash(purpose: string, ...parts: readonly string[]): Promise<string>
  /** The same with each configured secret, to find values of older secrets. The first one equals {@link HostKeys.hash}. */
  hashes(purpose: string, ...parts: readonly string[]): Promise<readonly string[]>
  /** Returns a key of 32 bytes for this purpose from each configured secret (HKDF-SHA-256). Use the first for new values. */
  derive(purpose: string): Promise<readonly Uint8Array[]>
  /** Returns the kinds of records with values that do not expire, and that no configured secret opens. */
  missing(): Promise<readonly string[]>
}

/** Work outside of a request, and beside other processes. */
export interface HostWork {
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
   * continues, with `waitUntil` of the platform if it is configured. Errors are logged once a minute for each kind. Work whose
   * mail cannot be sent is done again after 1 and 10 seconds.
   */
  background(kind: string, work: () => Promise<unknown>): Promise<void>
  /**
   * Runs work that the time of the response must not show, for example a mail that only known addresses get. It begins after
   * the promise resolved. At the edge, `waitUntil` of the platform must be configured. Errors are logged like those above.
   */
  afterResponse(kind: string, work: () => Promise<unknown>): Promise<void>
  /** Whether the platform continues work after the response: `waitUntil` is configured. */
  readonly continues: boolean
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
  /** The result of {@link HostSessions.beforeProof} from before the proof was read. */
  readonly before: JsonObject
  /** The id of the way in for callbacks and events. @default the name of the plugin */
  readonly provider?: string | undefined
  /** Whether the plugin created the user just now. */
  readonly isNewUser?: boolean | undefined
}

/** The user with this address, who is created if necessary. */
export interface ProvenMailbox {
  /** The address as entered; it is normalized like that of a sign-in by mail. */
  readonly address: string
  /** RFC 8176. */
  readonly amr: readonly string[]
}

export interface RecordSealer {
  /** @param bound `maxAge` in seconds; without it, the value does not expire. */
  seal(data: JsonObject, bound: SealedFor & { maxAge?: number }): Promise<string>
  /** @returns `undefined` if the value belongs to another record, was changed, or has expired. */
  open(text: string, bound: SealedFor): Promise<JsonObject | undefined>
  /** Returns whether the first secret sealed a value. */
  isCurrent(text: string): Promise<boolean>
}

interface SealedFor {
  readonly key: string
  readonly userId?: string | undefined
}
