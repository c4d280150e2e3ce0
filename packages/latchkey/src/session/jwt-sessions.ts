import { definedOnly } from '../encoding/defined-only.ts'
import { isJsonObject } from '../encoding/json.ts'
import { isAuthError, JWTSessionError, toError } from '../errors.ts'
import { clearChunked, readChunked, writeChunked } from '../http/cookie-chunks.ts'
import type { Cookie } from '../http/cookies.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser } from '../model/user.ts'
import type { SessionParams } from '../options/callbacks.ts'
import type { Opened } from '../sealing/sealer.ts'
import type { JwtCodec } from './jwt-codec.ts'
import type { SessionCallbacks, SessionServices } from './services.ts'
import type { Store } from './store.ts'
import type { ReadingOptions, SessionReading, SessionRequest, SessionStrategy } from './strategy.ts'

/** Longest session token, characters: common proxies refuse headers of 16 kB. */
const TOKEN_LIMIT = 15_000

/** Sessions that are sealed in the browser's cookie. */
export function jwtSessions(
  services: SessionServices,
  codec: JwtCodec,
  store: Store | undefined,
): SessionStrategy {
  const { callbacks, cookies, emit, logger, maxAge, ports, tokenMaxAge } = services

  async function write(token: JWT, request: SessionRequest): Promise<Cookie[]> {
    const spec = cookies(request.secure).sessionToken
    const value = await codec.encode(token, spec.name)
    if (value.length > TOKEN_LIMIT) {
      throw new JWTSessionError(
        `the session token has ${value.length} characters, more than the ${TOKEN_LIMIT} that fit ` +
          'into a request; keep less in the `jwt` callback',
      )
    }
    if (value.length > TOKEN_LIMIT * 0.8) {
      logger.warn('session-size', `${value.length} of ${TOKEN_LIMIT} characters are used`)
    }
    const written = writeChunked(
      request.cookies,
      spec,
      value,
      new Date(ports.now() + maxAge * 1000),
    )
    if (written.length > 1) {
      logger.debug('CHUNKING_SESSION_COOKIE', () => ({
        size: value.length,
        pieces: written.map((piece) => piece.value.length),
      }))
    }
    return written
  }

  const clear = (request: SessionRequest): Cookie[] =>
    clearChunked(request.cookies, cookies(request.secure).sessionToken)

  const open = ({ cookies: jar, secure }: SessionRequest): Promise<Opened | null> => {
    const { name } = cookies(secure).sessionToken
    return openToken(readChunked(jar, name), name, codec.decode)
  }

  return {
    name: 'jwt',

    async issue(signedIn, request) {
      const { user, isNewUser } = signedIn
      const { name, email, image: picture, id } = user
      const token: JWT = definedOnly({
        name,
        email,
        picture,
        sub: id === undefined ? id : String(id),
      })
      const kept = callbacks.jwt
        ? await callbacks.jwt({
            ...signedIn,
            token,
            trigger: isNewUser ? 'signUp' : 'signIn',
          })
        : token
      return kept === null ? clear(request) : write(claimsOf(kept), request)
    },

    async read(request, { update, readOnly = false } = {}): Promise<SessionReading> {
      let opened: Opened | null
      try {
        opened = await open(request)
      } catch (error) {
        // The application's own decoder may fail for other reasons than the token.
        const isRefused = isAuthError(error)
        logger.error(isRefused ? error : new JWTSessionError(toError(error)))
        return isRefused
          ? { session: null, cookies: clear(request) }
          : { session: null, cookies: NONE, failed: true }
      }
      if (!opened) return SIGNED_OUT
      try {
        const { claims, text } = opened
        const token = await keptToken(claims, callbacks, update)
        if (token === null) return { session: null, cookies: clear(request) }

        const now = ports.now()
        const due =
          !readOnly &&
          (update !== undefined ||
            isDue(claims, now, services) ||
            (callbacks.jwt !== undefined && JSON.stringify(token) !== text))
        const expires = new Date(
          due ? now + Math.min(maxAge, tokenMaxAge) * 1000 : expiryOf(claims, now, maxAge),
        )
        const session = await toldSession(token, expires, callbacks, update)
        const written = due ? await write(token, request) : NONE
        await emit('session', { session, token })
        // JSON has no word for a session that the callback forgot to return.
        return { session: session ?? null, cookies: written }
      } catch (error) {
        logger.error(new JWTSessionError(toError(error)))
        return { session: null, cookies: NONE, failed: true }
      }
    },

    async currentUser(request): Promise<AdapterUser | null> {
      if (!store) return null
      const opened = await open(request).catch((error: unknown) => {
        // Nobody is signed in with a token that is refused; with one that cannot be read, who knows.
        if (isAuthError(error)) return null
        throw error
      })
      if (!opened) return null
      // The application may have ended the session: then nothing is linked to it either.
      const id = (await keptToken(opened.claims, callbacks))?.['sub']
      return typeof id === 'string' ? store.getUser(id) : null
    },

    async revoke(request) {
      const opened = services.tellsSignOut ? await open(request).catch(() => null) : null
      return {
        cookies: clear(request),
        ended: opened ? { token: opened.claims } : undefined,
      }
    },

    forget: clear,
  }
}

/**
 * Opens a session token. @returns `null` when there is none.
 *
 * @throws {JWTSessionError} when it cannot be opened.
 */
export async function openToken(
  value: string | undefined,
  cookieName: string,
  decode: JwtCodec['decode'],
): Promise<Opened | null> {
  if (value === undefined) return null
  const opened = await decode(value, cookieName)
  if (!opened) throw new JWTSessionError('the session token is not ours, was changed, or expired')
  return opened
}

/** What the application keeps of a token that is read; `null` when it ends the session. */
export async function keptToken(
  claims: JWT,
  callbacks: SessionCallbacks,
  update?: ReadingOptions['update'],
): Promise<JWT | null> {
  if (!callbacks.jwt) return claims
  const token = await callbacks.jwt({
    token: claims,
    session: update?.data,
    ...(update ? { trigger: 'update' as const } : {}),
  })
  return token === null ? null : claimsOf(token)
}

/** What the browser is told about a token. */
export async function toldSession(
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

const NONE: readonly Cookie[] = []

const SIGNED_OUT: SessionReading = Object.freeze({ session: null, cookies: NONE })

/** @throws {JWTSessionError} when a callback forgot to return what the token holds. */
function claimsOf(token: unknown): JWT {
  if (isJsonObject(token)) return token
  throw new JWTSessionError('the `jwt` callback returned neither an object nor null')
}

/**
 * Returns whether a session is to be written again: once `updateAge` has passed, in the second half
 * of the token's own life, and when it ends before one that was written `updateAge` ago would. A token
 * that does not say when it was written is always due.
 */
function isDue(
  { iat, exp }: Record<string, unknown>,
  now: number,
  { tokenMaxAge, updateAge }: SessionServices,
): boolean {
  if (typeof iat !== 'number') return true
  const age = now / 1000 - iat
  if (age >= updateAge) return true
  if (typeof exp !== 'number') return false
  return age >= (exp - iat) / 2 || exp - iat + updateAge < tokenMaxAge
}

/** Returns when a session that is not extended ends, milliseconds since the epoch; never in the past. */
export function expiryOf(
  { iat, exp }: Record<string, unknown>,
  now: number,
  maxAge: number,
): number {
  // The cookie ends `maxAge` after it was written; the token may be made to last longer.
  const cookie = (typeof iat === 'number' ? iat * 1000 : now) + maxAge * 1000
  // A token is accepted for some seconds after its end, since clocks differ.
  return Math.max(now, typeof exp === 'number' ? Math.min(exp * 1000, cookie) : cookie)
}
