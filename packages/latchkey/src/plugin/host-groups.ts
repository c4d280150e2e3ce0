import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { JsonObject } from '../model/record.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { CookieSpecs } from '../options/cookie-policy.ts'
import type { Theme } from '../options/pages.ts'
import type { ProviderTokenRules } from '../options/provider-options.ts'
import type {
  BegunSession,
  CurrentSession,
  Proof,
  SessionHolder,
  SessionRequest,
} from '../session/strategy.ts'
import type { ProviderClient } from './provider-client.ts'
import type { SessionControl } from './provides.ts'
import type { Answer, Call } from './route.ts'

/** The site: its paths, pages and visitors. */
export interface HostSite {
  /** The base path of all actions, for example `/auth`, without a slash at its end. */
  readonly basePath: string
  /** The look of pages and mails. */
  readonly theme: Theme
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
   * @param proof the methods with which the user authenticated in the meantime.
   * @throws {Problem} `invalid_code` if no sign-in waits, or another call has already continued it.
   */
  resume(call: Pick<Call, 'request'>, proof?: { readonly amr: readonly string[] }): Promise<Answer>
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

/** The OAuth and OpenID Connect providers of the configuration. */
export interface HostProviders {
  /**
   * Returns the ids of the OAuth and OpenID Connect providers.
   *
   * @param rotation only providers whose refresh tokens have this rotation.
   */
  ids(rotation?: ProviderTokenRules['rotation']): readonly string[]
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
   * continues, with `waitUntil` of the platform if it is configured. Errors are logged once a minute for each kind.
   */
  background(kind: string, work: () => Promise<unknown>): Promise<void>
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
}

interface SealedFor {
  readonly key: string
  readonly userId?: string | undefined
}
