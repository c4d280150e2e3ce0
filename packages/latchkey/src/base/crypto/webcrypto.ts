import { decodeBase64url, encodeBase64url } from '../encoding/base64url.ts'
import { concat } from '../encoding/concat.ts'
import { encodeHex } from '../encoding/hex.ts'
import { decodeUtf8, encodeUtf8 } from '../encoding/utf8.ts'
import type { Bytes, ContentKey, Crypto } from './crypto.ts'

const TAG_LENGTH = 16
const CBC_TAG_LENGTH = 32

/** The primitives with Web Cryptography, which every runtime has. */
export const primitives: Crypto = {
  sha256Hex: async (text) => encodeHex(await primitives.sha256(text)),
  sha256: async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', encodeUtf8(text))),
  sha512: async (text) => new Uint8Array(await crypto.subtle.digest('SHA-512', encodeUtf8(text))),
  async hmacSha256(key, text) {
    const imported = await hmacKey(key, 'SHA-256')
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encodeUtf8(text)))
  },
  async hkdf(secret, salt, info, length) {
    const material = await crypto.subtle.importKey(
      'raw',
      typeof secret === 'string' ? encodeUtf8(secret) : new Uint8Array(secret),
      'HKDF',
      false,
      ['deriveBits'],
    )
    const bits = await crypto.subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt: encodeUtf8(salt), info: encodeUtf8(info) },
      material,
      length * 8,
    )
    return new Uint8Array(bits)
  },
  contentKey: (encryption, key) => (encryption === 'A256GCM' ? gcm(key) : cbcHs512(key)),
  toBase64url: encodeBase64url,
}

function hmacKey(key: Bytes, hash: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign', 'verify'])
}

/** RFC 7518 section 5.3. */
async function gcm(bytes: Bytes): Promise<ContentKey> {
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return {
    async encrypt(plaintext, aad, iv) {
      const algorithm = { name: 'AES-GCM', iv, additionalData: aad }
      const both = new Uint8Array(
        await crypto.subtle.encrypt(algorithm, key, encodeUtf8(plaintext)),
      )
      const end = both.length - TAG_LENGTH
      return {
        iv: encodeBase64url(iv),
        ciphertext: encodeBase64url(both.subarray(0, end)),
        tag: encodeBase64url(both.subarray(end)),
      }
    },
    async decrypt(sealed, aad) {
      const iv = decodeBase64url(sealed.iv)
      const ciphertext = decodeBase64url(sealed.ciphertext)
      const tag = decodeBase64url(sealed.tag)
      if (iv?.length !== 12 || !ciphertext || tag?.length !== TAG_LENGTH) return undefined
      const algorithm = { name: 'AES-GCM', iv, additionalData: aad }
      return opened(crypto.subtle.decrypt(algorithm, key, concat([ciphertext, tag])))
    },
  }
}

/** RFC 7518 section 5.2: the first half of the key authenticates, the second encrypts. */
async function cbcHs512(bytes: Bytes): Promise<ContentKey> {
  const macKey = await hmacKey(bytes.slice(0, 32), 'SHA-512')
  const key = await crypto.subtle.importKey('raw', bytes.slice(32), 'AES-CBC', false, [
    'encrypt',
    'decrypt',
  ])
  const tagOf = async (aad: Bytes, iv: Uint8Array, ciphertext: Uint8Array): Promise<Bytes> => {
    const aadBits = new Uint8Array(8)
    new DataView(aadBits.buffer).setBigUint64(0, BigInt(aad.length * 8))
    const input = concat([aad, iv, ciphertext, aadBits])
    return new Uint8Array(await crypto.subtle.sign('HMAC', macKey, input)).slice(0, CBC_TAG_LENGTH)
  }
  return {
    async encrypt(plaintext, aad, iv) {
      const algorithm = { name: 'AES-CBC', iv }
      const ciphertext = new Uint8Array(
        await crypto.subtle.encrypt(algorithm, key, encodeUtf8(plaintext)),
      )
      return {
        iv: encodeBase64url(iv),
        ciphertext: encodeBase64url(ciphertext),
        tag: encodeBase64url(await tagOf(aad, iv, ciphertext)),
      }
    },
    async decrypt(sealed, aad) {
      const iv = decodeBase64url(sealed.iv)
      const ciphertext = decodeBase64url(sealed.ciphertext)
      const tag = decodeBase64url(sealed.tag)
      if (iv?.length !== 16 || !ciphertext || tag?.length !== CBC_TAG_LENGTH) return undefined
      const expected = await tagOf(aad, iv, ciphertext)
      let difference = 0
      for (let i = 0; i < CBC_TAG_LENGTH; i++) {
        difference |= (expected[i] as number) ^ (tag[i] as number)
      }
      if (difference !== 0) return undefined
      return opened(crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, ciphertext))
    },
  }
}

async function opened(decryption: Promise<ArrayBuffer>): Promise<string | undefined> {
  try {
    return decodeUtf8(new Uint8Array(await decryption))
  } catch {
    return undefined
  }
}
