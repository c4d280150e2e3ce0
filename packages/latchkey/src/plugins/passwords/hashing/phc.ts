import { decodeBase64, encodeBase64 } from './base64.ts'

/** A hash of Argon2 (RFC 9106). */
export interface Argon2Hash {
  readonly type: 'argon2id' | 'argon2i'
  /** 19 is version 1.3, 16 is version 1.0. */
  readonly version: 16 | 19
  /** KiB */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Uint8Array<ArrayBuffer>
  readonly tag: Uint8Array<ArrayBuffer>
}

/** A hash of scrypt (RFC 7914). */
export interface ScryptHash {
  readonly type: 'scrypt'
  /** The logarithm of N to the base 2. */
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Uint8Array<ArrayBuffer>
  readonly tag: Uint8Array<ArrayBuffer>
}

export type PhcHash = Argon2Hash | ScryptHash

const NUMBER = '([1-9]\\d{0,14})'
const BYTES = '([A-Za-z0-9+/]+)'
const ARGON2 = new RegExp(
  `^\\$(argon2id|argon2i)(?:\\$v=(16|19))?\\$m=${NUMBER},t=${NUMBER},p=${NUMBER}\\$${BYTES}\\$${BYTES}$`,
)
const SCRYPT = new RegExp(
  `^\\$scrypt\\$ln=${NUMBER},r=${NUMBER},p=${NUMBER}\\$${BYTES}\\$${BYTES}$`,
)

/** Returns the text of a hash in the PHC string format. */
export function serializePhc(hash: PhcHash): string {
  const bytes = `${encodeBase64(hash.salt)}$${encodeBase64(hash.tag)}`
  if (hash.type === 'scrypt') return `$scrypt$ln=${hash.ln},r=${hash.r},p=${hash.p}$${bytes}`
  const { type, version, memory, passes, parallelism } = hash
  return `$${type}$v=${version}$m=${memory},t=${passes},p=${parallelism}$${bytes}`
}

/**
 * Parses a hash of Argon2 or scrypt in the PHC string format. Argon2d, and parameters such as `keyid` and `data`, are not
 * understood.
 */
export function parsePhc(text: string): PhcHash | undefined {
  const ofArgon2 = ARGON2.exec(text)
  if (ofArgon2) {
    const [, type, version = '16', memory, passes, parallelism, salt, tag] = ofArgon2
    const bytes = bytesOf(salt, tag)
    // RFC 9106 section 3.1: 8 KiB for each lane.
    if (!bytes || Number(memory) < 8 * Number(parallelism)) return undefined
    return {
      type: type as Argon2Hash['type'],
      version: Number(version) as Argon2Hash['version'],
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      ...bytes,
    }
  }
  const ofScrypt = SCRYPT.exec(text)
  if (!ofScrypt) return undefined
  const [, ln, r, p, salt, tag] = ofScrypt
  const bytes = bytesOf(salt, tag)
  const numbers = { ln: Number(ln), r: Number(r), p: Number(p) }
  return bytes && isScrypt(numbers) ? { type: 'scrypt', ...numbers, ...bytes } : undefined
}

/** Returns whether scrypt exists with these parameters (RFC 7914 section 6). */
export function isScrypt({ ln, r, p }: Pick<ScryptHash, 'ln' | 'r' | 'p'>): boolean {
  return ln >= 1 && r >= 1 && p >= 1 && ln < 16 * r
}

/** Returns salt and tag, if they can be of a hash: too short a tag would fit many passwords. */
function bytesOf(
  saltText = '',
  tagText = '',
): { salt: Uint8Array<ArrayBuffer>; tag: Uint8Array<ArrayBuffer> } | undefined {
  const salt = decodeBase64(saltText)
  const tag = decodeBase64(tagText)
  if (!salt || !tag || salt.length < 8 || tag.length < 16 || tag.length > 128) return undefined
  return { salt, tag }
}
