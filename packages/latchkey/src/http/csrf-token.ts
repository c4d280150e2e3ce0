import { primitives } from '#crypto'
import type { MaybePromise } from '../crypto/crypto.ts'
import { equal } from '../crypto/equal.ts'
import { encodeHex } from '../encoding/hex.ts'

/**
 * A CSRF token and the value of its cookie: the token and, behind a bar, its hash with the secret.
 * Double submit: a form sends the token, the cookie proves that we drew it.
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
 * The token in a cookie of ours.
 *
 * @param secrets any of them may have made the hash.
 * @returns `undefined` when we did not make it.
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

/** Lower-case hex SHA-256 of the value followed by the secret. */
export function hash(value: string, secret: string): MaybePromise<string> {
  return primitives.sha256Hex(value + secret)
}
