/** A value if the runtime has a synchronous implementation, otherwise a promise. */
export type MaybePromise<T> = T | Promise<T>

export type Bytes = Uint8Array<ArrayBuffer>

/** The supported content encryptions (RFC 7518 sections 5.2.5 and 5.3). New values use the first. */
export const contentEncryptions = ['A256GCM', 'A256CBC-HS512'] as const

export type ContentEncryption = (typeof contentEncryptions)[number]

/** A content encryption key. */
export interface ContentKey {
  /** @param aad additional authenticated data */
  encrypt(plaintext: string, aad: Bytes, iv: Bytes): MaybePromise<Sealed>
  /** @returns the plaintext; `undefined` if the authentication tag is wrong. */
  decrypt(sealed: Sealed, aad: Bytes): MaybePromise<string | undefined>
}

/** The result of an encryption, base64url. */
export interface Sealed {
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** Length of the initialization vector, bytes. */
export const ivLength: Readonly<Record<ContentEncryption, number>> = {
  A256GCM: 12,
  'A256CBC-HS512': 16,
}

/** Length of the content encryption key, bytes. */
export const keyLength: Readonly<Record<ContentEncryption, number>> = {
  A256GCM: 32,
  'A256CBC-HS512': 64,
}

/** The input of key derivation; a string is encoded as UTF-8. */
export type Secret = string | Uint8Array

/** The cryptographic primitives of the core. Strings are encoded as UTF-8. */
export interface Crypto {
  sha256(text: string): MaybePromise<Bytes>
  /** Lower-case hexadecimal. */
  sha256Hex(text: string): MaybePromise<string>
  sha512(text: string): MaybePromise<Bytes>
  /** HMAC (RFC 2104) with SHA-256. */
  hmacSha256(key: Bytes, text: string): MaybePromise<Bytes>
  /** HKDF with SHA-256 (RFC 5869). @param length bytes */
  hkdf(secret: Secret, salt: string, info: string, length: number): MaybePromise<Bytes>
  contentKey(encryption: ContentEncryption, key: Bytes): MaybePromise<ContentKey>
  toBase64url(bytes: Uint8Array): string
}
