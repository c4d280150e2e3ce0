import { primitives } from '#crypto'
import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { equal } from '../../base/crypto/equal.ts'
import { encodeHex } from '../../base/encoding/hex.ts'

/**
 * A CSRF token and the value of its cookie: the token, a `|`, and the hash of token and secret. A form sends the token;
 * the cookie proves that the server created it (double submit).
 */
export interface CsrfToken {
  readonly token: string
  readonly cookie: string
}

const TOKEN = /^[0-9a-f]{64}$/

export async function createCsrfToken(
  secret: string,
  random: (length: number) => Uint8Array,
  token: string = encodeHex(random(32)),
): Promise<CsrfToken> {
  return { token, cookie: `${token}|${await hash(token, secret)}` }
}

/**
 * Returns the token of a cookie.
 *
 * @param secrets all of them are accepted for the hash.
 * @returns `undefined` if the hash is invalid.
 */
export async function openCsrfCookie(
  cookie: string | undefined,
  secrets: readonly string[],
): Promise<string | undefined> {
  const [token = '', expected = '', ...more] = cookie?.split('|') ?? []
  if (!TOKEN.test(token) || !TOKEN.test(expected) || more.length > 0) return undefined
  for (const secret of secrets) {
    if (equal(await hash(token, secret), expected)) return token
  }
  return undefined
}

/** Returns the SHA-256 of the value followed by the secret, in lower-case hexadecimal. */
export function hash(value: string, secret: string): MaybePromise<string> {
  return primitives.sha256Hex(value + secret)
}
