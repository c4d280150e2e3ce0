import { checkOptions } from '../../../entries/plugin.ts'
import { checkSeconds, checkWhole, refuse } from '../option-checks.ts'
import { checkScopes } from '../scopes.ts'

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

/** @throws {TypeError} for an invalid option. */
export function apiKeysSettings(options: ApiKeysOptions): ApiKeysSettings {
  checkOptions(
    'tokens',
    options,
    {
      prefix: 'string',
      scopes: true,
      maxPerUser: true,
      maxAge: true,
      defaultAge: true,
      rate: true,
      touch: true,
      freshAge: true,
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
  if (!/^[a-z0-9]{2,12}$/.test(prefix))
    refuse(
      'apiKeys',
      `\`prefix\` must be 2 to 12 lower-case letters and digits, got ${JSON.stringify(prefix)}`,
    )
  // Tokens of bearer sessions begin with it.
  if (prefix === 'lkb') refuse('apiKeys', '`prefix` must not be lkb, which sessions of apps use')
  checkScopes('apiKeys.scopes', scopes)
  checkWhole('apiKeys', { maxPerUser }, [1, 500])
  if (maxAge !== null) checkSeconds('apiKeys', { maxAge }, [60, CENTURY])
  checkSeconds('apiKeys', { defaultAge }, [60, maxAge ?? CENTURY])
  if (rate !== false) {
    checkOptions(
      'tokens',
      rate,
      { limit: true, seconds: true },
      { member: 'apiKeys.rate', expected: 'false or an object' },
    )
    checkRate('rate', rate)
  }
  checkSeconds('apiKeys', { touch }, [0, 365 * DAY])
  checkSeconds('apiKeys', { freshAge }, [1, 365 * DAY])
  return { prefix, scopes, maxPerUser, maxAge, defaultAge, rate, touch, freshAge, actsAsSession }
}

/** @throws {TypeError} for an invalid rate. */
export function checkRate(option: string, { limit, seconds }: KeyRate): void {
  checkWhole('apiKeys', { [`${option}.limit`]: limit }, [1, 1_000_000])
  checkSeconds('apiKeys', { [`${option}.seconds`]: seconds }, [1, DAY])
}
