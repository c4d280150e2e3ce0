import { encodeBase64url } from '../../base/encoding/base64url.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import { headerOf } from './jwt-header.ts'

/**
 * Compares the hash of an access token or a code with the hash in the ID token, if it has one (OpenID Connect Core
 * sections 3.1.3.8 and 3.3.2.10).
 *
 * @throws {TypeError} if they differ, or if no hash is defined for the algorithm of the signature.
 */
export async function checkTokenHash(
  claim: 'at_hash' | 'c_hash',
  claims: Readonly<Record<string, unknown>>,
  idToken: string,
  value: string,
): Promise<void> {
  const expected = claims[claim]
  if (expected === undefined) return
  const hash = hashOf(headerOf(idToken).alg)
  const digest = new Uint8Array(await crypto.subtle.digest(hash, encodeUtf8(value)))
  if (encodeBase64url(digest.slice(0, digest.length / 2)) !== expected) {
    throw new TypeError(`the ID token does not belong to this response: wrong \`${claim}\``)
  }
}

function hashOf(alg: string): string {
  const size = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : /(?:256|384|512)$/.exec(alg)?.[0]
  if (size === undefined) throw new TypeError(`no hash is defined for the algorithm ${alg}`)
  return `SHA-${size}`
}
