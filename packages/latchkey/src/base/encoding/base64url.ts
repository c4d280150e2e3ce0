const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const CODES = new Int16Array(128).fill(-1)
for (let i = 0; i < 64; i++) CODES[ALPHABET.charCodeAt(i)] = i

/** Encodes bytes as base64url without padding (RFC 4648 section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const group =
      ((bytes[i] as number) << 16) |
      ((left > 1 ? (bytes[i + 1] as number) : 0) << 8) |
      (left > 2 ? (bytes[i + 2] as number) : 0)
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63)
    if (left > 1) text += ALPHABET.charAt((group >> 6) & 63)
    if (left > 2) text += ALPHABET.charAt(group & 63)
  }
  return text
}

/**
 * Decodes base64url strictly: no padding, no other characters, no surplus bits.
 *
 * @returns `undefined` if the text is not base64url.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const rest = text.length % 4
  if (rest === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const value = unit < 128 ? (CODES[unit] as number) : -1
    if (value < 0) return undefined
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (held >> bits) & 0xff
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
