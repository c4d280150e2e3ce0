import { primitives } from '#crypto'
import type { ContentKey } from '../../base/crypto/crypto.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import type { Ports } from '../../base/ports.ts'
import { parseCompactJwe, parseProtectedHeader } from './compact-jwe.ts'
import { judgeClaims } from './sealer.ts'

/** The name of the session cookie, without its prefix. */
export const NEXT_AUTH_4_COOKIE = 'next-auth.session-token'

/** The `info` of the key derivation (RFC 5869); there is no salt. */
const INFO = 'NextAuth.js Generated Encryption Key'

/** Claims of which a session has at least one. Other values were sealed with the same key. */
const WHO = ['sub', 'email', 'name']

type Opener = (
  token: string,
  ports: Pick<Ports, 'now'>,
) => Promise<Record<string, unknown> | undefined>

/** Like {@link nextAuth4TokenOpener}, without the claims about the token. */
export function nextAuth4Opener(secrets: readonly string[]): Opener {
  const open = nextAuth4TokenOpener(secrets)
  return async (token, ports) => {
    const { iat: _iat, exp: _exp, jti: _jti, ...claims } = (await open(token, ports)) ?? {}
    return Object.keys(claims).length > 0 ? claims : undefined
  }
}

/**
 * Returns a function that opens session tokens of next-auth 4: A256GCM, one key for all purposes, no key id.
 *
 * @returns the claims; `undefined` for other values and expired tokens.
 */
export function nextAuth4TokenOpener(secrets: readonly string[]): Opener {
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
      const { claims } = opened
      const isSession = WHO.some((name) => typeof claims[name] === 'string')
      return typeof claims['exp'] === 'number' && isSession ? claims : undefined
    }
    return undefined
  }
}
