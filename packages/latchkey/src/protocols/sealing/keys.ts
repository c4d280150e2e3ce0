import { primitives } from '#crypto'
import {
  type Bytes,
  type ContentEncryption,
  type ContentKey,
  keyLength,
  type MaybePromise,
  type Secret,
} from '../../base/crypto/crypto.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'

/** A key for one secret, purpose and content encryption, with its protected header. */
export interface SealingKey {
  readonly encryption: ContentEncryption
  /** The protected header, base64url. */
  readonly header: string
  /** The header as bytes (RFC 7516 section 5.1, step 14). */
  readonly aad: Bytes
  readonly kid: string
  readonly content: ContentKey
}

/** Maximum number of cached keys of all configurations. */
const LIMIT = 500

const kept = new Map<string, MaybePromise<SealingKey>>()

/**
 * Returns the key for a purpose, derived once for each secret (HKDF, RFC 5869) and cached.
 *
 * @param salt the purpose: the name of the cookie with the sealed value.
 */
export function sealingKey(
  encryption: ContentEncryption,
  secret: Secret,
  salt: string,
): MaybePromise<SealingKey> {
  const id = nameOf(encryption, secret, salt)
  const known = kept.get(id)
  if (known) return known
  if (kept.size >= LIMIT) kept.delete(kept.keys().next().value as string)
  const derived = derive(encryption, secret, salt)
  kept.set(id, derived)
  if (derived instanceof Promise) {
    derived.then(
      (key) => kept.set(id, key),
      () => kept.delete(id),
    )
  }
  return derived
}

/** Returns the key for a purpose if it is already derived. */
export function knownKey(
  encryption: ContentEncryption,
  secret: Secret,
  salt: string,
): SealingKey | undefined {
  const key = kept.get(nameOf(encryption, secret, salt))
  return key instanceof Promise ? undefined : key
}

/** Returns the name of a key among the cached keys. */
function nameOf(encryption: ContentEncryption, secret: Secret, salt: string): string {
  const of =
    typeof secret === 'string' ? `text ${secret}` : `bytes ${primitives.toBase64url(secret)}`
  return `${encryption} ${salt.length} ${salt} ${of}`
}

/** Derives the key bytes. `info` is the text of Auth.js, so that its tokens can be read. */
function derive(
  encryption: ContentEncryption,
  secret: Secret,
  salt: string,
): MaybePromise<SealingKey> {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const bytes = primitives.hkdf(secret, salt, info, keyLength[encryption])
  return bytes instanceof Promise
    ? bytes.then((key) => describe(encryption, key))
    : describe(encryption, bytes)
}

function describe(
  encryption: ContentEncryption,
  bytes: Uint8Array<ArrayBuffer>,
): MaybePromise<SealingKey> {
  // RFC 7638 section 3.2: the required members of a symmetric key, in this order.
  const jwk = `{"k":"${primitives.toBase64url(bytes)}","kty":"oct"}`
  const print = encryption === 'A256GCM' ? primitives.sha256(jwk) : primitives.sha512(jwk)
  const content = primitives.contentKey(encryption, bytes)
  return print instanceof Promise || content instanceof Promise
    ? Promise.all([print, content]).then(([p, c]) => finish(encryption, p, c))
    : finish(encryption, print, content)
}

function finish(encryption: ContentEncryption, print: Uint8Array, content: ContentKey): SealingKey {
  const kid = primitives.toBase64url(print)
  const members = JSON.stringify({ alg: 'dir', enc: encryption, kid })
  const header = primitives.toBase64url(encodeUtf8(members))
  return { encryption, kid, content, header, aad: encodeUtf8(header) }
}
