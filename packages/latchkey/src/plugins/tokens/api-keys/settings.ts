import {
  checkOptions,
  type OptionKinds,
  oneOf,
  required,
  seconds,
  wholeNumber,
} from '../../../entries/plugin.ts'
import { refuse } from '../option-checks.ts'
import { SCOPES } from '../scopes.ts'

/** The largest number of uses in a time. */
export interface KeyRate {
  /** Number of uses. */
  readonly limit: number
  /** Seconds in which they are counted. */
  readonly seconds: number
}

/** Options of API keys. */
export interface ApiKeysOptions {
  /** The beginning of every key: 2 to 12 lower-case letters and digits. @default 'lkp' */
  readonly prefix?: string | undefined
  /** The scopes that a key may have. @default none */
  readonly scopes?: readonly string[] | undefined
  /** Number of keys of one user that have not expired, 1 to 500. @default 50 */
  readonly maxPerUser?: number | undefined
  /** Seconds of the longest life of a key; `null` allows keys that never expire. @default 31536000 (365 days) */
  readonly maxAge?: number | null | undefined
  /**
   * Seconds of the life of a key if the user chooses none.
   *
   * @default 7776000 (90 days), or `maxAge` if that is less
   */
  readonly defaultAge?: number | undefined
  /** How often a key may be used; `false` means no limit. @default { limit: 600, seconds: 60 } */
  readonly rate?: KeyRate | false | undefined
  /** Seconds between two writes of the time when a key was last used; 0 never writes it. @default 3600 */
  readonly touch?: number | undefined
  /** Seconds since the last proof of identity, within which a user may make or replace keys. @default 600 */
  readonly freshAge?: number | undefined
  /**
   * Whether `auth()` returns a session for a request with a key.
   *
   * The session has `via: 'api-key'` and no scopes: your application checks these itself. The account actions refuse
   * it (403 `forbidden`).
   *
   * @default false
   */
  readonly actsAsSession?: boolean | undefined
}

/** The options with their defaults. */
export interface ApiKeysSettings {
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly maxPerUser: number
  readonly maxAge: number | null
  readonly defaultAge: number
  readonly rate: KeyRate | false
  readonly touch: number
  readonly freshAge: number
  readonly actsAsSession: boolean
}

const DAY = 86_400
const CENTURY = 100 * 365 * DAY

export const RATE: OptionKinds<KeyRate> = {
  limit: required(wholeNumber(1, 1_000_000)),
  seconds: required(seconds(1, DAY)),
}

/** @throws {TypeError} for an invalid option. */
export function apiKeysSettings(options: ApiKeysOptions): ApiKeysSettings {
  checkOptions(
    'tokens',
    options,
    {
      prefix: {
        expected: '2 to 12 lower-case letters and digits',
        fits: (value) => typeof value === 'string' && /^[a-z0-9]{2,12}$/.test(value),
      },
      scopes: SCOPES,
      maxPerUser: wholeNumber(1, 500),
      maxAge: oneOf(null, seconds(60, CENTURY)),
      defaultAge: seconds(60, CENTURY),
      rate: true,
      touch: seconds(0, 365 * DAY),
      freshAge: seconds(1, 365 * DAY),
      actsAsSession: 'boolean',
    },
    { member: 'apiKeys' },
  )
  const {
    prefix = 'lkp',
    scopes = [],
    maxPerUser = 50,
    maxAge = 365 * DAY,
    defaultAge = Math.min(90 * DAY, maxAge ?? CENTURY),
    rate = { limit: 600, seconds: 60 },
    touch = 3600,
    freshAge = 600,
    actsAsSession = false,
  } = options
  // Tokens of bearer sessions begin with it.
  if (prefix === 'lkb') refuse('apiKeys', '`prefix` must not be lkb, which sessions of apps use')
  if (defaultAge > (maxAge ?? CENTURY))
    refuse(
      'apiKeys',
      `\`defaultAge\` must be at most \`maxAge\`, which is ${maxAge}, got ${defaultAge}`,
    )
  if (rate !== false) {
    const place = { member: 'apiKeys.rate', expected: 'false or an object' }
    checkOptions('tokens', rate, RATE, place)
  }
  return { prefix, scopes, maxPerUser, maxAge, defaultAge, rate, touch, freshAge, actsAsSession }
}
