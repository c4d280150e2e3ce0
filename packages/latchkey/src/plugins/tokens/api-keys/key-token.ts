/** The digits of keys, in the order of their values. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const ID_LENGTH = 16
/** 43 digits of base 62 are 256 bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/** The parts of a key, as its holder sends it. */
export interface KeyToken {
  /** The id of the key. It is not a credential. */
  readonly id: string
  readonly secret: string
}

/** Returns a random key. */
export function drawKey(random: (length: number) => Uint8Array): KeyToken {
  return { id: drawDigits(ID_LENGTH, random), secret: drawDigits(SECRET_LENGTH, random) }
}

/**
 * Returns the text of a key: prefix, id, secret and checksum. Scanners recognize a leaked key by the prefix and the
 * checksum.
 */
export function formatKey(prefix: string, { id, secret }: KeyToken): string {
  const text = `${prefix}_${id}${secret}`
  return text + checksumOf(text)
}

/** @returns `undefined` for a text that is not a key, or has a typing mistake. */
export function parseKey(prefix: string, text: string): KeyToken | undefined {
  const start = prefix.length + 1
  if (text.length !== start + ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH) return undefined
  const body = text.slice(0, -CHECKSUM_LENGTH)
  if (!body.startsWith(`${prefix}_`) || !/^[0-9A-Za-z]+$/.test(text.slice(start))) return undefined
  if (text.slice(-CHECKSUM_LENGTH) !== checksumOf(body)) return undefined
  return { id: body.slice(start, start + ID_LENGTH), secret: body.slice(start + ID_LENGTH) }
}

/** Returns random digits, each equally likely: bytes from 248 on are drawn again. */
function drawDigits(length: number, random: (length: number) => Uint8Array): string {
  let digits = ''
  while (digits.length < length) {
    for (const byte of random(length))
      if (byte < 248 && digits.length < length) digits += ALPHABET[byte % 62]
  }
  return digits
}

/** Returns the CRC-32 in base 62, six digits. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Returns the CRC-32 of ASCII text (ISO 3309, the polynomial of zip and Ethernet). */
export function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}
