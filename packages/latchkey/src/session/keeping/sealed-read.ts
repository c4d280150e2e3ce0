import { isJsonObject } from '../../base/encoding/json.ts'
import { JWTSessionError } from '../../base/errors.ts'
import type { JWT } from '../../model/jwt.ts'
import type { Session } from '../../model/session.ts'
import type { SessionParams } from '../../options/callbacks.ts'
import type { Opened } from '../../protocols/sealing/sealer.ts'
import type { SessionCallbacks } from '../services.ts'
import type { ReadingOptions } from '../strategy.ts'
import type { JwtCodec } from './jwt-codec.ts'

/**
 * Opens a session token.
 *
 * @throws {JWTSessionError} if it cannot be opened.
 */
export async function openToken(
  value: string,
  salt: string,
  { decode, why }: Pick<JwtCodec, 'decode' | 'why'>,
  maxAge?: number,
): Promise<Opened> {
  const opened = await decode(value, salt, maxAge)
  if (!opened) {
    throw new JWTSessionError(`the session token cannot be opened: ${await why(value, salt)}`)
  }
  return opened
}

/**
 * Returns the token after the `jwt` callback; `null` if the callback ends the session.
 *
 * @param restore restores the claims of plugins, which the callback cannot change.
 */
export async function applyJwtCallback(
  claims: JWT,
  { jwt }: Pick<SessionCallbacks, 'jwt'>,
  restore: ((token: JWT, claims: JWT) => JWT) | undefined,
  update?: ReadingOptions['update'],
): Promise<JWT | null> {
  if (!jwt) return claims
  const token = await jwt({
    // A copy, because the callback may change its argument.
    token: restore ? structuredClone(claims) : claims,
    session: update?.data,
    ...(update ? { trigger: 'update' as const } : {}),
  })
  if (token === null) return null
  return restore ? restore(claimsOf(token), claims) : claimsOf(token)
}

/** @throws {JWTSessionError} if the `jwt` callback did not return a token. */
export function claimsOf(token: unknown): JWT {
  if (isJsonObject(token)) return token
  throw new JWTSessionError('the `jwt` callback returned neither an object nor null')
}

/** Returns the session that the browser receives, after the `session` callback. */
export async function publicSession(
  token: JWT,
  expires: Date,
  callbacks: SessionCallbacks,
  update?: ReadingOptions['update'],
): Promise<Session> {
  return callbacks.session({
    session: {
      user: { name: token['name'], email: token['email'], image: token['picture'] },
      expires: expires.toISOString(),
    },
    token,
    ...(update ? { newSession: update.data, trigger: 'update' } : {}),
  } as unknown as SessionParams)
}

/** Returns when a session expires if it is not extended, milliseconds since the epoch; never in the past. */
export function expiryOf(
  { iat, exp }: Record<string, unknown>,
  now: number,
  maxAge: number,
): number {
  // The cookie expires `maxAge` after it was written, even if the token is valid for longer.
  const cookie = (typeof iat === 'number' ? iat * 1000 : now) + maxAge * 1000
  // A token is accepted for some seconds after its expiry, because clocks differ.
  return Math.max(now, typeof exp === 'number' ? Math.min(exp * 1000, cookie) : cookie)
}
