import {
  type Account,
  definedOnly,
  encodeBase64url,
  type Host,
  type ProofKey,
  type ProviderClient,
  scopesIn,
  type TokenSubject,
} from '../../../entries/plugin.ts'
import { claimsIn, type Tokens } from '../grant.ts'
import type { Settings } from '../settings.ts'
import { endOf, type TokenFacts } from '../validity.ts'

/** What the cookie has of one provider. Names are short: browsers and proxies have little room. */
export interface Entry {
  /** Access token; room may have been made of it. */
  readonly a?: string | undefined
  /** Refresh token. */
  readonly r?: string | undefined
  /** When the access token ends, seconds since the epoch. */
  readonly e?: number | undefined
  /** Scopes, divided by blanks. */
  readonly s: string
  /** Token type. */
  readonly t?: string | undefined
  /** Another one after each renewal. */
  readonly g: string
  /** The provider refuses to renew it. */
  readonly x?: 1 | undefined
  /** When it was given, milliseconds since the epoch. */
  readonly o: number
  /** The provider's identifier of the account. */
  readonly n: string
  /** Whom the ID token of the sign-in was about. */
  readonly i?: TokenSubject | undefined
  /** What the tokens are bound to (RFC 9449). */
  readonly k?: ProofKey | undefined
  /** What was asked for, where the account was connected for more. */
  readonly w?: string | undefined
}

/** What the cookie has. */
export interface Content {
  readonly p: Readonly<Record<string, Entry>>
  /** Does the session end with the browser? */
  readonly b?: 1 | undefined
}

/** What may be asked of an entry. */
export function factsIn({ a, r, e, s, t, o, x, k }: Entry): TokenFacts & { tokens: Tokens } {
  return {
    tokens: definedOnly({ access_token: a, refresh_token: r, token_type: t, dpop: k }),
    expires_at: e,
    scope: scopesIn(s),
    obtained: o,
    error: x === 1 || undefined,
  }
}

/** What a sign-in brought; `undefined` for nothing that is of use. */
export function entryOf(
  account: Account,
  client: ProviderClient,
  { host, settings }: { readonly host: Host; readonly settings: Settings },
  before: Entry | undefined,
  dpop?: ProofKey,
): Entry | undefined {
  const { access_token: a, refresh_token, expires_at, token_type: t, scope, id_token } = account
  const r = refresh_token || (before?.n === account.providerAccountId ? before.r : undefined)
  if (!a && !r) return undefined
  const now = host.ports.now()
  const { iss, sub, aud } = id_token ? claimsIn(id_token) : {}
  return definedOnly({
    a: a || undefined,
    r,
    e:
      expires_at ??
      endOf(
        { expires_in: undefined, isRenewable: r !== undefined },
        now,
        client.rules.assumedLifetime ?? settings.assumedLifetime,
      ),
    s: scope ? scopesIn(scope).join(' ') : client.scopes.join(' '),
    t,
    g: newGeneration(host),
    o: now,
    n: account.providerAccountId,
    i: typeof iss === 'string' && typeof sub === 'string' ? { iss, sub, aud } : undefined,
    k: dpop,
  }) as Entry
}

export function newGeneration({ ports }: Pick<Host, 'ports'>): string {
  return encodeBase64url(ports.random(8))
}

/** What came of a renewal. */
export type CookieRenewed =
  | { readonly kind: 'ok'; readonly entry: Entry }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' }
