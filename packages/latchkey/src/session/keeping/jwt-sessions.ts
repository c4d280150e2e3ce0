import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { definedOnly } from '../../base/encoding/defined-only.ts'
import { isJsonObject } from '../../base/encoding/json.ts'
import { AccessDenied, isAuthError, JWTSessionError, toError } from '../../base/errors.ts'
import { clearChunked, readChunked, writeChunked } from '../../http/cookies/cookie-chunks.ts'
import type { Cookie } from '../../http/cookies/cookies.ts'
import type { JWT } from '../../model/jwt.ts'
import type { Session } from '../../model/session.ts'
import type { AdapterUser, User } from '../../model/user.ts'
import type { SessionParams } from '../../options/callbacks.ts'
import type { Opened } from '../../protocols/sealing/sealer.ts'
import type { Store } from '../../store/store.ts'
import { withOneCookie } from '../carriers/one-cookie.ts'
import { type SessionFacts, sealedFacts } from '../facts.ts'
import type { SessionCallbacks, SessionServices } from '../services.ts'
import type {
  Proof,
  ReadingOptions,
  SessionReading,
  SessionRequest,
  SessionStrategy,
} from '../strategy.ts'
import type { Issuing, SessionAges, Watch, WrittenSession } from '../watch.ts'
import type { JwtCodec } from './jwt-codec.ts'

/** Longest session token, characters: common proxies refuse headers of 16 kB. */
const TOKEN_LIMIT = 15_000

/** Creates the strategy for sessions that are sealed in the browser's cookie. */
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
        `the session token has ${value.length} characters, but only ${TOKEN_LIMIT} fit ` +
          'into a request; store less in the `jwt` callback',
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
    // A late response must not clear the cookie that the browser has received in the meantime.
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
  ): MaybePromise<SessionFacts> => sealedFacts(claims, () => valueOf(request) ?? '', expires)

  /** Returns whether a refused token has only expired, after the plugins were called. Their errors are only logged. */
  async function isOver(request: SessionRequest): Promise<boolean> {
    const { name } = cookies(request.secure).sessionToken
    let over: Opened | undefined
    try {
      over = await codec.decodeOver?.(valueOf(request) ?? '', name)
      if (over) await watch?.end(await factsOf(over.claims, request), 'idle')
    } catch (error) {
      logger.error(new JWTSessionError(toError(error)))
    }
    return over !== undefined
  }

  /** Calls the `jwt` callback. The claims of plugins stay unchanged. */
  async function kept(claims: JWT, update?: ReadingOptions['update']): Promise<JWT | null> {
    if (!watch || !callbacks.jwt) return applyJwtCallback(claims, callbacks, update)
    // A copy, because the callback may change its argument.
    const token = await applyJwtCallback(structuredClone(claims), callbacks, update)
    return token && watch.restore(token, claims)
  }

  /** Returns the token of this request before and after the `jwt` callback; `null` if it is refused or was ended. */
  async function find(request: SessionRequest): Promise<{ claims: JWT; token: JWT } | null> {
    const opened = await open(request).catch((error: unknown) => {
      // A refused token means no session. After any other failure there may be one.
      if (isAuthError(error)) return null
      throw error
    })
    if (!opened) return null
    const { claims } = opened
    const how = { now: ports.now(), readOnly: true, request }
    if (watch && (await watch.judge(await factsOf(claims, request), how)) !== 'good') return null
    // If the callback ends the session, no account is linked to it.
    const token = await kept(claims)
    return token && { claims, token }
  }

  async function seal(
    token: JWT,
    request: SessionRequest,
    ages: SessionAges = services,
  ): Promise<WrittenSession> {
    const cookies = await write(token, request, ages)
    return { cookies, expires: lifetime(ages), isBrief: ages.isBrief === true }
  }

  /** Adds the claims of plugins to a token, and seals it. */
  function sealing(sealed: JWT, request: SessionRequest, watch: Watch): Issuing {
    return {
      request,
      store(claims) {
        Object.assign(sealed, claims)
        return seal(sealed, request, watch.ages(sealed, services))
      },
    }
  }

  /** Seals a new session with the claims of plugins. */
  async function issueWatched(
    token: JWT,
    request: SessionRequest,
    { watch, proof }: { watch: Watch; proof: Proof },
  ): Promise<readonly Cookie[]> {
    const opened = await open(request).catch(() => null)
    const replaces = opened ? await factsOf(opened.claims, request) : undefined
    const sealed = { ...token }
    const facts = await factsOf(sealed, request, lifetime())
    const written = await watch.issue(
      facts,
      { ...proof, replaces },
      sealing(sealed, request, watch),
    )
    if (replaces) await watch.end(replaces, 'replaced')
    return written
  }

  /** Returns when the token of this request was written, without the `jwt` callback. */
  async function validSince(request: SessionRequest): Promise<number | undefined> {
    const opened = await open(request)
    if (!opened) return undefined
    const { claims } = opened
    const how = { now: ports.now(), readOnly: true, request }
    if (watch && (await watch.judge(await factsOf(claims, request), how)) !== 'good')
      return undefined
    return Number(claims['iat'] ?? 0)
  }

  const strategy: SessionStrategy = {
    name: 'jwt',

    async issue(signedIn, request, proof) {
      const { user, isNewUser } = signedIn
      const { name, email, image: picture, id } = user
      const token: JWT = definedOnly({
        name,
        email,
        picture,
        sub: id === undefined ? id : String(id),
        ...watch?.claims(proof),
      })
      const made = callbacks.jwt
        ? await callbacks.jwt({
            ...signedIn,
            // A copy, because the callback may change its argument.
            token: { ...token },
            trigger: isNewUser ? 'signUp' : 'signIn',
          })
        : token
      if (made === null) {
        logger.error(new AccessDenied('the `jwt` callback began no session'))
        return clear(request)
      }
      if (!watch) return write(claimsOf(made), request)
      return issueWatched(watch.restore(claimsOf(made), token), request, { watch, proof })
    },

    async renew(request, proof) {
      const found = watch && (await find(request))
      if (!found) return null
      const from = await factsOf(found.claims, request)
      const sealed = { ...found.token, ...watch.claims(proof) }
      const to = await factsOf(sealed, request, lifetime())
      return watch.renew(from, to, proof, sealing(sealed, request, watch))
    },

    async read(request, { update, readOnly = false } = {}): Promise<SessionReading> {
      let opened: Opened | null
      try {
        opened = await open(request)
      } catch (error) {
        // The `decode` function of the application may fail for other reasons than the token.
        if (!isAuthError(error)) {
          logger.error(new JWTSessionError(toError(error)))
          return { session: null, cookies: NONE, failed: true }
        }
        if (await isOver(request)) logger.debug('session-expired')
        else logger.error(error)
        return { session: null, cookies: clear(request) }
      }
      if (!opened) return SIGNED_OUT
      try {
        const { claims, text } = opened
        const now = ports.now()
        const facts = watch && (await factsOf(claims, request))
        const verdict = facts ? await watch.judge(facts, { now, readOnly, request }) : 'good'
        if (verdict !== 'good') return ended(request, verdict)
        const whole = await kept(claims, update)
        if (whole === null) return { session: null, cookies: clear(request) }
        const adopt = readOnly ? undefined : watch?.adopt
        // A callback may have left out what a plugin takes over.
        const offered = adopt && { ...claims, ...whole }
        const left = facts && offered && (await adopt(offered, facts, request))
        let token = left ? onlyOf(whole, left) : whole

        let ages: SessionAges = watch?.ages(claims, services) ?? services
        let due =
          !readOnly &&
          (update !== undefined ||
            left !== undefined ||
            isDue(claims, now, ages) ||
            // A session without `sid` gets one now, because its other name changes with the cookie.
            (facts !== undefined && claims['sid'] === undefined) ||
            (callbacks.jwt !== undefined && isChanged(token, text)))
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
        const told: Session | undefined = await publicSession(token, expires, callbacks, update)
        const session = told && facts && watch.shown ? await watch.shown(told, facts) : told
        const written = due ? await seal(token, request, ages) : undefined
        const before = left && offered
        const set =
          written && facts
            ? await watch.write(facts, { ...written, request, before })
            : written?.cookies
        await emit('session', { session, token })
        // `undefined` of a callback without a return value is not JSON.
        return { session: session ?? null, cookies: set ?? NONE }
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
      // If the plugins cannot judge the session, it is ended anyway.
      const verdict = await (async () => watch.judge(facts, how))().catch(() => 'good')
      if (verdict !== 'good') return { cookies: cleared, ended: undefined }
      await watch.end(facts, 'sign-out')
      return { cookies: cleared, ended, facts }
    },

    forget: clear,
  }
  return withOneCookie(strategy, services, validSince)
}

/**
 * Opens a session token. @returns `null` if there is none.
 *
 * @throws {JWTSessionError} if it cannot be opened.
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

/** Returns the token after the `jwt` callback; `null` if the callback ends the session. */
export async function applyJwtCallback(
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

const NONE: readonly Cookie[] = []

const SIGNED_OUT: SessionReading = Object.freeze({ session: null, cookies: NONE })

/** Returns the members that a token has, as they are in another one. */
function onlyOf(token: JWT, left: JWT): JWT {
  return Object.fromEntries(Object.entries(left).filter(([name]) => name in token))
}

/** @throws {JWTSessionError} if the `jwt` callback did not return a token. */
function claimsOf(token: unknown): JWT {
  if (isJsonObject(token)) return token
  throw new JWTSessionError('the `jwt` callback returned neither an object nor null')
}

/** Members that the codec writes anew with each token. */
const WRITTEN_ANEW: ReadonlySet<string> = new Set(['iat', 'exp', 'jti'])

/** Returns whether the `jwt` callback changed the token, and did not just build the same one again. */
function isChanged(token: JWT, text: string): boolean {
  if (JSON.stringify(token) === text) return false
  const members = (all: object): [string, unknown][] =>
    Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const inOrder = (_: string, value: unknown): unknown =>
    isJsonObject(value) ? Object.fromEntries(members(value)) : value
  const plain = (all: object): string =>
    JSON.stringify(
      members(all).filter(([name, value]) => value !== undefined && !WRITTEN_ANEW.has(name)),
      inOrder,
    )
  return plain(token) !== plain(JSON.parse(text) as object)
}

/**
 * Returns whether the session must be written again: after `updateAge`, in the second half of the token's lifetime, or
 * if the token expires earlier than one that was written `updateAge` ago. A token without `iat` is always due.
 */
function isDue(
  { iat, exp }: Record<string, unknown>,
  now: number,
  { tokenMaxAge, updateAge }: SessionAges,
): boolean {
  if (typeof iat !== 'number') return true
  const age = now / 1000 - iat
  if (age >= updateAge) return true
  // The session cannot be extended further: a plugin limits its lifetime.
  if (typeof exp !== 'number' || exp - now / 1000 >= tokenMaxAge) return false
  return age >= (exp - iat) / 2 || exp - iat + updateAge < tokenMaxAge
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
