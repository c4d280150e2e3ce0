import { decodeBase64url, encodeBase64url } from '../../base/encoding/base64url.ts'

/** The maximum length of a credential id in bytes (WebAuthn section 7.1 step 25). */
const LENGTH_LIMIT = 1023

/**
 * Returns a credential id in the stored format, padded base64. Messages have it in base64url.
 *
 * @returns `undefined` for another format, or if it is longer than an authenticator may create.
 */
export function storedCredentialId(id: string): string | undefined {
  const bytes = bytesOf(id)
  if (!bytes || bytes.length === 0 || bytes.length > LENGTH_LIMIT) return undefined
  return toBase64(bytes)
}

/** Encodes bytes as padded base64 (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** Decodes base64 or base64url, padded or not. @returns `undefined` for another format. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  return decodeBase64url(
    text
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/={1,2}$/, ''),
  )
}
