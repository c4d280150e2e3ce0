import type { JsonObject } from '../model/json.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { EventMessages } from '../options/events.ts'
import type { Carried, CarriedValue } from './carrier.ts'
import type { SessionFacts } from './facts.ts'
import type {
  Proof,
  ReadingOptions,
  Renewal,
  RevokedSession,
  SessionRequest,
  SignedIn,
} from './strategy.ts'

/** The value of a session that was written, for its carrier. */
export interface Stored extends CarriedValue {
  /** The end of the session, milliseconds since the epoch. */
  readonly end: number
}

/** A session that is ready to begin. */
export interface Draft {
  /** Missing without hooks. */
  readonly facts: SessionFacts | undefined
  /** Stores the row, or seals the token with these claims. */
  store(claims: JsonObject): Promise<Stored>
  readonly takeBack?: () => Promise<unknown>
}

/** The session that a new one replaces. */
export interface Former {
  readonly facts: SessionFacts | undefined
  end(): Promise<unknown>
}

/** The circumstances of a read. */
export interface KeptHow extends ReadingOptions {
  readonly request: SessionRequest
  /** Whether the response sets the cookies of hooks. The session of a program has none. */
  readonly setsCookies: boolean
}

/** A session and its user. */
export interface KeptUser {
  readonly facts: SessionFacts
  /** The stored user, if there is one. */
  readonly stored: AdapterUser | null
  /** The stored user, or the user that the token describes. */
  readonly user: User | AdapterUser
  /** A number that is higher for a newer session. */
  readonly since: number
  /** Prepares another token and name for the session. Needs hooks. */
  renewed(proof: Renewal): Promise<Draft>
  /** Removes the session after it has another token. */
  remove?(): Promise<unknown>
}

/** The result of reading a valid session. */
export interface KeptSession {
  /** `undefined` of a callback without a return value is not JSON. */
  readonly session: Session | null | undefined
  readonly facts: SessionFacts | undefined
  /** The value that was written, if it was due. */
  readonly stored: Stored | undefined
  /** The content before {@link SessionHooks.adopt}, if that changed it. */
  readonly before?: JWT | undefined
  /** The message of the event `session`. */
  readonly message: EventMessages['session']
}

/** The result of reading a session that has ended. */
export interface KeptEnd {
  /** See {@link SessionReading.expired}. */
  readonly expired: boolean | undefined
  /** Whether the browser has a new session, or will get one. */
  readonly isReplaced?: boolean
}

/** How sessions are kept: sealed in their value, or stored under it. It knows nothing of cookies. */
export interface Keeping {
  readonly name: 'jwt' | 'database'
  /** Prepares a session; `null` if the application refused it. */
  draft(signedIn: SignedIn, proof: Proof, secure: boolean): Promise<Draft | null>
  /** Returns the session that a new one replaces, if it can be read. */
  former(carried: Carried): Promise<Former | undefined>
  /**
   * Reads a session, and extends it if that is due.
   *
   * @returns `null` if the value of another library is not known, and stays where it is.
   * @throws if the session could not be read, and continues.
   */
  read(carried: Carried, how: KeptHow): Promise<KeptSession | KeptEnd | null>
  /** Returns a session and its user; `null` if it is not valid. */
  find(carried: Carried, request: SessionRequest): Promise<KeptUser | null>
  /** Ends a session. */
  revoke(carried: Carried, request: SessionRequest): Promise<Omit<RevokedSession, 'cookies'>>
  /** Returns whether the value of another library can be read. Missing if it always can. */
  knows?(carried: Carried): Promise<boolean>
  /** Returns what the browser of a user would receive, for a user without a session. */
  describe(user: AdapterUser, expires: Date): Promise<Session>
}
