import { definedOnly, scopesIn, type TokenSet } from '../../entries/plugin.ts'
import type { AdoptedClaims } from './settings.ts'
import type { TokenFacts } from './validity.ts'

/** Larger numbers are milliseconds. */
const MOST_SECONDS = 1e11

type Claims = Readonly<Record<string, unknown>>

/** Returns the tokens in the claims of a session; `undefined` if there are none. */
export function tokensIn(claims: Claims, names: AdoptedClaims): TokenSet | undefined {
  const text = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : claims[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const end = names.expires_at === undefined ? undefined : Number(claims[names.expires_at])
  const tokens = definedOnly({
    access_token: text(names.access_token),
    refresh_token: text(names.refresh_token),
    scope: text(names.scope),
    expires_at: end !== undefined && Number.isFinite(end) && end > 0 ? inSeconds(end) : undefined,
  })
  return tokens.access_token || tokens.refresh_token ? tokens : undefined
}

/** Returns the claims without those that hold tokens; the same object if there are none. */
export function withoutTokensIn<Token extends Claims>(claims: Token, names: AdoptedClaims): Token {
  const { provider: _, error = 'error', ...others } = names
  const gone = new Set([error, ...Object.values(others)])
  if (!Object.keys(claims).some((name) => gone.has(name))) return claims
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !gone.has(name))) as Token
}

/** Returns the facts of tokens in claims, which are usable until they expire. */
export function factsOfClaims(claims: Claims, names: AdoptedClaims): TokenFacts | undefined {
  const tokens = tokensIn(claims, names)
  return (
    tokens && {
      tokens: definedOnly({ access_token: tokens.access_token }),
      scope: scopesIn(tokens.scope ?? ''),
      expires_at: tokens.expires_at,
      obtained: 0,
    }
  )
}

function inSeconds(time: number): number {
  return Math.floor(time > MOST_SECONDS ? time / 1000 : time)
}
