import { encodeBase64url } from '../encoding/base64url.ts'
import { encodeUtf8 } from '../encoding/utf8.ts'
import type { Bytes } from './crypto.ts'

/** The HKDF salt of all keys for values that plugins store and prove. */
export const KEY_SALT = 'latchkey.records'

/** @param bytes 32. */
export function hashKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/**
 * Returns the HMAC-SHA-256 in base64url. Each part is prefixed with its length, so that other divisions have other
 * hashes.
 */
export async function keyedHash(key: CryptoKey, parts: readonly string[]): Promise<string> {
  const measured = parts.flatMap((part) => {
    const text = encodeUtf8(part)
    const length = new DataView(new ArrayBuffer(4))
    length.setUint32(0, text.length)
    return [...new Uint8Array(length.buffer), ...text]
  })
  const mac = await crypto.subtle.sign('HMAC', key, new Uint8Array(measured))
  return encodeBase64url(new Uint8Array(mac))
}
