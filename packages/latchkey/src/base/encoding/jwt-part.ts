import { decodeBase64url } from './base64url.ts'
import { parseJsonObject } from './json.ts'

/**
 * Returns one part of an unverified JWT in compact form: 0 is the header, 1 the claims (RFC 7515 section 7.1).
 *
 * @returns `undefined` if it is not a JWT, or the part is not a JSON object.
 */
export function jwtPart(jwt: unknown, part: 0 | 1): Record<string, unknown> | undefined {
  const encoded = typeof jwt === 'string' ? jwt.split('.', 2)[part] : undefined
  const bytes = encoded === undefined ? undefined : decodeBase64url(encoded)
  return bytes && parseJsonObject(new TextDecoder().decode(bytes))
}
