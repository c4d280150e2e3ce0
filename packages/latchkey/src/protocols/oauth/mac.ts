import { encodeUtf8 } from '../../base/encoding/utf8.ts'

/** Returns the client secret as an HMAC key (RFC 7518 section 3.2), for `HS256`, `HS384` and `HS512`. */
export function importMacKey(
  secret: string,
  alg: string,
  usage: 'sign' | 'verify',
): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: `SHA-${alg.slice(2)}` }
  return crypto.subtle.importKey('raw', encodeUtf8(secret), algorithm, false, [usage])
}
