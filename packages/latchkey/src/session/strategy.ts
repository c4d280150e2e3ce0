import type { Cookie, CookieJar } from '../http/cookies.ts'
import type { Account } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { Profile } from '../model/profile.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { EventMessages } from '../options/events.ts'
import type { SiteRequest } from '../request.ts'
import type { SessionFacts } from './facts.ts'

/** The part of a request that a session is read from. */
export interface SessionRequest {
  readonly cookies: CookieJar
  readonly secure: boolean
  /** All headers, for what is put around how sessions are kept; {@link SiteRequest} has them in `original`. */
  readonly headers?: Headers | undefined
  /** The request itself, if there is more than headers. */
  readonly original?: Request | undefined
  /** What holds the session, where that is no cookie of a browser. */
  readonly holder?: SessionHolder | undefined
}

/** Who signed in, and how. */
export interface SignedIn {
  readonly user: User | AdapterUser
  readonly account: Account
  readonly profile?: Profile
  /** Was the user created just now? Not there where nothing is stored. */
  readonly isNewUser?: boolean
}

/** Values of a sign-in form, by their names. */
export type SignInFields = Readonly<Record<string, string>>

/** How they proved who they are. */
export interface Proof extends SignedIn {
  readonly request: SiteRequest
  /** RFC 8176, and `fed` for a provider, `email` for a mail. */
  readonly amr: readonly string[]
  /** When they proved it, seconds since the epoch. */
  readonly authTime: number
  /** What had to be the same until now, by the name of the plugin that said so. */
  readonly before: JsonObject
  /**
   * When what they proved it with began to be read, milliseconds since the epoch: for whom `before` says nothing,
   * since nobody knew yet who it was.
   */
  readonly since: number
  /** Fields of plugins that were sent when it began. */
  readonly kept: SignInFields
  /** The private key that the tokens of the account are bound to (RFC 9449). */
  readonly dpop?: ProofKey | undefined
  /** The session that the browser had, which ends when the new one is there. */
  readonly replaces?: SessionFacts | undefined
  /** What holds the session, where that is no cookie of a browser. */
  readonly holder?: SessionHolder | undefined
}

/** A program that has a session. */
export interface SessionHolder {
  /** How it came to it. */
  readonly via: 'native' | 'device'
  /** As its user reads it. */
  readonly name: string
  /** Seconds after which the session ends however much it is used, instead of what is configured for all. */
  readonly absoluteMaxAge?: number | undefined
}

/** The same way of keeping sessions, which end after so many seconds without being used. */
export type WithMaxAge = (maxAge: number) => SessionStrategy

/** How and when somebody who is signed in proved again who they are. */
export type Renewal = Pick<Proof, 'amr' | 'authTime'>

/** What reading a session gives. */
export interface SessionReading {
  /** What the browser is told; `null` when nobody is signed in. */
  readonly session: Session | null
  /** Extends or clears the session; nothing to set when nothing is due. */
  readonly cookies: readonly Cookie[]
  /** Could the session not be read because something else failed? Then it is not ended. */
  readonly failed?: boolean
  /** Is the session over by its time, and not for another reason? Sealed ones do not say, but where they were ended. */
  readonly expired?: boolean
}

/** How a session is read. */
export interface ReadingOptions {
  /** What the client sent to update the session. */
  readonly update?: { readonly data: unknown }
  /** Where no cookie can be set: nothing is extended, and nothing is lost. */
  readonly readOnly?: boolean
}

/** Who is signed in, and with which session. */
export interface CurrentSession {
  readonly facts: SessionFacts
  /** As stored; else as the token describes them. */
  readonly user: User | AdapterUser
}

/** How sessions are kept. */
export interface SessionStrategy {
  readonly name: 'jwt' | 'database'
  /** Begins a session and ends the one that this browser had. */
  issue(signedIn: SignedIn, request: SessionRequest, proof: Proof): Promise<readonly Cookie[]>
  /** Reads the session, and extends it when that is due. */
  read(request: SessionRequest, how?: ReadingOptions): Promise<SessionReading>
  /** The session, which is not extended; `null` when nobody is signed in. @throws when it cannot be found out. */
  current(request: SessionRequest): Promise<CurrentSession | null>
  /** The stored user who is signed in; `null` when nobody is, or the session has expired. */
  currentUser(request: SessionRequest): Promise<AdapterUser | null>
  /** Ends the session. @returns what the `signOut` event says; `undefined` when there was none. */
  revoke(request: SessionRequest): Promise<{
    readonly cookies: readonly Cookie[]
    readonly ended: EventMessages['signOut'] | undefined
    /** What plugins know of the session that ended, if any has hooks. */
    readonly facts?: SessionFacts | undefined
  }>
  /**
   * Gives the session another token and name, after a further proof.
   *
   * @returns `null` when nobody is signed in, and without hooks of plugins.
   */
  renew(request: SessionRequest, proof: Renewal): Promise<readonly Cookie[] | null>
  /** Makes the browser forget its session, without asking whether there is one. */
  forget(request: SessionRequest): readonly Cookie[]
  /**
   * Returns whether the request says whose it is with a header that no browser adds by itself: then it need not prove that
   * a page of ours sent it.
   */
  isCarried?(request: SessionRequest): boolean
}
