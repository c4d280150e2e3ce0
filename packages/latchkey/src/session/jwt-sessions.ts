import { definedOnly } from '../encoding/defined-only.ts'
import { isJsonObject } from '../encoding/json.ts'
import { isAuthError, JWTSessionError, toError } from '../errors.ts'
import { clearChunked, readChunked, writeChunked } from '../http/cookie-chunks.ts'
import type { Cookie } from '../http/cookies.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { SessionParams } from '../options/callbacks.ts'
import type { Opened } from '../sealing/sealer.ts'
import type { Store } from '../store/store.ts'
import { type SessionFacts, sealedFacts } from './facts.ts'
import type { JwtCodec } from './jwt-codec.ts'
import type { SessionCallbacks, SessionServices } from './services.ts'
import type {
  Proof,
  ReadingOptions,
  SessionReading,
  SessionRequest,
  SessionStrategy,
} from './strategy.ts'
import type { SessionAges, Watch } from './watch.ts'

/** Longest session token, characters: common proxies refuse headers of 16 kB. */
const TOKEN_LIMIT = 15_000

/** Sessions that are sealed in the browser's cookie. */
export function jwtSessions(
  services: SessionServices,
  codec: JwtCodec,
  store: Store | undefined,
): SessionStrategy {
  const { callbacks, cookies, emit, logger, maxAge, ports, watch } = services

  async function write(
    token: JWT,
    request: SessionRequest,
    ages: SessionAges = services,
  ): Promise<Cookie[]> {
    const spec = cookies(request.secure).sessionToken
    const value = await codec.encode(token, spec.name, ages.tokenMaxAge)
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
      ages.isBrief ? undefined : new Date(ports.now() + ages.maxAge * 1000),
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

  /** The reading of a session that a plugin ended. */
  const ended = (request: SessionRequest, why: 'ended' | 'replaced' = 'ended'): SessionReading => ({
    session: null,
    // A late answer must not take away the cookie that the browser got meanwhile.
    cookies: why === 'replaced' ? NONE : clear(request),
    expired: false,
  })

  const valueOf = ({ cookies: jar, secure }: SessionRequest): string | undefined =>
    readChunked(jar, cookies(secure).sessionToken.name)

  const open = (request: SessionRequest): Promise<Opened | null> =>
    openToken(valueOf(request), cookies(request.secure).sessionToken.name, codec)

  /** Milliseconds since the epoch. */
  const lifetime = (ages: SessionAges = services): number =>
    ports.now() + Math.min(ages.maxAge, ages.tokenMaxAge) * 1000

  const factsOf = (
    claims: JWT,
    request: SessionRequest,
    expires: number = expiryOf(claims, ports.now(), maxAge),
  ): Promise<SessionFacts> => sealedFacts(claims, valueOf(request) ?? '', expires)

  /** Tells plugins of a session that is found to be over; their errors change nothing. */
  async function tellOver(request: SessionRequest): Promise<void> {
    const { name } = cookies(request.secure).sessionToken
    try {
      const over = await codec.decodeOver?.(valueOf(request) ?? '', name)
      if (over) await watch?.end(await factsOf(over.claims, request), 'idle')
    } catch (error) {
      logger.error(new JWTSessionError(toError(error)))
    }
  }

  /** What the application keeps of a token; ours stays ours. */
  async function kept(claims: JWT, update?: ReadingOptions['update']): Promise<JWT | null> {
    if (!watch || !callbacks.jwt) return keptToken(claims, callbacks, update)
    // A copy: the callback may change what it is given.
    const token = await keptToken(structuredClone(claims), callbacks, update)
    return token && watch.restore(token, claims)
  }

  /** The token of this request and what the application keeps of it; `null` for one that is refused or was ended. */
  async function find(request: SessionRequest): Promise<{ claims: JWT; token: JWT } | null> {
    const opened = await open(request).catch((error: unknown) => {
      // Nobody is signed in with a token that is refused; with one that cannot be read, who knows.
      if (isAuthError(error)) return null
      throw error
    })
    if (!opened) return null
    const { claims } = opened
    const how = { now: ports.now(), readOnly: true, request }
    if (watch && (await watch.judge(await factsOf(claims, request), how)) !== 'good') return null
    // The application may have ended the session: then nothing is linked to it either.
    const token = await kept(claims)
    return token && { claims, token }
  }

  /** Adds claims of plugins to a token, and seals it. */
  function writeWith(claims: JWT, sealed: JWT, request: SessionRequest): Promise<Cookie[]> {
    Object.assign(sealed, claims)
    return write(sealed, request, watch?.ages(sealed, services))
  }

  /** Seals a session that begins, with the claims of plugins. */
  async function issueWatched(
    token: JWT,
    request: SessionRequest,
    { watch, proof }: { watch: Watch; proof: Proof },
  ): Promise<readonly Cookie[]> {
    const opened = await open(request).catch(() => null)
    const replaces = opened ? await factsOf(opened.claims, request) : undefined
    const sealed = { ...token }
    const facts = await factsOf(sealed, request, lifetime())
    const { stored: written, cookies: further } = await watch.issue(
      facts,
      { ...proof, replaces },
      {
        store: (claims) => writeWith(claims, sealed, request),
      },
    )
    if (replaces) await watch.end(replaces, 'replaced')
    return [...written, ...further]
  }

  return {
    name: 'jwt',

    async issue(signedIn, request, proof) {
      const { user, isNewUser } = signedIn
      const own = watch?.claims(proof)
      const { name, email, image: picture, id } = user
      const token: JWT = definedOnly({
        name,
        email,
        picture,
        sub: id === undefined ? id : String(id),
        ...own,
      })
      const made = callbacks.jwt
        ? await callbacks.jwt({
            ...signedIn,
            token,
            trigger: isNewUser ? 'signUp' : 'signIn',
          })
        : token
      if (made === null) return clear(request)
      if (!watch) return write(claimsOf(made), request)
      return issueWatched({ ...claimsOf(made), ...own }, request, { watch, proof })
    },

    async renew(request, proof) {
      const found = watch && (await find(request))
      if (!found) return null
      const from = await factsOf(found.claims, request)
      const sealed = { ...found.token, ...watch.claims(proof) }
      const to = await factsOf(sealed, request, lifetime())
      const work = { store: (claims: JWT) => writeWith(claims, sealed, request) }
      return (await watch.renew(from, to, proof, work)).stored
    },

    async read(request, { update, readOnly = false } = {}): Promise<SessionReading> {
      let opened: Opened | null
      try {
        opened = await open(request)
      } catch (error) {
        // The application's own decoder may fail for other reasons than the token.
        const isRefused = isAuthError(error)
        logger.error(isRefused ? error : new JWTSessionError(toError(error)))
        if (watch && isRefused) await tellOver(request)
        return isRefused
          ? { session: null, cookies: clear(request) }
          : { session: null, cookies: NONE, failed: true }
      }
      if (!opened) return SIGNED_OUT
      try {
        const { claims, text } = opened
        const now = ports.now()
        const facts = watch && (await factsOf(claims, request))
        const verdict = facts ? await watch.judge(facts, { now, readOnly, request }) : 'good'
        if (verdict !== 'good') return ended(request, verdict)
        let token = await kept(claims, update)
        if (token === null) return { session: null, cookies: clear(request) }
        const left = !readOnly && facts ? await watch.adopt?.(token, facts, request) : undefined
        token = left ?? token

        let ages: SessionAges = watch?.ages(claims, services) ?? services
        let due =
          !readOnly &&
          (update !== undefined ||
            left !== undefined ||
            isDue(claims, now, ages) ||
            // From now on the session has a name that does not change with its cookie.
            (facts !== undefined && claims['sid'] === undefined) ||
            (callbacks.jwt !== undefined && JSON.stringify(token) !== text))
        if (due && facts) {
          const verdict = await watch.extend(facts, lifetime(), request)
          if (verdict === 'ended') return ended(request)
          due = verdict !== 'later'
          if (verdict !== 'later') {
            token = { ...token, sid: facts.key, ...verdict }
            ages = watch.ages(token, services)
          }
        }
        const expires = new Date(due ? lifetime(ages) : expiryOf(claims, now, maxAge))
        const told: Session | undefined = await toldSession(token, expires, callbacks, update)
        const session = told && facts && watch.shown ? await watch.shown(told, facts) : told
        const written = due ? await write(token, request, ages) : NONE
        await emit('session', { session, token })
        // JSON has no word for a session that the callback forgot to return.
        return { session: session ?? null, cookies: written }
      } catch (error) {
        logger.error(new JWTSessionError(toError(error)))
        return { session: null, cookies: NONE, failed: true }
      }
    },

    async current(request) {
      const found = await find(request)
      if (!found) return null
      const { claims, token } = found
      const { sub, name, email, picture } = token
      const stored = typeof sub === 'string' ? await store?.getUser(sub) : undefined
      const described = { id: sub, name, email, image: picture } as User
      return { facts: await factsOf(claims, request), user: stored ?? described }
    },

    async currentUser(request): Promise<AdapterUser | null> {
      if (!store) return null
      const id = (await find(request))?.token['sub']
      return typeof id === 'string' ? store.getUser(id) : null
    },

    async revoke(request) {
      const cleared = clear(request)
      if (!services.tellsSignOut && !watch) return { cookies: cleared, ended: undefined }
      const opened = await open(request).catch(() => null)
      if (!opened) return { cookies: cleared, ended: undefined }
      const ended = { token: opened.claims }
      if (!watch) return { cookies: cleared, ended }
      const facts = await factsOf(opened.claims, request)
      const how = { now: ports.now(), readOnly: true, request }
      // Where it cannot be found out whether it goes on, it is ended all the same.
      const verdict = await (async () => watch.judge(facts, how))().catch(() => 'good')
      if (verdict !== 'good') return { cookies: cleared, ended: undefined }
      await watch.end(facts, 'sign-out')
      return { cookies: cleared, ended, facts }
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
  { decode, why }: Pick<JwtCodec, 'decode' | 'why'>,
): Promise<Opened | null> {
  if (value === undefined) return null
  const opened = await decode(value, cookieName)
  if (!opened) {
    throw new JWTSessionError(`the session token cannot be opened: ${await why(value, cookieName)}`)
  }
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
  { tokenMaxAge, updateAge }: SessionAges,
): boolean {
  if (typeof iat !== 'number') return true
  const age = now / 1000 - iat
  if (age >= updateAge) return true
  // It cannot end later than it does: a plugin says when it is over for good.
  if (typeof exp !== 'number' || exp - now / 1000 >= tokenMaxAge) return false
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
