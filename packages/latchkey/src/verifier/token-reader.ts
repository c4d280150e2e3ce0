import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { toError } from '../base/errors.ts'
import { bearerToken } from '../http/bearer-token.ts'
import {
  type TokenClaims,
  type Verified,
  verifyAccessToken,
} from '../protocols/jose/access-token.ts'
import type { RevocationReader, Revocations } from './revocations.ts'

/** The requirements of an API for access tokens. */
export interface TokenVerifierOptions {
  /** The exact value of `iss`: origin and base path of the issuing site, for example `https://app.example/auth`. */
  readonly issuer: string
  /** The exact value of `aud`; of several audiences, any one. */
  readonly audience: string | readonly string[]
  /** Address of the keys (https, or http of this machine), or the public keys themselves. @default `/jwks` below the issuer */
  readonly jwks?: string | readonly JsonWebKey[] | undefined
  /** Accepted algorithms: `ES256`, `EdDSA`. @default ['ES256', 'EdDSA'] */
  readonly algorithms?: readonly ('ES256' | 'EdDSA')[] | undefined
  /** Scopes that a token must have, all of them. @default none */
  readonly scopes?: readonly string[] | undefined
  /** Seconds since a token was issued, within which it is accepted. @default until the token expires */
  readonly maxAge?: number | undefined
  /** Seconds by which the clocks of issuer and API may differ, 0 to 300. @default 15 */
  readonly clockTolerance?: number | undefined
  /**
   * Finds sessions that were ended: `revocations({ url, secret })` of `latchkey/verify/revocations`.
   *
   * Without it, a token of a session that was ended is valid until the token expires.
   *
   * @default none
   */
  readonly revocations?: Revocations | undefined
  /** Loads the keys. @default the global one */
  readonly fetch?: typeof fetch | undefined
}

/** A request with the token in `Authorization: Bearer`, the headers of such a request, or the token. */
export type TokenSource = Request | Headers | string

/** Creates the function that verifies tokens. In its own module, since only this part needs `jose`. */
export function createTokenReader(
  options: TokenVerifierOptions,
): (input: TokenSource) => Promise<Verified> {
  const { issuer, audience, algorithms = ['ES256', 'EdDSA'], scopes, maxAge } = options
  const { clockTolerance = 15 } = options
  const keys = keysOf(options)
  const revoked = options.revocations?.with([])
  return async (input) => {
    // `instanceof` does not work: some runtimes have their own `Request`, and the headers of Next.js have `headers`.
    const headers = typeof input === 'string' || 'get' in input ? input : input.headers
    const token = typeof headers === 'string' ? headers : bearerToken(headers)
    if (token === undefined)
      return { claims: null, why: 'the request has no header `Authorization: Bearer`' }
    if (token === null) return { claims: null, why: 'the header `Authorization` has no token' }
    const audiences = [audience].flat()
    const expected = { issuer, audiences, algorithms, scopes, maxAge, clockTolerance }
    const verified = await verifyAccessToken(token, keys, { ...expected, now: Date.now() })
    const why = verified.claims && revoked && (await whyRevoked(verified.claims, revoked))
    return why ? { claims: null, why } : verified
  }
}

/** Returns why a token is refused if its session was ended, or if this could not be checked. */
async function whyRevoked(
  claims: TokenClaims,
  revoked: RevocationReader,
): Promise<string | undefined> {
  if (claims.sid === undefined) return undefined
  try {
    // Access tokens have no epoch: the record of the session decides.
    const isEnded = await revoked.isEnded({ ...claims, epo: 0 })
    return isEnded ? 'the session was ended' : undefined
  } catch (error) {
    return toError(error).message
  }
}

function keysOf({ issuer, jwks = `${issuer}/jwks`, fetch }: TokenVerifierOptions): JWTVerifyGetKey {
  if (typeof jwks !== 'string') return createLocalJWKSet({ keys: jwks as JWK[] })
  return createRemoteJWKSet(new URL(jwks), {
    cacheMaxAge: 600_000,
    cooldownDuration: 30_000,
    ...(fetch && { [customFetch]: fetch }),
  })
}
