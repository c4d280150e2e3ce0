import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { SessionTokenError, toError } from '../../base/errors.ts'
import { clearChunked, writeChunked } from '../../http/cookies/cookie-chunks.ts'
import type { Cookie } from '../../http/cookies/cookies.ts'
import type { AdapterSession, Session } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { SessionParams } from '../../options/callbacks.ts'
import type { Store } from '../../store/store.ts'
import { withOneCookie } from '../carriers/one-cookie.ts'
import type { EndReason } from '../end-reason.ts'
import { type KnownFacts, type SessionFacts, sessionName } from '../facts.ts'
import type { SessionServices } from '../services.ts'
import type { SessionRequest, SessionStrategy } from '../strategy.ts'
import type { Issuing, SessionAges, WrittenSession } from '../watch.ts'
import { createTokenHasher, looksHashed } from './token-hash.ts'

/** A stored session, its user, and the browser's token for it. */
interface Found {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly token: string
}

/** Creates the strategy for stored sessions. The cookie has a random token; the store has its keyed hash, or the token. */
export function databaseSessions(
  services: SessionServices,
  store: Store,
  generateToken: () => string,
): SessionStrategy {
  const { callbacks, cookies, emit, logger, ports, secrets, watch } = services

  type Key = (token: string) => Promise<string>
  const hashed: readonly Key[] = secrets.map(createTokenHasher)
  /** Auth.js stores the token itself. */
  const plain: Key = async (token) => token
  /** The keys under which the row of a token may be. New rows have the first one. */
  const keys = services.plainTokens ? [plain, ...hashed] : [...hashed, plain]
  const [currentKey = plain] = keys

  const lifetime = ({ maxAge }: SessionAges = services): Date =>
    new Date(ports.now() + maxAge * 1000)

  const written = (
    token: string,
    expires: Date,
    request: SessionRequest,
    { isBrief = false }: SessionAges,
  ): WrittenSession => {
    const spec = cookies(request.secure).sessionToken
    const set = writeChunked(request.cookies, spec, token, isBrief ? undefined : expires)
    return { cookies: set, expires: expires.getTime(), isBrief }
  }

  const clear = (request: SessionRequest): readonly Cookie[] =>
    clearChunked(request.cookies, cookies(request.secure).sessionToken)

  /** Returns the token in the browser's cookie. A stored hash is not accepted as a token. */
  function tokenOf({ cookies: jar, secure }: SessionRequest): string | undefined {
    const token = jar.get(cookies(secure).sessionToken.name)
    return token && !looksHashed(token) ? token : undefined
  }

  /** Returns the session of this request; `undefined` if it has expired, which also removes it. */
  async function find(request: SessionRequest): Promise<Found | null | undefined> {
    const token = tokenOf(request)
    if (token === undefined) return null
    // Tries the first key again, because a parallel read may have moved the row there.
    for (const key of [...keys, currentKey]) {
      const stored = await key(token)
      const found = await store.getSessionAndUser(stored)
      // Stores that ignore case or trailing spaces may return another row.
      if (found?.session.sessionToken !== stored) continue
      // Not `<=`, so that an invalid date counts as expired.
      if (!(found.session.expires.getTime() > ports.now())) {
        await end({ ...found, token }, 'idle')
        return undefined
      }
      if (key === currentKey) return { ...found, token }
      const sessionToken = await rekey({ ...found, token }, await currentKey(token))
      if (sessionToken === null) return null
      return { session: { ...found.session, sessionToken }, user: found.user, token }
    }
    return null
  }

  /** Returns the same, or `null` if a plugin ended the session. */
  async function findGood(
    request: SessionRequest,
    readOnly: boolean = true,
  ): Promise<Found | null | undefined> {
    const found = await find(request)
    if (!found || !watch) return found
    const verdict = await watch.judge(factsOf(found), { now: ports.now(), readOnly, request })
    if (verdict === 'good') return found
    await store.deleteSession(found.session.sessionToken)
    return null
  }

  function factsOf({ session, token }: Pick<Found, 'session' | 'token'>): SessionFacts {
    const { sessionToken, userId, expires } = session
    let known: MaybePromise<KnownFacts> | undefined
    const facts: SessionFacts = {
      key: sessionToken,
      sid: () => sessionName(token),
      strategy: 'database',
      userId,
      expires: expires.getTime(),
      known: () => (known ??= watch?.known(facts) ?? {}),
    }
    return facts
  }

  /** Stores a session with a new token. @param watched calls the hooks of plugins before and after it, if there are any. */
  async function begin(
    userId: string,
    request: SessionRequest,
    watched: ((facts: SessionFacts, work: Issuing) => Promise<readonly Cookie[]>) | undefined,
  ): Promise<readonly Cookie[]> {
    const token = generateToken()
    const session = { sessionToken: await currentKey(token), userId, expires: lifetime() }
    const work: Issuing = {
      request,
      async store(claims) {
        const ages = watch ? watch.ages(claims, services) : services
        const { expires } = await store.createSession({ ...session, expires: lifetime(ages) })
        return written(token, expires, request, ages)
      },
      takeBack: () => store.deleteSession(session.sessionToken),
    }
    return watched ? watched(factsOf({ session, token }), work) : (await work.store({})).cookies
  }

  async function end(found: Found, reason: EndReason): Promise<AdapterSession | null | undefined> {
    const removed = await store.deleteSession(found.session.sessionToken)
    await watch?.end(factsOf(found), reason)
    return removed ?? undefined
  }

  /** Sessions that are being moved to another key, so that parallel reads do it once. */
  const moving = new Map<string, Promise<string | null>>()

  function rekey(found: Found, to: string): Promise<string | null> {
    const running = moving.get(to) ?? moveWatched(found, to).finally(() => moving.delete(to))
    moving.set(to, running)
    return running
  }

  async function moveWatched(found: Found, to: string): Promise<string | null> {
    if (!watch) return move(found.session, to)
    const facts = factsOf(found)
    const unnoted = (error: unknown): true => {
      logger.error(new SessionTokenError(toError(error)))
      return true
    }
    if (await watch.rename(facts, to, 'before').catch(unnoted)) return facts.key
    const key = await move(found.session, to)
    if (key === to) await watch.rename(facts, to, 'after').catch(unnoted)
    return key
  }

  /**
   * Stores a session under another key.
   *
   * @returns its key now; `null` if the session was ended in the meantime.
   */
  async function move(
    { sessionToken: from, userId, expires }: AdapterSession,
    to: string,
  ): Promise<string | null> {
    try {
      if (store.atomic.renameSession) {
        if (await store.atomic.renameSession(from, to)) return to
        return (await store.getSessionAndUser(to)) ? to : null
      }
      await store.createSession({ sessionToken: to, userId, expires })
    } catch (error) {
      logger.debug('session not stored under its new key', () => ({ error }))
      // Another process was faster, and removes the old row. Or the store failed, and the next read tries again.
      return (await store.getSessionAndUser(to).catch(() => null)) ? to : from
    }
    if (await store.getSessionAndUser(from)) {
      await store.deleteSession(from)
      return to
    }
    // A parallel sign-out removed the old row, so the new row must not stay.
    await store.deleteSession(to)
    return null
  }

  const strategy: SessionStrategy = {
    name: 'database',

    async issue({ user }, request, proof) {
      if (user.id === undefined) throw new SessionTokenError('the user has no id')
      const before = await find(request)
      const replaces = before ? factsOf(before) : undefined
      const written = await begin(
        user.id,
        request,
        watch && ((facts, work) => watch.issue(facts, { ...proof, replaces }, work)),
      )
      if (before) await end(before, 'replaced')
      return written
    },

    async renew(request, proof) {
      const found = watch && (await findGood(request))
      if (!found) return null
      const written = await begin(found.session.userId, request, (facts, work) =>
        watch.renew(factsOf(found), facts, proof, work),
      )
      await store.deleteSession(found.session.sessionToken)
      return written
    },

    async read(request, { update, readOnly = false } = {}) {
      const { name } = cookies(request.secure).sessionToken
      if (!request.cookies.get(name)) return SIGNED_OUT
      try {
        const found = await findGood(request, readOnly)
        if (!found) return { session: null, cookies: clear(request), expired: found !== null }
        const { session: stored, user, token } = found
        let ages: SessionAges = services
        let isDue =
          !readOnly &&
          stored.expires.getTime() - (ages.maxAge - ages.updateAge) * 1000 <= ports.now()
        if (isDue && watch) {
          const verdict = await watch.extend(factsOf(found), lifetime().getTime(), request)
          if (verdict === 'ended') {
            await store.deleteSession(stored.sessionToken)
            return { session: null, cookies: clear(request), expired: false }
          }
          isDue = verdict !== 'later'
          if (verdict !== 'later') ages = watch.ages(verdict, services)
        }
        const expires = isDue ? lifetime(ages) : stored.expires
        if (isDue) await store.updateSession({ sessionToken: stored.sessionToken, expires })
        const told: Session | null | undefined = await callbacks.session({
          session: { ...stored, user },
          user,
          ...(update ? { newSession: update.data, trigger: 'update' } : {}),
        } as unknown as SessionParams)
        const session = told && watch?.shown ? await watch.shown(told, factsOf(found)) : told
        await emit('session', { session })
        if (!isDue) return { session: session ?? null, cookies: NONE }
        const extended = written(token, expires, request, ages)
        const set = watch
          ? await watch.write(factsOf(found), { ...extended, request })
          : extended.cookies
        return { session: session ?? null, cookies: set }
      } catch (error) {
        const failure = toError(error)
        logger.error(new SessionTokenError(failure))
        return { session: null, cookies: NONE, failed: true }
      }
    },

    async current(request) {
      const found = await findGood(request)
      return found ? { facts: factsOf(found), user: found.user } : null
    },

    async currentUser(request) {
      return (await findGood(request))?.user ?? null
    },

    async revoke(request) {
      const token = tokenOf(request)
      const cleared = clear(request)
      if (token === undefined) return { cookies: cleared, ended: undefined }
      const found = await findGood(request)
      const removed = found && (await end(found, 'sign-out'))
      if (!found) return { cookies: cleared, ended: undefined }
      const ended = { session: removed ?? found.session }
      return { cookies: cleared, ended, ...(watch && { facts: factsOf(found) }) }
    },

    forget: clear,
  }
  return withOneCookie(strategy, services, async (request) =>
    (await findGood(request))?.session.expires.getTime(),
  )
}

const NONE: readonly Cookie[] = []

const SIGNED_OUT = Object.freeze({ session: null, cookies: NONE })
