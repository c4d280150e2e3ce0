import {
  checkOptions,
  oneOf,
  optionError,
  required,
  seconds,
  wholeNumber,
} from '../../entries/plugin.ts'
import type { CodeLength } from '../../entries/plugin-accounts.ts'

/** Options of the plugin. */
export interface EmailCodeOptions {
  /** Digits of a code: 6, 7 or 8. @default 6 */
  readonly length?: 6 | 7 | 8 | undefined
  /** Seconds until a code expires, at most an hour. @default 600 */
  readonly expiresIn?: number | undefined
  /** Attempts for one code, at most 10. @default 5 */
  readonly tries?: number | undefined
  /** Seconds until another code is mailed. @default 60 */
  readonly resendAfter?: number | undefined
  /**
   * Attempts for all codes of one address, of right ones, too: `limit` within `window` seconds.
   *
   * Attempts from all unknown browsers are counted together, and together with those of codes beside sign-in links. Each
   * browser in which the user signed in before has as many for itself.
   *
   * @default { limit: 10, window: 86400 }
   */
  readonly perAddress?: { readonly limit: number; readonly window: number } | undefined
  /**
   * Whether the code creates a user if no user has the address.
   *
   * With `true`, the hook `isDisposable` of `limits()` refuses addresses for all, since a refusal must not show who has an account.
   *
   * @default true
   */
  readonly signUp?: boolean | undefined
  /** Whether mails have a link, too: they have none. For links, use a mail provider. @default false */
  readonly link?: false | undefined
  /** `false` limits neither mails nor requests without the plugin `limits`, with a warning. @default true */
  readonly limits?: boolean | undefined
}

/** The options with their defaults. */
export interface Settings {
  readonly length: CodeLength
  readonly expiresIn: number
  readonly tries: number
  readonly resendAfter: number
  readonly perAddress: { readonly limit: number; readonly window: number }
  readonly signUp: boolean
  readonly limits: boolean
}

const HOUR = 60 * 60
const DAY = 24 * HOUR

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: EmailCodeOptions): Settings {
  checkOptions('emailCode', options, {
    length: oneOf(6, 7, 8),
    expiresIn: seconds(60, HOUR),
    tries: wholeNumber(1, 10),
    resendAfter: seconds(1),
    perAddress: { limit: required(wholeNumber(1, 100)), window: required(seconds(HOUR, 30 * DAY)) },
    signUp: 'boolean',
    link: oneOf(false),
    limits: 'boolean',
  })
  const {
    length = 6,
    expiresIn = 600,
    tries = 5,
    resendAfter = 60,
    perAddress = { limit: 10, window: DAY },
    signUp = true,
    limits = true,
  } = options
  if (resendAfter > expiresIn)
    throw optionError(
      `emailCode(): \`resendAfter\` must be at most \`expiresIn\`, which is ${expiresIn}, got ${resendAfter}`,
      'emailCode',
    )
  return { length, expiresIn, tries, resendAfter, perAddress, signUp, limits }
}
