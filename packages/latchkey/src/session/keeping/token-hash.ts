import { primitives } from '#crypto'
import type { Bytes } from '../../base/crypto/crypto.ts'

/** The prefix of a stored hash, which distinguishes it from a session token of Auth.js. */
const MARK = 'lk1_'

const HASHED = /^lk1_[A-Za-z0-9_-]{43}$/

/** Returns whether the value looks like a stored hash. A cookie with such a value is refused. */
export function looksHashed(token: string): boolean {
  return HASHED.test(token)
}

/**
 * Hashes session tokens with a key derived from the secret. Without the secret nobody can find a
 * token for a hash, so a copy of the store has no credentials.
 */
export function createTokenHasher(secret: string): (token: string) => Promise<string> {
  let key: Bytes | undefined
  return async (token) => {
    key ??= await primitives.hkdf(secret, 'latchkey', 'stored session token', 32)
    return MARK + primitives.toBase64url(await primitives.hmacSha256(key, token))
  }
}
