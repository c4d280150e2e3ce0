import { encodeBase64url } from '../encoding/base64url.ts'
import { encodeUtf8 } from '../encoding/utf8.ts'

/** Returns the SHA-256 of strings, each prefixed with its length. For keys of values that are not secret. */
export async function digestOf(...parts: string[]): Promise<string> {
  const measured = parts.flatMap((part) => {
    const bytes = encodeUtf8(part)
    return [...encodeUtf8(`${bytes.length}:`), ...bytes]
  })
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(measured))
  return encodeBase64url(new Uint8Array(digest))
}
