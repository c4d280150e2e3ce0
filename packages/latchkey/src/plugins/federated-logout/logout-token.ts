import { isJsonObject, jwtPart, type ProviderClient } from '../../entries/plugin.ts'
import type { Backchannel } from './settings.ts'

/** A failed check of a logout token, by its number. The error does not contain the token. */
export class FailedCheck extends Error {
  override readonly name = 'FailedCheck'
  readonly check: number

  constructor(check: number) {
    super(`check ${check}`)
    this.check = check
  }
}

type Claims = Readonly<Record<string, unknown>>

/** A logout token whose signature was not verified. */
export interface UnverifiedToken {
  readonly jwt: string
  readonly claims: Claims
}

/** The subject or session that a provider logged out. */
export interface LogoutToken {
  readonly issuer: string
  readonly sub?: string | undefined
  readonly sid?: string | undefined
  /** In seconds since the epoch. */
  readonly iat: number
  readonly jti: string
}

/** In bytes. */
const LONGEST_HEADER = 1024

/** In characters, for `sub`, `sid` and `jti`. */
const LONGEST_NAME = 255

/** RFC 7519 section 5.1: types are compared without regard to case, and without `application/`. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'logout+jwt']

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Runs the checks that need no key (OpenID Connect Back-Channel Logout 1.0 section 2.6): checks 2 to 5.
 *
 * @throws {FailedCheck}
 */
export function readLogoutToken(jwt: string, client: ProviderClient): UnverifiedToken {
  const parts = jwt.split('.')
  const [head = '', , signature = ''] = parts
  // Base64 has four characters for three bytes. A JWE has five parts, and encryption is not supported.
  const isCompact = parts.length === 3 && head.length <= (LONGEST_HEADER * 4) / 3
  if (!isCompact || signature === '') throw new FailedCheck(2)
  const header = jwtPart(jwt, 0)
  const claims = jwtPart(jwt, 1)
  if (!header || !claims || header['crit'] !== undefined) throw new FailedCheck(2)
  const { alg, typ } = header
  if (typeof alg !== 'string' || !client.acceptsAlgorithm(alg)) throw new FailedCheck(3)
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (!TYPES.includes(type)) throw new FailedCheck(4)
  if (!isBetween(claims, client)) throw new FailedCheck(5)
  // Other types are invalid, even with a valid signature.
  for (const time of [claims['iat'], claims['exp'], claims['nbf']]) {
    if (time !== undefined && typeof time !== 'number') throw new FailedCheck(8)
  }
  return { jwt, claims }
}

/** Returns whether the token names the issuer and the client. */
function isBetween({ iss, aud }: UnverifiedToken['claims'], client: ProviderClient): boolean {
  const isForUs = aud === client.clientId || (Array.isArray(aud) && aud.includes(client.clientId))
  return typeof iss === 'string' && client.isIssuer(iss) && isForUs
}

/**
 * Runs the checks of a token with a valid signature: checks 8 to 12, except whether it was used before.
 *
 * @param now in milliseconds since the epoch.
 * @throws {FailedCheck}
 */
export function judgeLogoutToken(
  { claims }: UnverifiedToken,
  { members }: ProviderClient,
  { maxAge, skew, requireSid }: Backchannel,
  now: number,
): LogoutToken {
  const { iss, iat, events, sub, sid, jti } = claims
  const { exp: needed } = (members['logoutToken'] ?? {}) as { exp?: string }
  if (!isTimely(claims, { maxAge, skew, needsEnd: needed !== 'optional' }, now / 1000))
    throw new FailedCheck(8)
  if (!isJsonObject(events) || !isJsonObject(events[EVENT])) throw new FailedCheck(9)
  const isNamed =
    isNameOrAbsent(sub) &&
    isNameOrAbsent(sid) &&
    (sid !== undefined || (sub !== undefined && !requireSid))
  if (!isNamed) throw new FailedCheck(10)
  if ('nonce' in claims) throw new FailedCheck(11)
  if (!isName(jti)) throw new FailedCheck(12)
  return { issuer: String(iss), sub, sid, iat, jti } as LogoutToken
}

/** @param seconds the current time, since the epoch. */
function isTimely(
  { iat, exp, nbf }: UnverifiedToken['claims'],
  { maxAge, skew, needsEnd }: Pick<Backchannel, 'maxAge' | 'skew'> & { readonly needsEnd: boolean },
  seconds: number,
): boolean {
  const isFresh = typeof iat === 'number' && iat >= seconds - maxAge - skew && iat <= seconds + skew
  const hasEnd = exp === undefined ? !needsEnd : typeof exp === 'number' && exp > seconds
  const hasBegun = nbf === undefined || (typeof nbf === 'number' && nbf <= seconds + skew)
  return isFresh && hasEnd && hasBegun
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME
}

function isNameOrAbsent(value: unknown): boolean {
  return value === undefined || isName(value)
}
