import { jwtPart } from '../encoding/jwt-part.ts'

/**
 * The header of a JWT whose form was checked before (RFC 7515 section 4).
 *
 * @throws {TypeError} when it has none.
 */
export function headerOf(jwt: string): { readonly alg: string } {
  const alg = jwtPart(jwt, 0)?.['alg']
  if (typeof alg !== 'string') throw new TypeError('the JWT has no header with an `alg`')
  return { alg }
}

/**
 * The claims of a JWT, which nobody has verified.
 *
 * @throws {TypeError} when it has none.
 */
export function claimsOf(jwt: string): Record<string, unknown> {
  const claims = jwtPart(jwt, 1)
  if (!claims) throw new TypeError('the JWT has no claims')
  return claims
}
