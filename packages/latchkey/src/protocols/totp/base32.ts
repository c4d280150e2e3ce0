const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in Base32 without padding (RFC 4648 section 6). */
export function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += LETTERS[(value >> bits) & 31]
    }
  }
  return bits > 0 ? text + LETTERS[(value << (5 - bits)) & 31] : text
}

/** Decodes Base32 without padding. @returns `undefined` for another text. */
export function decodeBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const letter of text) {
    const digit = LETTERS.indexOf(letter)
    if (digit < 0) return undefined
    value = ((value << 5) | digit) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >> bits) & 0xff)
    }
  }
  return new Uint8Array(bytes)
}

/** Returns a text in groups of four, for people who type it. */
export function inGroups(text: string): string {
  return (text.match(/.{1,4}/g) ?? []).join(' ')
}
