/** A second factor of a user. Times are in ISO 8601. */
export type FactorInfo = {
  readonly id: string
  readonly type: 'totp'
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string
}

/** A browser that is not asked for the second factor. Times are in ISO 8601. */
export type TrustedBrowser = {
  /** A public id, which only its user can use. */
  readonly id: string
  /** Browser and system in which its user ticked the box, for example `Firefox, Linux`; `null` if they are unknown. */
  readonly name: string | null
  /** The last sign-in in it. */
  readonly lastUsedAt: string
  /** The time until which it is trusted. */
  readonly until: string
  /** Whether it is the browser of the request; `false` for code of the application. */
  readonly thisDevice: boolean
}

/** The second factors of a user, and what is required. */
export type TwoFactorStatus = {
  /** Whether the user must have a second factor. */
  readonly required: boolean
  /** How many factors a sign-in needs: 2 as soon as there is a second one. */
  readonly level: 1 | 2
  /** Until when a user who must have a second factor can sign in without one. */
  readonly until?: string
  readonly factors: readonly FactorInfo[]
  /** Whether passkeys and security keys are a second factor. */
  readonly passkeys: boolean
  /** Whether codes by mail are a second factor. */
  readonly email: boolean
  readonly recoveryCodesLeft: number
  /** How many trusted browsers. */
  readonly devices: number
  /** Trusted browsers, the one that was used last first. */
  readonly trusted: readonly TrustedBrowser[]
}

/** The functions of `latchkey.api.twoFactor`. They are for code of the application: nobody's session is checked. */
export interface TwoFactorApi {
  /** @throws {Problem} `not_found` without such a user. */
  status(userId: string): Promise<TwoFactorStatus>
  /**
   * Requires a second factor of a user, whatever the option `require` is.
   *
   * @param options `until`: the time until which the user can sign in without one; else `grace` from now on.
   * @throws {Problem} `not_found` without such a user.
   */
  require(userId: string, options?: { readonly until?: Date }): Promise<void>
  /**
   * Removes all second factors, recovery codes and trusted browsers of a user who lost them, and ends all sessions. The next
   * sign-in has to set up a new one. Make sure first that it is the owner of the account who asks.
   *
   * @throws {Problem} `not_found` without such a user.
   */
  reset(userId: string): Promise<void>
}
