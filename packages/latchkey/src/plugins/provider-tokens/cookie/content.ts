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
import { claimsIn, type Tokens } from '../records/grant.ts'
import type { Settings } from '../settings.ts'
import { endOf, type TokenFacts } from '../validity.ts'

/** The tokens of one provider in the cookie. Names are short, since browsers and proxies limit the size of cookies. */
export interface Entry {
  /** The access token. It may have been dropped to make room. */
  readonly a?: string | undefined
  /** The refresh token. */
  readonly r?: string | undefined
  /** When the access token expires, in seconds since the epoch. */
  readonly e?: number | undefined
  /** Scopes, separated by spaces. */
  readonly s: string
  /** The token type. */
  readonly t?: string | undefined
  /** An id that changes with each renewal. */
  readonly g: string
  /** Set if the provider refuses to renew the token. */
  readonly x?: 1 | undefined
  /** When the tokens were issued, in milliseconds since the epoch. */
  readonly o: number
  /** The provider's id of the account. */
  readonly n: string
  /** The subject of the ID token of the sign-in. */
  readonly i?: TokenSubject | undefined
  /** The key to which the tokens are bound (RFC 9449). */
  readonly k?: ProofKey | undefined
  /** The requested scopes, if the account was connected for more. */
  readonly w?: string | undefined
}

/** The content of the cookie. */
export interface Content {
  readonly p: Readonly<Record<string, Entry>>
  /** Set if the session ends with the browser. */
  readonly b?: 1 | undefined
}

/** Returns the facts of an entry. */
export function factsIn({ a, r, e, s, t, o, x, k }: Entry): TokenFacts & { tokens: Tokens } {
  return {
    tokens: definedOnly({ access_token: a, refresh_token: r, token_type: t, dpop: k }),
    expires_at: e,
    scope: scopesIn(s),
    obtained: o,
    error: x === 1 || undefined,
  }
}

/** Returns the entry for the tokens of a sign-in; `undefined` if they are of no use. */
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

/** The result of a renewal. */
export type CookieRenewed =
  | { readonly kind: 'ok'; readonly entry: Entry }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' }
