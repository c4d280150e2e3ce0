import {
  type BoundToken,
  definedOnly,
  type ProofKey,
  type ProviderClient,
} from '../../entries/plugin.ts'
import type { FurtherToken, Tokens } from './grant.ts'
import type { Settings } from './settings.ts'
import type { TokenResult } from './tokens-api.ts'

/** What is asked of tokens, however they are kept. */
export interface TokenFacts {
  readonly tokens: Tokens | undefined
  /** Seconds since the epoch. */
  readonly expires_at?: number | undefined
  /** Seconds since the epoch. */
  readonly refresh_expires_at?: number | undefined
  readonly scope: readonly string[]
  /** Milliseconds since the epoch. */
  readonly obtained: number
  /** Did the provider refuse to renew them? */
  readonly error?: unknown
  /** What was asked for, where an account was connected for more. */
  readonly asked?: readonly string[] | undefined
}

/** Milliseconds within which a token is renewed once, however often an API refuses it. */
export const FORCED = 10_000

/** Does the access token work for so many seconds more? One that does not say when it ends, does. */
export function works(grant: TokenFacts, now: number, seconds: number = 0): boolean {
  if (!grant.tokens?.access_token || grant.error) return false
  return grant.expires_at === undefined || grant.expires_at > now / 1000 + seconds
}

/** Is there something that could be renewed, and be of use? */
export function isRenewable(
  { tokens, error, refresh_expires_at: end }: TokenFacts,
  now: number,
): boolean {
  return tokens?.refresh_token !== undefined && !error && (end === undefined || end > now / 1000)
}

/**
 * Returns how many seconds before its end a token is renewed; `false`: only where somebody insists. It is at most half of
 * the token's life, since otherwise each request would renew a token that lasts a minute.
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
 * When a token ends, seconds since the epoch. One that the provider says nothing of lasts as long as is assumed if it can
 * be renewed, and for ever if not.
 */
export function endOf(
  { expires_in, isRenewable }: { expires_in: number | undefined; isRenewable: boolean },
  now: number,
  assumed: number,
): number | undefined {
  if (expires_in === undefined && !isRenewable) return undefined
  return Math.floor(now / 1000 + (expires_in ?? assumed))
}

/** Those of the needed scopes that are missing. */
export function missingScopes(
  { scope }: Pick<TokenFacts, 'scope'>,
  needed: readonly string[] = [],
): string[] {
  return needed.filter((each) => !scope.includes(each))
}

/** Is each of these scopes among those, which has more? */
export function isNarrower(scope: readonly string[], than: readonly string[]): boolean {
  return scope.length < than.length && scope.every((each) => than.includes(each))
}

/** A token that is given. @param client of the provider; without it, a token that is bound to no key. */
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

/** Seconds before its end from which on a further token is not given any more. */
const FURTHER_MARGIN = 30

/** A further token that still works, by the key under which it was kept. */
export function furtherToken(
  { tokens }: Pick<TokenFacts, 'tokens'>,
  key: string,
  now: number,
): FurtherToken | undefined {
  const found = tokens?.more?.find((each) => each.key === key)
  const isGood = found?.expires_at === undefined || found.expires_at > now / 1000 + FURTHER_MARGIN
  return isGood ? found : undefined
}

/** A further token that is given. @param dpop what the tokens of its grant are bound to. */
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
