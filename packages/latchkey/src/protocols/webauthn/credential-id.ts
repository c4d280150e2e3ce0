import { decodeBase64url, encodeBase64url } from '../../base/encoding/base64url.ts'

/** Longest credential id, bytes (WebAuthn section 7.1 step 25). */
const LENGTH_LIMIT = 1023

/**
 * A credential id as it is stored: padded base64. It travels as base64url.
 *
 * @returns `undefined` when the text is neither, or no authenticator makes one that long.
 */
export function storedCredentialId(id: string): string | undefined {
  const bytes = bytesOf(id)
  if (!bytes || bytes.length === 0 || bytes.length > LENGTH_LIMIT) return undefined
  return toBase64(bytes)
}

/** Padded base64 (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** Bytes of base64 or base64url, padded or not; `undefined` when the text is neither. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  return decodeBase64url(
    text
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/={1,2}$/, ''),
  )
}
