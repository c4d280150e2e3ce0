import { decodeBase64url } from '../encoding/base64url.ts'
import { parseJsonObject } from '../encoding/json.ts'

/**
 * The header of a JWT whose form was checked before (RFC 7515 section 4).
 *
 * @throws {TypeError} when it has none.
 */
export function headerOf(jwt: string): { readonly alg: string } {
  const bytes = decodeBase64url(jwt.slice(0, Math.max(jwt.indexOf('.'), 0)))
  const header = bytes && parseJsonObject(new TextDecoder().decode(bytes))
  const alg = header?.['alg']
  if (typeof alg !== 'string') throw new TypeError('the JWT has no header with an `alg`')
  return { alg }
}
