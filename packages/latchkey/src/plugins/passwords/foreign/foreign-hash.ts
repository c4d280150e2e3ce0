import type { Awaitable } from '../../../entries/plugin.ts'

/** Hashes of another system, as `foreign` of `passwords()` has them. */
export interface ForeignHash {
  /** Lower-case letters, digits and hyphens; part of the text that is stored for a wrapped hash. */
  readonly id: string
  /** Returns whether a stored text is a hash of this system. */
  matches(stored: string): boolean
  /**
   * Returns whether this is the password. It is called with one candidate after another: the password as typed, and its
   * normal forms.
   */
  verify(password: string, stored: string): Promise<boolean>
  /** Returns the password in the form in which the system hashed it. This form is tried first. */
  normalize?(password: string): string
  /**
   * Returns what is to be stored for a hash and its parameters, for systems that export them apart.
   *
   * @returns `undefined` if it is not a hash of this system.
   */
  store?(hash: string, params: Readonly<Record<string, unknown>>): string | undefined
  /** Returns whether verifying a hash would take more memory or time than allowed. */
  isTooCostly?(stored: string): boolean
  /** KiB of memory that verifying takes. Without it, it counts as one of our own. */
  memory?(stored: string): number
  /** The package that verifying needs and that the application installs. */
  readonly needs?: 'bcryptjs' | '@noble/hashes'
  /** A hash with the usual cost that no password fits, for `dummy: 'foreign'`. */
  readonly dummy?: string
  /**
   * For hashes that are fast to compute. They are stored only wrapped: as the argon2id of the digest.
   */
  readonly wrap?: WrappedHash
}

/** How a fast hash is computed from a password. */
export interface WrappedHash {
  /** Returns the digest of a stored text, and all else that is needed to compute it, for example the salt. */
  split(stored: string): { readonly digest: string; readonly data?: string } | undefined
  /** Returns the digest of a password, in the same spelling. */
  digest(password: string, data: string | undefined): Awaitable<string>
}

/** A hash of another system that is to be imported. */
export interface ForeignHashInput {
  readonly hash: string
  /** The id of one of `foreign`. Without it, the first that matches. */
  readonly kind?: string | undefined
  /** Parameters that the system exports beside the hash, for example a salt. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
}
