import {
  type AdapterAccount,
  type Awaitable,
  checkOptions,
  listOf,
  type OptionKinds,
  type OptionRule,
  oneOf,
  required,
  wholeNumber,
} from '../../entries/plugin.ts'

/** Options of the plugin. */
export interface ProviderTokensOptions {
  /**
   * Where tokens are kept: `records`, `cookie`, or `auto`, which uses records if the adapter has them.
   *
   * `'records'` needs an adapter with records.
   *
   * @default 'auto'
   */
  readonly store?: 'auto' | 'records' | 'cookie' | undefined
  /** How tokens are kept in a cookie. */
  readonly cookie?: CookieSettings | undefined
  /** Ids of the providers whose tokens are kept. @default all OAuth and OpenID Connect providers */
  readonly providers?: readonly string[] | undefined
  /** Seconds before a token expires, from which it is renewed; at most half of its life. @default 60 */
  readonly margin?: number | undefined
  /** Seconds until a renewable token expires whose provider names no lifetime. @default 3600 */
  readonly assumedLifetime?: number | undefined
  /**
   * Token columns of the account table: `clear` leaves them empty from now on, `keep` writes them as before.
   *
   * `'clear'` moves tokens that are there when they are first needed. Use `'keep'` for an application with Auth.js on
   * the same database.
   *
   * @default 'clear'
   */
  readonly columns?: 'clear' | 'keep' | undefined
  /** Whether tokens stay (`keep`) or are replaced (`replace`) when a sign-in grants fewer scopes. @default 'keep' */
  readonly onNarrower?: 'keep' | 'replace' | undefined
  /**
   * When tokens are revoked at the provider: `unlink`, `sign-out` or `never`.
   *
   * `'unlink'`: when the account is unlinked or disconnected, or its user deleted. `'sign-out'`: also when the last
   * session of the user ends; it needs the plugin `sessions`.
   *
   * @default 'unlink'
   */
  readonly revoke?: 'never' | 'unlink' | 'sign-out' | undefined
  /**
   * Adds the connections that ended to the session that the browser receives, as `session.providers`.
   *
   * With records, this costs one store access for each read of a session. With tokens in a cookie it costs nothing,
   * and is always on.
   *
   * @default false
   */
  readonly inSession?: boolean | undefined
  /** With records: also keeps the latest ID token. @default true */
  readonly idToken?: boolean | undefined
  /**
   * Names of the claims in which a `jwt` callback kept tokens, to take them over.
   *
   * Latchkey reads each session once with these claims. From then on the tokens are where this plugin keeps them.
   *
   * @default none
   * @see docs/how-to/leave-the-token-guide-behind.md
   */
  readonly adoptFromSession?: AdoptedClaims | readonly AdoptedClaims[] | undefined
  /** Also sets `session.error` to `RefreshTokenError` if a connection ended. @default false */
  readonly legacyError?: boolean | undefined
  /**
   * Receives `{ provider, userId, account }` after tokens were renewed, without the tokens.
   *
   * An error is logged and changes nothing else.
   *
   * @default none
   */
  readonly onRenew?: ((renewed: RenewedParams) => Awaitable<void>) | undefined
}

/** Names of the claims that hold the tokens of a provider. */
export interface AdoptedClaims {
  readonly provider: string
  readonly access_token: string
  readonly refresh_token?: string | undefined
  /** Seconds since the epoch, or milliseconds: numbers over 10¹¹ are taken for those. */
  readonly expires_at?: string | undefined
  readonly scope?: string | undefined
  /** Is removed with the others. @default 'error' */
  readonly error?: string | undefined
}

/** How tokens are kept in a cookie. */
export interface CookieSettings {
  /** The path of the cookie. @default '/' */
  readonly path?: string | undefined
  /**
   * The largest size of the cookie in characters, 500 to 15000.
   *
   * Together with the session, the tokens never have more than 15,000 characters.
   *
   * @default 8000
   */
  readonly budget?: number | undefined
  /**
   * Which requests renew tokens in a cookie: `anywhere`, or only those of the page (`browser`).
   *
   * With `'browser'`, one tab of the page renews the tokens for all.
   *
   * @default 'anywhere'
   */
  readonly refresh?: 'anywhere' | 'browser' | undefined
  /** Seconds for which a request with the old cookie receives the new tokens. @default 60 */
  readonly grace?: number | undefined
}

/** The event after a renewal. */
export interface RenewedParams {
  readonly provider: string
  readonly userId: string
  /** Without the tokens. */
  readonly account: Pick<AdapterAccount, 'provider' | 'providerAccountId' | 'userId'>
}

/** The options with their defaults. */
export interface Settings {
  readonly store: 'auto' | 'records' | 'cookie'
  readonly cookie: { [Name in keyof CookieSettings]-?: NonNullable<CookieSettings[Name]> }
  readonly providers: readonly string[] | undefined
  /** In seconds. */
  readonly margin: number
  /** In seconds. */
  readonly assumedLifetime: number
  readonly columns: 'clear' | 'keep'
  readonly onNarrower: 'keep' | 'replace'
  readonly revoke: 'never' | 'unlink' | 'sign-out'
  readonly inSession: boolean
  readonly idToken: boolean
  readonly adopted: readonly AdoptedClaims[]
  readonly legacyError: boolean
  readonly onRenew: ProviderTokensOptions['onRenew']
}

const isText = (value: unknown): boolean => typeof value === 'string'

const PATH: OptionRule = {
  expected: 'a path that begins with a slash',
  fits: (value) => typeof value === 'string' && value.startsWith('/'),
}

/** A part of a second is a number of seconds, too. */
function secondsFrom(least: number): OptionRule {
  return {
    expected: `a number of seconds from ${least} on`,
    fits: (value) => Number.isFinite(value) && Number(value) >= least,
  }
}

const CLAIMS: OptionKinds<AdoptedClaims> = {
  provider: required({ expected: 'the id of a provider', fits: isText }),
  access_token: required({ expected: 'the name of a claim', fits: isText }),
  refresh_token: 'string',
  expires_at: 'string',
  scope: 'string',
  error: 'string',
}

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: ProviderTokensOptions): Settings {
  checkOptions('providerTokens', options, {
    store: oneOf('auto', 'records', 'cookie'),
    cookie: {
      path: PATH,
      budget: wholeNumber(500, 15_000, 'characters'),
      refresh: oneOf('anywhere', 'browser'),
      grace: secondsFrom(0),
    },
    providers: listOf('ids of providers', isText),
    margin: secondsFrom(0),
    assumedLifetime: secondsFrom(1),
    columns: oneOf('clear', 'keep'),
    onNarrower: oneOf('keep', 'replace'),
    revoke: oneOf('never', 'unlink', 'sign-out'),
    inSession: 'boolean',
    idToken: 'boolean',
    adoptFromSession: true,
    legacyError: 'boolean',
    onRenew: 'function',
  })
  const {
    store = 'auto',
    cookie = {},
    providers,
    margin = 60,
    assumedLifetime = 3600,
    columns = 'clear',
    onNarrower = 'keep',
    revoke = 'unlink',
    inSession = false,
    idToken = true,
    adoptFromSession = [],
    legacyError = false,
    onRenew,
  } = options
  const { path = '/', budget = 8000, refresh = 'anywhere', grace = 60 } = cookie
  const adopted = [adoptFromSession].flat() as readonly AdoptedClaims[]
  const place = { member: 'adoptFromSession', expected: 'an object, or a list of objects' }
  for (const claims of adopted) checkOptions('providerTokens', claims, CLAIMS, place)
  return {
    store,
    cookie: { path, budget, refresh, grace },
    providers,
    margin,
    assumedLifetime,
    columns,
    onNarrower,
    revoke,
    inSession,
    idToken,
    adopted,
    legacyError,
    onRenew,
  }
}
