import type { AdapterAccount, StoredAccount, TokenSet } from './account.ts'
import type { AdapterAuthenticator } from './authenticator.ts'
import type { RecordAbilities } from './record.ts'
import type { AdapterSession } from './session.ts'
import type { AdapterUser, StoredUser } from './user.ts'
import type { VerificationToken } from './verification-token.ts'

type Awaitable<T> = T | PromiseLike<T>

/**
 * Reads and writes the resources that Latchkey stores.
 *
 * Every method is optional; the required ones are checked at the start. Methods are called on the adapter object
 * itself. A method returns `null` if there is nothing to return, and throws if the store fails; it never returns `null`
 * for a failure.
 *
 * Return types do not have the members that an application adds to `User` and `Account`, so adapters of other packages
 * are assignable.
 */
export interface Adapter {
  createUser?(user: AdapterUser): Awaitable<StoredUser>
  getUser?(id: string): Awaitable<StoredUser | null>
  getUserByEmail?(email: string): Awaitable<StoredUser | null>
  getUserByAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<StoredUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<StoredUser>
  /** A record store also deletes the records of users that it does not have. */
  deleteUser?(userId: string): Awaitable<StoredUser | null | undefined | void>
  linkAccount?(account: AdapterAccount): Awaitable<StoredAccount | null | undefined | void>
  unlinkAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<StoredAccount | undefined | void>
  getAccount?(providerAccountId: string, provider: string): Awaitable<StoredAccount | null>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: StoredUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  createVerificationToken?(
    token: VerificationToken,
  ): Awaitable<VerificationToken | null | undefined>
  /** Finds and removes a token atomically: of concurrent calls, exactly one receives it. */
  useVerificationToken?(params: {
    identifier: string
    token: string
  }): Awaitable<VerificationToken | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
  ): Awaitable<AdapterAuthenticator>
  /** Atomic operations of the store in addition to the methods above. */
  [atomic]?: AtomicAbilities
}

/** An adapter that stores users. The adapters of Latchkey do, so their functions for users need no check. */
export type UserAdapter = Adapter &
  Required<Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'updateUser' | 'deleteUser'>>

/** The name of an adapter method. */
export type AdapterMethod = Exclude<keyof Adapter, symbol>

/**
 * The key of {@link AtomicAbilities} on an adapter. A registered symbol, so that it is the same in two copies of the
 * package.
 */
export const atomic: unique symbol = Symbol.for('latchkey.adapter.atomic') as never

/** Operations that not every store has. A feature that needs a missing one is refused at the start. */
export interface AtomicAbilities extends RecordAbilities {
  /**
   * Makes the adapter store records. Called at the start for a plugin that needs them, if nobody has said so.
   *
   * @param copy the adapter of the configuration, which may have the methods of this one and further ones.
   */
  useRecords?(copy?: Adapter): void
  /** Runs `work` with an adapter in one transaction: all of its writes are stored, or none. */
  transaction?<Result>(work: (adapter: Adapter) => Promise<Result>): Promise<Result>
  /**
   * Replaces the token of a stored session, if it still has the old one.
   *
   * @returns whether this call replaced it.
   */
  renameSession?(from: string, to: string): Awaitable<boolean>
  /**
   * Sets members of a stored account, for example new tokens, and keeps the others.
   *
   * @returns whether the account exists.
   */
  updateAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'> & TokenSet,
  ): Awaitable<boolean>
  /**
   * Counts an attempt if the limit is not reached: of any number of concurrent calls with one key, at most `limit`
   * return `true`.
   *
   * @returns whether it was counted.
   */
  countAttempt?(attempt: CountedAttempt): Awaitable<boolean>
  /**
   * Acquires a lease, which only one holder has until it expires.
   *
   * @returns a fencing number, greater than all earlier ones of this name; `null` if the lease is held.
   * @throws RangeError for a lease that ends before it begins.
   */
  acquireLease?(lease: { name: string; now: Date; expires: Date }): Awaitable<number | null>
  /**
   * Removes entries that expired before `now`: sessions, verification tokens, records and other temporary entries.
   * Several processes may call it at once.
   *
   * @param batch the maximum number to remove of each kind, so that the call is short.
   * @returns the highest number removed of a kind; if it is less than `batch`, nothing is left.
   */
  cleanup?(options: { now: Date; batch: number }): Awaitable<number>
  /** Returns all stored sessions of a user, including expired ones. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /** Returns all accounts of a user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /**
   * Deletes all sessions of a user atomically.
   *
   * @param except the stored token of a session to keep.
   * @returns the number of deleted sessions.
   */
  deleteSessionsByUserId?(userId: string, except?: string): Awaitable<number>
  /**
   * Returns a page of users in a stable order.
   *
   * @param after `next` of the previous page.
   * @throws if `after` is not a string.
   */
  listUsers?(options: { limit: number; after?: string | undefined }): Awaitable<UserPage>
}

/** A page of users. */
export interface UserPage {
  readonly users: AdapterUser[]
  /** The value of `after` for the next page; `null` after the last one. */
  readonly next: string | null
}

/** One of a limited number of attempts. */
export interface CountedAttempt {
  /** Identifies what is attempted, and the client or the user. */
  readonly key: string
  /** The maximum number of attempts that count at the same time. */
  readonly limit: number
  /** Attempts that expired by this time no longer count. */
  readonly now: Date
  /** The time until which this attempt counts. */
  readonly expires: Date
}

/** The unique key that an insert violates. */
export type ConflictKind =
  | 'user.email'
  | 'user'
  | 'account'
  | 'session'
  | 'verificationToken'
  | 'authenticator'

/**
 * Thrown by an adapter if a unique key exists, to distinguish a concurrent insert from a failure of the store. It
 * contains no values.
 */
export class AdapterConflict extends Error {
  readonly code = 'LATCHKEY_CONFLICT'
  readonly conflict: ConflictKind

  constructor(conflict: ConflictKind, options?: ErrorOptions) {
    super(`the store already has this ${conflict}`, options)
    this.name = 'AdapterConflict'
    this.conflict = conflict
  }
}

/** Returns whether a value is an {@link AdapterConflict}, also one of another copy of the package. */
export function isAdapterConflict(value: unknown): value is AdapterConflict {
  return value instanceof Error && 'code' in value && value.code === 'LATCHKEY_CONFLICT'
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** Returns whether a value is an ISO 8601 date and time with a time zone; a date without time is not. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && ISO_INSTANT.test(value) && !Number.isNaN(Date.parse(value))
}
