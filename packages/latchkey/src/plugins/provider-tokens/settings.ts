import type { AdapterAccount } from '../../model/account.ts'
import type { Awaitable } from '../../options/awaitable.ts'

/** Options of the plugin. */
export interface ProviderTokensOptions {
  /** Ids of the providers whose tokens are kept. Without it, those of all OAuth and OpenID Connect providers. */
  readonly providers?: readonly string[] | undefined
  /** Seconds before its end from which on a token is renewed. @default 60 */
  readonly margin?: number | undefined
  /** Seconds that a token lasts whose lifetime the provider does not say, if it can be renewed. @default 3600 */
  readonly assumedLifetime?: number | undefined
  /**
   * The token columns of the account table: `clear` writes none from now on, and moves what is there when it is first
   * needed; `keep` goes on writing them, for an application with Auth.js on the same database.
   *
   * @default 'clear'
   */
  readonly columns?: 'clear' | 'keep' | undefined
  /**
   * What happens to tokens when a sign-in grants less than they have: they stay, or make room for the new ones.
   *
   * @default 'keep'
   */
  readonly onNarrower?: 'keep' | 'replace' | undefined
  /**
   * When tokens are revoked at the provider: when their account is unlinked or disconnected, or its user deleted; also
   * when the last session of the user ends (needs the plugin `sessions`); or never.
   *
   * @default 'unlink'
   */
  readonly revoke?: 'never' | 'unlink' | 'sign-out' | undefined
  /** Keeps the latest ID token beside the tokens. @default true */
  readonly idToken?: boolean | undefined
  /** Called after tokens were renewed. What it throws is logged, and changes nothing. */
  readonly onRenew?: ((renewed: RenewedParams) => Awaitable<void>) | undefined
}

/** Whose tokens were renewed. */
export interface RenewedParams {
  readonly provider: string
  readonly userId: string
  /** Without tokens. */
  readonly account: Pick<AdapterAccount, 'provider' | 'providerAccountId' | 'userId'>
}

/** The same with their defaults. */
export interface Settings {
  readonly providers: readonly string[] | undefined
  /** Seconds. */
  readonly margin: number
  /** Seconds. */
  readonly assumedLifetime: number
  readonly columns: 'clear' | 'keep'
  readonly onNarrower: 'keep' | 'replace'
  readonly revoke: 'never' | 'unlink' | 'sign-out'
  readonly idToken: boolean
  readonly onRenew: ProviderTokensOptions['onRenew']
}

/** @throws TypeError for an option that is none. */
export function settingsOf({
  providers,
  margin = 60,
  assumedLifetime = 3600,
  columns = 'clear',
  onNarrower = 'keep',
  revoke = 'unlink',
  idToken = true,
  onRenew,
}: ProviderTokensOptions): Settings {
  checkSeconds('margin', margin, 0)
  checkSeconds('assumedLifetime', assumedLifetime, 1)
  checkChoice('columns', columns, ['clear', 'keep'])
  checkChoice('onNarrower', onNarrower, ['keep', 'replace'])
  checkChoice('revoke', revoke, ['never', 'unlink', 'sign-out'])
  if (providers !== undefined && !isListOfText(providers))
    throw new TypeError(
      `providerTokens: \`providers\` must be a list of provider ids, got ${JSON.stringify(providers)}`,
    )
  return { providers, margin, assumedLifetime, columns, onNarrower, revoke, idToken, onRenew }
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function checkSeconds(name: string, value: unknown, least: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return
  throw new TypeError(
    `providerTokens: \`${name}\` must be a number of seconds from ${least} on, got ${String(value)}`,
  )
}

function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (choices.includes(value as string)) return
  const known = choices.map((choice) => `'${choice}'`).join(', ')
  throw new TypeError(
    `providerTokens: \`${name}\` must be one of ${known}, got ${JSON.stringify(value)}`,
  )
}
