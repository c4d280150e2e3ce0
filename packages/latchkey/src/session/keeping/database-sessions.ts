import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { SessionTokenError } from '../../base/errors.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { SessionParams } from '../../options/callbacks.ts'
import type { Store } from '../../store/store.ts'
import type { Carried } from '../carrier.ts'
import type { EndReason } from '../end-reason.ts'
import { type KnownFacts, type SessionFacts, sessionName } from '../facts.ts'
import type { Draft, Keeping, KeptHow, Stored } from '../keeping.ts'
import { agesFor, judgeSession, type KeepingServices, showSession } from '../services.ts'
import type { SessionRequest } from '../strategy.ts'
import type { SessionAges } from '../watch.ts'
import { moveSession } from './move-session.ts'
import { createTokenHasher, looksHashed } from './token-hash.ts'

/** A stored session, its user, and the token of its carrier. */
interface Found {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly token: string
}

/** Returns the key under which the row of a token is. */
type Key = (token: string) => Promise<string>

/** Auth.js stores the token itself. */
const plain: Key = async (token) => token

/** Keeps sessions in the store. The value is a random token; the store has its keyed hash, or the token. */
export function databaseSessions(
  services: KeepingServices,
  store: Store,
  generateToken: () => string,
): Keeping {
  const { callbacks } = services
  const rows = storedRows(services, store, generateToken)
  const { factsOf, find, findGood } = rows
  return {
    name: 'database',
    async draft({ user }, { holder }) {
      if (user.id === undefined) throw new SessionTokenError('the user has no id')
      return rows.draft(user.id, holder)
    },
    async former(carried) {
      const found = await find(carried)
      return found ? { facts: factsOf(found), end: () => rows.end(found, 'replaced') } : undefined
    },
    read: readerOf(services, store, rows),
    async find(carried, request) {
      const found = await findGood(carried, request)
      if (!found) return null
      const { user, session } = found
      return {
        facts: factsOf(found),
        stored: user,
        user,
        since: session.expires.getTime(),
        renewed: () => rows.draft(session.userId, carried.holder),
        remove: () => store.deleteSession(session.sessionToken),
      }
    },
    async revoke(carried, request) {
      const found = await findGood(carried, request)
      if (!found) return { ended: undefined }
      const ended = { session: (await rows.end(found, 'sign-out')) ?? found.session }
      return { ended, facts: factsOf(found) }
    },
    describe: async (user, expires) =>
      callbacks.session({
        session: { user, userId: user.id, sessionToken: '', expires },
        user,
      } as unknown as SessionParams),
  }
}

/** Finds, creates and removes rows of sessions. */
interface Rows {
  factsOf(found: Pick<Found, 'session' | 'token'>): SessionFacts
  /** Returns the session of a value; `undefined` if it has expired, which also removes it. */
  find(carried: Carried): Promise<Found | null | undefined>
  /** Returns the session as `find` does; `null` if a plugin ended it. */
  findGood(
    carried: Carried,
    request: SessionRequest,
    readOnly?: boolean,
  ): Promise<Found | null | undefined>
  /** Prepares a session with a new token. */
  draft(userId: string, holder: Carried['holder']): Promise<Draft>
  end(found: Found, reason: EndReason): Promise<AdapterSession | null | undefined>
  /** Returns when a session that begins now expires. */
  lifetime(ages: SessionAges): Date
}

function storedRows(services: KeepingServices, store: Store, generateToken: () => string): Rows {
  const { logger, plainTokens, ports, secrets, watch } = services
  const hashed = secrets.map(createTokenHasher)
  /** The keys under which the row of a token may be. New rows have the first one. */
  const keys = plainTokens ? [plain, ...hashed] : [...hashed, plain]
  const [currentKey = plain] = keys
  const moving = new Map<string, Promise<string | null>>()

  const rows: Rows = {
    factsOf({ session: { sessionToken, userId, expires }, token }) {
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
    },
    async find({ value: token }) {
      // A stored hash is not accepted as a token.
      if (looksHashed(token)) return null
      // Tries the first key again, because a parallel read may have moved the row there.
      for (const key of [...keys, currentKey]) {
        const stored = await key(token)
        const row = await store.getSessionAndUser(stored)
        // Stores that ignore case or trailing spaces may return another row.
        if (row?.session.sessionToken !== stored) continue
        const found = { ...row, token }
        const { session, user } = row
        // Not `<=`, so that an invalid date counts as expired.
        if (!(session.expires.getTime() > ports.now())) {
          await rows.end(found, 'idle')
          return undefined
        }
        if (key === currentKey) return found
        const to = await currentKey(token)
        const services = { logger, moving, store, watch }
        const sessionToken = await moveSession(services, session, rows.factsOf(found), to)
        return sessionToken === null ? null : { session: { ...session, sessionToken }, user, token }
      }
      return null
    },
    async findGood(carried, request, readOnly = true) {
      const found = await rows.find(carried)
      if (!found || !watch) return found
      if ((await judgeSession(services, rows.factsOf(found), request, readOnly)) === 'good')
        return found
      await store.deleteSession(found.session.sessionToken)
      return null
    },
    async draft(userId, holder) {
      const configured = agesFor(services, holder)
      const token = generateToken()
      const sessionToken = await currentKey(token)
      const session = { sessionToken, userId, expires: rows.lifetime(configured) }
      return {
        facts: rows.factsOf({ session, token }),
        async store(claims) {
          const ages = watch ? watch.ages(claims, configured) : configured
          const row = { ...session, expires: rows.lifetime(ages) }
          return storedValue(token, (await store.createSession(row)).expires, ages)
        },
        takeBack: () => store.deleteSession(sessionToken),
      }
    },
    async end(found, reason) {
      const removed = await store.deleteSession(found.session.sessionToken)
      await watch?.end(rows.factsOf(found), reason)
      return removed ?? undefined
    },
    lifetime: ({ maxAge }) => new Date(ports.now() + maxAge * 1000),
  }
  return rows
}

const storedValue = (value: string, expires: Date, { isBrief = false }: SessionAges): Stored => ({
  value,
  end: expires.getTime(),
  expires: isBrief ? undefined : expires,
})

/** Returns the function that reads a session: it finds the row, extends it if that is due, and calls the `session` callback. */
function readerOf(
  services: KeepingServices,
  store: Store,
  { factsOf, findGood, lifetime }: Rows,
): Keeping['read'] {
  const { callbacks, ports, watch } = services

  /** Extends the row of a session if that is due. @returns `undefined` if it is not. */
  async function extend(
    found: Found,
    configured: SessionAges,
    { readOnly, request }: KeptHow,
  ): Promise<Stored | 'ended' | undefined> {
    const { sessionToken, expires: end } = found.session
    const { maxAge, updateAge } = configured
    if (readOnly || end.getTime() - (maxAge - updateAge) * 1000 > ports.now()) return undefined
    let ages = configured
    if (watch) {
      const verdict = await watch.extend(factsOf(found), lifetime(ages).getTime(), request)
      if (verdict === 'ended') {
        await store.deleteSession(sessionToken)
        return 'ended'
      }
      if (verdict === 'later') return undefined
      ages = watch.ages(verdict, configured)
    }
    const expires = lifetime(ages)
    await store.updateSession({ sessionToken, expires })
    return storedValue(found.token, expires, ages)
  }

  return async (carried, how) => {
    const { update, readOnly, request } = how
    const found = await findGood(carried, request, readOnly === true)
    if (!found) return { expired: found !== null }
    const ages = agesFor(services, carried.holder)
    let stored = await extend(found, ages, how)
    if (stored === 'ended') return { expired: false }
    const { user, token } = found
    const described = await callbacks.session({
      session: { ...found.session, user },
      user,
      ...(update ? { newSession: update.data, trigger: 'update' } : {}),
    } as unknown as SessionParams)
    const facts = watch && factsOf(found)
    const session = facts ? await showSession(services, described, facts, request) : described
    // A session of another library gets a cookie of Latchkey.
    if (carried.from && !readOnly) stored ??= storedValue(token, lifetime(ages), ages)
    return { session, facts, stored, message: { session } }
  }
}
