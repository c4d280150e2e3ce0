import { primitives } from '#crypto'
import type { ContentKey } from '../crypto/crypto.ts'
import { encodeUtf8 } from '../encoding/utf8.ts'
import type { Ports } from '../ports.ts'
import { parseCompactJwe, parseProtectedHeader } from './compact-jwe.ts'
import { judgeClaims } from './sealer.ts'

/** The name of the session cookie, without its prefix. */
export const NEXT_AUTH_4_COOKIE = 'next-auth.session-token'

/** The `info` of the key derivation (RFC 5869); there is no salt. */
const INFO = 'NextAuth.js Generated Encryption Key'

/** Claims of which a session has at least one. Other values were sealed with the same key. */
const WHO = ['sub', 'email', 'name']

/**
 * Returns a function that opens session tokens of next-auth 4: A256GCM, one key for all purposes, no key id.
 *
 * @returns the claims without the claims about the token; `undefined` for other values and expired tokens.
 */
export function nextAuth4Opener(
  secrets: readonly string[],
): (token: string, ports: Pick<Ports, 'now'>) => Promise<Record<string, unknown> | undefined> {
  const keys: ContentKey[] = []
  return async (token, ports) => {
    const jwe = parseCompactJwe(token)
    if (!jwe) return undefined
    const header = parseProtectedHeader(jwe.header)
    if (header?.encryption !== 'A256GCM' || header.kid !== undefined) return undefined
    for (const [index, secret] of secrets.entries()) {
      const key = (keys[index] ??= await primitives.contentKey(
        'A256GCM',
        await primitives.hkdf(secret, '', INFO, 32),
      ))
      const opened = judgeClaims(await key.decrypt(jwe, encodeUtf8(jwe.header)), ports)
      if (!opened) continue
      const { iat: _iat, exp, jti: _jti, ...claims } = opened.claims
      const isSession = WHO.some((name) => typeof claims[name] === 'string')
      return typeof exp === 'number' && isSession ? claims : undefined
    }
    return undefined
  }
}
