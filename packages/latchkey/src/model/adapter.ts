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
 * Every method is optional; which ones a configuration needs is checked when it is compiled. Methods
 * are called on the adapter object itself. A method returns `null` when there is nothing to return
 * and throws when the store failed; it never turns a failure into `null`.
 *
 * What methods return is typed without the members that an application adds to `User` and `Account`: an
 * adapter of another package does not know them, and fits all the same.
 */
export interface Adapter {
  createUser?(user: AdapterUser): Awaitable<StoredUser>
  getUser?(id: string): Awaitable<StoredUser | null>
  getUserByEmail?(email: string): Awaitable<StoredUser | null>
  getUserByAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<StoredUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<StoredUser>
  /** A store of records also deletes those of a user who is not in it. */
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
  /** Finds and removes in one indivisible step: of parallel calls exactly one gets the token. */
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
  /** What this store can do in one step, beyond the methods above. */
  [atomic]?: AtomicAbilities
}

/** The name of an adapter method. */
export type AdapterMethod = Exclude<keyof Adapter, symbol>

/** The key under which an adapter announces {@link AtomicAbilities}. Registered, so two copies of the package agree. */
export const atomic: unique symbol = Symbol.for('latchkey.adapter.atomic') as never

/** Abilities that not every store has. A feature that needs one and does not find it is refused at start. */
export interface AtomicAbilities extends RecordAbilities {
  /** Runs `work` with an adapter bound to one transaction: all of its writes happen, or none. */
  transaction?<Result>(work: (adapter: Adapter) => Promise<Result>): Promise<Result>
  /**
   * Gives a stored session another token, if it still has the old one.
   *
   * @returns whether this call did it.
   */
  renameSession?(from: string, to: string): Awaitable<boolean>
  /**
   * Sets members of a stored account, fresh tokens say, and leaves the others as they are.
   *
   * @returns whether there is such an account.
   */
  updateAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'> & TokenSet,
  ): Awaitable<boolean>
  /**
   * Counts an attempt, unless as many as allowed are counted already: of any number of parallel
   * calls with one key no more than that are told `true`.
   *
   * @returns whether it was counted.
   */
  countAttempt?(attempt: CountedAttempt): Awaitable<boolean>
  /**
   * Gives somebody a right for a while that nobody else has meanwhile.
   *
   * @returns a fencing number, greater than each that was given before for this name; `null` when
   *   somebody has the right.
   * @throws RangeError for a lease that is over before it begins.
   */
  acquireLease?(lease: { name: string; now: Date; expires: Date }): Awaitable<number | null>
  /**
   * Removes what expired before `now`: sessions, verification tokens, records, and what else the store
   * keeps for a while. Several processes may do so at once.
   *
   * @param batch the most to remove of each kind, so that nobody waits long.
   * @returns how many were removed of the kind that had most; less than `batch`: nothing is left.
   */
  cleanup?(options: { now: Date; batch: number }): Awaitable<number>
  /** All sessions of a user, also expired ones that are still there. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /** All accounts of a user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /**
   * Ends all sessions of a user in one step.
   *
   * @param except the stored token of one that goes on.
   * @returns how many were ended.
   */
  deleteSessionsByUserId?(userId: string, except?: string): Awaitable<number>
  /**
   * Some users, in an order that stays.
   *
   * @param after the `next` of the page before.
   * @throws for an `after` that is not a text.
   */
  listUsers?(options: { limit: number; after?: string | undefined }): Awaitable<UserPage>
}

/** A part of all users. */
export interface UserPage {
  readonly users: AdapterUser[]
  /** Where the next page begins; `null` after the last one. */
  readonly next: string | null
}

/** One of a limited number of attempts. */
export interface CountedAttempt {
  /** What is attempted, and by or for whom. */
  readonly key: string
  /** How many may count at the same time. */
  readonly limit: number
  /** Attempts that expired by then count no more. */
  readonly now: Date
  /** Until when this one counts. */
  readonly expires: Date
}

/** Which uniqueness rule an insert broke. */
export type ConflictKind =
  | 'user.email'
  | 'user'
  | 'account'
  | 'session'
  | 'verificationToken'
  | 'authenticator'

/**
 * Thrown by an adapter when a unique key is taken, so that "somebody was faster" can be told from
 * "the store is down". Carries no values.
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

/** True for an {@link AdapterConflict}, also one of another copy of the package. */
export function isAdapterConflict(value: unknown): value is AdapterConflict {
  return value instanceof Error && 'code' in value && value.code === 'LATCHKEY_CONFLICT'
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** True for text that is an ISO 8601 date and time with a zone; a bare date is not one. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && ISO_INSTANT.test(value) && !Number.isNaN(Date.parse(value))
}
