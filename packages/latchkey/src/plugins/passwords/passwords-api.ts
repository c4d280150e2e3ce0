import type { ForeignHashInput } from './foreign/foreign-hash.ts'
import type { PasswordReason } from './rules/check-password.ts'

/** The functions of `latchkey.api.passwords`. They are for code of the application: nobody's session is checked. */
export interface PasswordsApi {
  /**
   * Sets the password of a user, and ends all sessions of the user.
   *
   * @param options `mustChange`: another one must be chosen at the next sign-in. `endSessions: false` keeps the sessions.
   *   `skipRules` allows a password that the rules refuse.
   * @throws {Problem} `not_found` without such a user, `password_refused` with `errors`.
   */
  set(userId: string, password: string, options?: SetOptions): Promise<void>
  /**
   * Returns whether this is the password of the user.
   *
   * @param request of the attempt. With it, the attempt counts for the limits of a network and of a browser; without it,
   *   nothing is limited, so ask only for code that is not reached from outside.
   * @throws {Problem} `too_many_attempts`, `busy`
   */
  verify(userId: string, password: string, request?: Request): Promise<boolean>
  /** Returns whether the user has a password. */
  has(userId: string): Promise<boolean>
  /** Removes the password of a user, also the last way in. */
  remove(userId: string): Promise<void>
  /**
   * Creates a link with which the user chooses a password.
   *
   * @param options `origin` of the site (that of `AUTH_URL`), `expiresIn` in seconds (30 minutes); `send` mails it, too.
   *   Never take the origin from the headers of a request, which its sender chooses.
   * @throws {TypeError} without an origin. @throws {Problem} `not_found` without such a user or without an address.
   */
  createResetLink(
    userId: string,
    options?: ResetLinkOptions,
  ): Promise<{ url: string; expires: Date }>
  /** Checks a new password by the rules, for a form of the application. */
  check(
    password: string,
    about?: { email?: string; username?: string; name?: string },
  ): Promise<{ ok: true } | { ok: false; reasons: readonly PasswordReason[] }>
  /**
   * Stores the hash that another system made of the user's password. The first sign-in replaces it.
   *
   * @throws {Problem} `hash_unknown`, `hash_too_costly`; `not_found` without such a user; `conflict` if there is a
   *   password already.
   */
  importHash(userId: string, hash: ForeignHashInput): Promise<void>
}

export interface SetOptions {
  /** Who sets it. It is noted with the password. @default 'admin' */
  readonly by?: 'admin'
  readonly mustChange?: boolean
  readonly endSessions?: boolean
  readonly skipRules?: boolean
}

export interface ResetLinkOptions {
  readonly origin?: string
  readonly expiresIn?: number
  readonly send?: boolean
}
