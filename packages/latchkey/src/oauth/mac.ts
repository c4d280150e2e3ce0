import { encodeUtf8 } from '../encoding/utf8.ts'

/** Returns the client's secret as the key of an HMAC (RFC 7518 section 3.2): `HS256` and its like. */
export function importMacKey(
  secret: string,
  alg: string,
  usage: 'sign' | 'verify',
): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: `SHA-${alg.slice(2)}` }
  return crypto.subtle.importKey('raw', encodeUtf8(secret), algorithm, false, [usage])
}
