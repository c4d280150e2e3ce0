import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { AdapterUser } from '../model/user.ts'
import type { SessionHolder, SessionRequest } from './strategy.ts'

/** A session in a request: the value that a carrier found. */
export interface Carried {
  /** The sealed token, or the token of a stored session. */
  readonly value: string
  /** Whether the session belongs to https. A token that was sealed for http cannot be opened for https, and vice versa. */
  readonly secure: boolean
  /** The program that has the session instead of a browser. */
  readonly holder?: Pick<SessionHolder, 'via' | 'maxAge'> | undefined
  /** The library that wrote the value, if it was not Latchkey. */
  readonly from?: 'next-auth@4' | undefined
  /** Further values, if the browser sent several for one name. Only one of them is used. */
  readonly others?: readonly string[] | undefined
}

/** A user for whom a program acts without a session, for example with an API key. */
export interface ActingUser {
  /** The member `via` of the session that `auth` returns. */
  readonly via: string
  /** Returns the user, and `expires` of the session that `auth` returns; `null` if the program is not known. */
  user(): Awaitable<{ readonly user: AdapterUser; readonly expires: Date } | null>
  /** Called where a session is necessary. @returns `null` for nobody. @throws if the program is known, but has no session. */
  refuse(): Awaitable<null>
}

/** The value of a session that was written. */
export interface CarriedValue {
  readonly value: string
  /** When the carrier may forget the value; `undefined` if that is when the browser closes. */
  readonly expires: Date | undefined
}

/**
 * A place in a request where a session can be, for example a cookie or a header. Carriers are tried in order, and the first
 * one that finds something is used.
 */
export interface Carrier<Found extends Carried = Carried> {
  /**
   * @returns the session, or the user of a program without a session; `null` if this carrier has one that is not valid:
   *   nobody is then signed in, and no further carrier is tried; `undefined` to try the next carrier.
   */
  find(request: SessionRequest): MaybePromise<Found | ActingUser | null | undefined>
  /**
   * Stores the value of a session that was extended or changed.
   *
   * @param carried the session that {@link find} returned; `undefined` for a new session.
   * @returns cookies of the response. The cookies of a carrier with {@link isInHeader} are not sent.
   */
  write(
    request: SessionRequest,
    written: CarriedValue,
    carried: Found | undefined,
  ): Awaitable<readonly Cookie[]>
  /** Returns the cookies that remove the session from the browser, whether the request has one or not. */
  clear(request: SessionRequest): readonly Cookie[]
  /** Called when a session that {@link find} returned has ended. If it throws during a read, the session is unavailable. */
  forget?(carried: Found): Awaitable<void>
  /**
   * Returns whether the request names its session in a header that browsers do not add by themselves. Such a request needs
   * no CSRF token, its cookies are not read, and its response sets none. A carrier in a cookie does not have this member.
   */
  isInHeader?(request: SessionRequest): boolean
}
