import type { Cookie, CookieJar } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import type { Account } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { Profile } from '../model/profile.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, IdentifiedUser, User } from '../model/user.ts'
import type { EventMessages } from '../options/events.ts'
import type { MethodTimes, SessionFacts } from './facts.ts'

/** The part of a request that a session is read from. */
export interface SessionRequest {
  readonly cookies: CookieJar
  readonly secure: boolean
  /** All headers; {@link SiteRequest} has them in `original`. */
  readonly headers?: Headers | undefined
  /** The request itself, if there is one and not only headers. */
  readonly original?: Request | undefined
}

/** A user who signed in, with the account. */
export interface SignedIn {
  readonly user: IdentifiedUser | AdapterUser
  readonly account: Account
  readonly profile?: Profile
  /** Whether this sign-in created the user. Missing without an adapter. */
  readonly isNewUser?: boolean
}

/** Values of a sign-in form by name. */
export type SignInFields = Readonly<Record<string, string>>

/** The proof of identity of a sign-in. */
export interface Proof extends SignedIn {
  readonly request: SiteRequest
  /** Authentication methods (RFC 8176), with `fed` for a provider and `email` for a mail. */
  readonly amr: readonly string[]
  /** The time of the proof, seconds since the epoch. */
  readonly authTime: number
  /**
   * The time of the last proof with a second factor, seconds since the epoch. @default `authTime`, if one of `amr` is a second
   * factor
   */
  readonly secondTime?: number | undefined
  /** The times of methods that were proved earlier, seconds since the epoch. */
  readonly methodTimes?: MethodTimes | undefined
  /** Values that must not have changed since the proof began, by the name of the plugin. */
  readonly before: JsonObject
  /**
   * When Latchkey began to read the proof, milliseconds since the epoch. Used if `before` has no values, because the
   * user was not known yet.
   */
  readonly since: number
  /** Fields of plugins from the start of the sign-in. */
  readonly kept: SignInFields
  /** The private key that the tokens of the account are bound to (RFC 9449). */
  readonly dpop?: ProofKey | undefined
  /** The earlier session of the browser, which ends when the new one has begun. */
  readonly replaces?: SessionFacts | undefined
  /** The program that has the session instead of a browser. */
  readonly holder?: SessionHolder | undefined
}

/** A program that has a session. */
export interface SessionHolder {
  /** The kind of sign-in. */
  readonly via: 'native' | 'device'
  /** The name that the user sees. */
  readonly name: string
  /** Seconds after which the session ends if it is not used. Replaces `session.maxAge`. */
  readonly maxAge?: number | undefined
  /** Seconds after which the session ends even if it is used. Replaces the configured value. */
  readonly absoluteMaxAge?: number | undefined
}

/** The methods of a session after a further proof of its user, and the time of this proof. */
export interface Renewal extends Pick<Proof, 'amr' | 'authTime' | 'secondTime' | 'methodTimes'> {
  /** The user as a sealed session describes them from now on. @default as before */
  readonly described?: Pick<User, 'name' | 'email' | 'image'> | undefined
}

/** A further proof of a signed-in user. */
export interface FurtherProof extends Pick<Renewal, 'amr' | 'authTime' | 'described'> {
  /** The methods that were proved now. @default `amr` */
  readonly proved?: readonly string[] | undefined
}

/** The result of reading a session. */
export interface SessionReading {
  /** The session that the browser receives; `null` if there is none. */
  readonly session: Session | null
  /** Cookies that extend or clear the session; empty if nothing is due. */
  readonly cookies: readonly Cookie[]
  /** Whether a failure, for example of the store, prevented the read. The session then continues. */
  readonly failed?: boolean
  /** Whether the session has expired. For a sealed session `undefined`, or `false` if a plugin ended it. */
  readonly expired?: boolean | undefined
}

/** Options of a read. */
export interface ReadingOptions {
  /** The data that the client sent to update the session. */
  readonly update?: { readonly data: unknown }
  /** Whether no cookie can be set. The session is then not extended. */
  readonly readOnly?: boolean
}

/** The current session and its user. */
export interface CurrentSession {
  readonly facts: SessionFacts
  /** The stored user, or the user of the token. */
  readonly user: User | AdapterUser
  /** The kind of program that has the session instead of a browser. */
  readonly holder?: SessionHolder['via'] | undefined
}

/** A session of a program, before there is a request with it. */
export interface BegunSession {
  /** The value for the carrier of the program. */
  readonly value: string
  /** The cookies that a browser would receive. */
  readonly cookies: readonly Cookie[]
  readonly current: CurrentSession
}

/** The result of a sign-out. */
export interface RevokedSession {
  readonly cookies: readonly Cookie[]
  /** The message of the `signOut` event; `undefined` if there was no session. */
  readonly ended: EventMessages['signOut'] | undefined
  /** The session that ended, for plugins with hooks. */
  readonly facts?: SessionFacts | undefined
}
