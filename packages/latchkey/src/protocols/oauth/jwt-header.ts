import { jwtPart } from '../../base/encoding/jwt-part.ts'

/**
 * Returns the header of a JWT whose form was checked (RFC 7515 section 4).
 *
 * @throws {TypeError} if it has no header with an `alg`.
 */
export function headerOf(jwt: string): { readonly alg: string } {
  const alg = jwtPart(jwt, 0)?.['alg']
  if (typeof alg !== 'string') throw new TypeError('the JWT has no header with an `alg`')
  return { alg }
}

/**
 * Returns the unverified claims of a JWT.
 *
 * @throws {TypeError} if it has no claims.
 */
export function claimsOf(jwt: string): Record<string, unknown> {
  const claims = jwtPart(jwt, 1)
  if (!claims) throw new TypeError('the JWT has no claims')
  return claims
}
