import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import type { Bytes, ContentKey, Crypto } from './crypto.ts'

const TAG_LENGTH = 16
const CBC_TAG_LENGTH = 32

/** The primitives with `node:crypto`: synchronous, and several times faster for a cookie. */
export const primitives: Crypto = {
  sha256: (text) => copy(hash('sha256', text, 'buffer')),
  sha256Hex: (text) => hash('sha256', text, 'hex'),
  sha512: (text) => copy(hash('sha512', text, 'buffer')),
  hmacSha256: (key, text) => copy(createHmac('sha256', key).update(text).digest()),
  hkdf: (secret, salt, info, length) =>
    new Uint8Array(hkdfSync('sha256', secret, salt, info, length)),
  contentKey: (encryption, key) => (encryption === 'A256GCM' ? gcm(key) : cbcHs512(key)),
  toBase64url: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url'),
}

/** RFC 7518 section 5.3. */
function gcm(bytes: Bytes): ContentKey {
  const key = createSecretKey(bytes)
  return {
    encrypt(plaintext, aad, iv) {
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(aad)
      const head = cipher.update(plaintext, 'utf8')
      const tail = cipher.final()
      const ciphertext = tail.length === 0 ? head : Buffer.concat([head, tail])
      return {
        iv: Buffer.from(iv).toString('base64url'),
        ciphertext: ciphertext.toString('base64url'),
        tag: cipher.getAuthTag().toString('base64url'),
      }
    },
    decrypt({ iv, ciphertext, tag }, aad) {
      const nonce = decode(iv)
      const mac = decode(tag)
      const bytes = decode(ciphertext)
      // The cipher accepts shorter tags, which can be guessed. Its option `authTagLength` takes longer than this check.
      if (nonce?.length !== 12 || mac?.length !== TAG_LENGTH || !bytes) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      decipher.setAAD(aad)
      decipher.setAuthTag(mac)
      try {
        const plaintext = decipher.update(bytes)
        decipher.final()
        return plaintext.toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** RFC 7518 section 5.2: the first half of the key authenticates, the second encrypts. */
function cbcHs512(bytes: Bytes): ContentKey {
  const macKey = createSecretKey(bytes.subarray(0, 32))
  const encryptionKey = createSecretKey(bytes.subarray(32))
  const tagOf = (aad: Bytes, iv: Uint8Array, ciphertext: Uint8Array): Buffer => {
    const aadBits = Buffer.alloc(8)
    aadBits.writeBigUInt64BE(BigInt(aad.length * 8))
    // In one call, since each call costs more than the copy.
    const text = Buffer.concat([aad, iv, ciphertext, aadBits])
    return createHmac('sha512', macKey).update(text).digest().subarray(0, CBC_TAG_LENGTH)
  }
  return {
    encrypt(plaintext, aad, iv) {
      const cipher = createCipheriv('aes-256-cbc', encryptionKey, iv)
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return {
        iv: Buffer.from(iv).toString('base64url'),
        ciphertext: ciphertext.toString('base64url'),
        tag: tagOf(aad, iv, ciphertext).toString('base64url'),
      }
    },
    decrypt({ iv, ciphertext, tag }, aad) {
      const vector = decode(iv)
      const mac = decode(tag)
      const sealed = decode(ciphertext)
      if (vector?.length !== 16 || mac?.length !== CBC_TAG_LENGTH || !sealed) return undefined
      if (!timingSafeEqual(tagOf(aad, vector, sealed), mac)) return undefined
      try {
        const decipher = createDecipheriv('aes-256-cbc', encryptionKey, vector)
        return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Decodes base64url strictly. Node ignores other characters, accepts the alphabet of base64, and ignores surplus bits
 * of the last character. A sealed value must have one spelling on every runtime.
 */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const isWhole = Math.ceil((bytes.length * 4) / 3) === text.length
  const lastMayBe = LAST[bytes.length % 3]
  const isSpelledWell = lastMayBe === undefined || lastMayBe.includes(text.at(-1) ?? '')
  return isWhole && isSpelledWell && !text.includes('+') && !text.includes('/') ? bytes : undefined
}

/** The last characters without surplus bits, by the number of bytes after the last group of three. */
const LAST = [undefined, 'AQgw', 'AEIMQUYcgkosw048'] as const

/** Copies a buffer out of Node's shared pool. */
function copy(buffer: Buffer): Bytes {
  return new Uint8Array(buffer)
}
