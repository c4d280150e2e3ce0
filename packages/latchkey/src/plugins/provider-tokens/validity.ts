import {
  type BoundToken,
  definedOnly,
  type ProofKey,
  type ProviderClient,
} from '../../entries/plugin.ts'
import type { FurtherToken, Tokens } from './records/grant.ts'
import type { Settings } from './settings.ts'
import type { TokenResult } from './tokens-api.ts'

/** The facts of tokens, in either store. */
export interface TokenFacts {
  readonly tokens: Tokens | undefined
  /** In seconds since the epoch. */
  readonly expires_at?: number | undefined
  /** In seconds since the epoch. */
  readonly refresh_expires_at?: number | undefined
  readonly scope: readonly string[]
  /** In milliseconds since the epoch. */
  readonly obtained: number
  /** Set if the provider refused to renew them. */
  readonly error?: unknown
  /** The requested scopes, if the account was connected for more. */
  readonly asked?: readonly string[] | undefined
}

/** Milliseconds within which a forced renewal happens once. */
export const FORCED = 10_000

/** Returns whether the access token is valid for the given number of seconds. A token without an expiry is. */
export function works(grant: TokenFacts, now: number, seconds: number = 0): boolean {
  if (!grant.tokens?.access_token || grant.error) return false
  return grant.expires_at === undefined || grant.expires_at > now / 1000 + seconds
}

/** Returns whether the tokens can be renewed. */
export function isRenewable(
  { tokens, error, refresh_expires_at: end }: TokenFacts,
  now: number,
): boolean {
  return tokens?.refresh_token !== undefined && !error && (end === undefined || end > now / 1000)
}

/**
 * Returns how many seconds before its expiry a token is renewed; `false` if only on demand. It is at most half of the
 * token's lifetime, since otherwise each request would renew a token that lasts a minute.
 */
export function marginOf(
  { rules }: Pick<ProviderClient, 'rules'>,
  settings: Pick<Settings, 'margin'>,
  { expires_at, obtained }: Pick<TokenFacts, 'expires_at' | 'obtained'>,
): number | false {
  const margin = rules.margin ?? settings.margin
  if (margin === false || expires_at === undefined) return margin
  return Math.min(margin, Math.max(0, expires_at - obtained / 1000) / 2)
}

/**
 * Returns when a token expires, in seconds since the epoch. A token without a lifetime gets the assumed one if it can
 * be renewed, and never expires otherwise.
 */
export function endOf(
  { expires_in, isRenewable }: { expires_in: number | undefined; isRenewable: boolean },
  now: number,
  assumed: number,
): number | undefined {
  if (expires_in === undefined && !isRenewable) return undefined
  return Math.floor(now / 1000 + (expires_in ?? assumed))
}

/** Returns the required scopes that are missing. */
export function missingScopes(
  { scope }: Pick<TokenFacts, 'scope'>,
  needed: readonly string[] = [],
): string[] {
  return needed.filter((each) => !scope.includes(each))
}

/** Returns whether a list of scopes is a proper part of another one. */
export function isNarrower(scope: readonly string[], than: readonly string[]): boolean {
  return scope.length < than.length && scope.every((each) => than.includes(each))
}

/** Returns a token for the caller. @param client of the provider; not needed for a token that is not bound to a key. */
export function given(
  { tokens, expires_at, scope }: TokenFacts,
  client: Pick<ProviderClient, 'bound'> | undefined,
): TokenResult {
  const { access_token = '', token_type = 'bearer', dpop } = tokens ?? {}
  return {
    ok: true,
    access_token,
    token_type,
    ...definedOnly({ expires_at, scope: scope.length > 0 ? scope.join(' ') : undefined }),
    ...(dpop && client && bindingOf(dpop, client, access_token)),
  }
}

function bindingOf(
  key: ProofKey,
  client: Pick<ProviderClient, 'bound'>,
  access_token: string,
): { readonly token_type: string; readonly bound: BoundToken } {
  return { token_type: 'DPoP', bound: client.bound(key, access_token) }
}

/** Seconds before its expiry from which a further token is not returned any more. */
const FURTHER_MARGIN = 30

/** Returns a valid further token by its key. */
export function furtherToken(
  { tokens }: Pick<TokenFacts, 'tokens'>,
  key: string,
  now: number,
): FurtherToken | undefined {
  const found = tokens?.more?.find((each) => each.key === key)
  const isGood = found?.expires_at === undefined || found.expires_at > now / 1000 + FURTHER_MARGIN
  return isGood ? found : undefined
}

/** Returns a further token for the caller. @param dpop the key to which the tokens of its grant are bound. */
export function givenFurther(
  { access_token, token_type = 'bearer', expires_at, scope }: FurtherToken,
  dpop: ProofKey | undefined,
  client: Pick<ProviderClient, 'bound'>,
): TokenResult {
  return {
    ok: true,
    access_token,
    token_type,
    ...definedOnly({ expires_at, scope }),
    ...(dpop && token_type === 'dpop' && bindingOf(dpop, client, access_token)),
  }
}
