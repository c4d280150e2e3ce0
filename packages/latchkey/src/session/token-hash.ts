import { primitives } from '#crypto'
import type { Bytes } from '../crypto/crypto.ts'

/** How a stored hash begins, so that it can be told from a session token as Auth.js stores it. */
const MARK = 'lk1_'

const HASHED = /^lk1_[A-Za-z0-9_-]{43}$/

/** Does this look like what is stored instead of a session token? Such a cookie is refused. */
export function looksHashed(token: string): boolean {
  return HASHED.test(token)
}

/**
 * Hashes session tokens with a key derived from the secret. Without the secret nobody finds a
 * token that fits a hash, so a copy of the store signs nobody in.
 */
export function createTokenHasher(secret: string): (token: string) => Promise<string> {
  let key: Bytes | undefined
  return async (token) => {
    key ??= await primitives.hkdf(secret, 'latchkey', 'stored session token', 32)
    return MARK + primitives.toBase64url(await primitives.hmacSha256(key, token))
  }
}
