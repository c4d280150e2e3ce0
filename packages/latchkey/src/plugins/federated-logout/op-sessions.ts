import type { Awaitable } from '../../base/awaitable.ts'
import { digestOf } from '../../base/crypto/digest.ts'
import { AccessDenied } from '../../base/errors.ts'
import { type Host, type JsonObject, type PluginRecord, Problem } from '../../entries/plugin.ts'
import { damagedRecord, WITH_DAMAGED } from '../../model/damaged-record.ts'
import type { SessionFacts } from '../../session/facts.ts'
import { type AtProvider, KIND as BEGUN, begunOf, forgetBegun, keptUntil } from './begun.ts'

/** Sessions here by a session at a provider. */
const BY_SESSION = 'op-session'
/** Users here by a subject of a provider. */
const BY_SUBJECT = 'op-subject'
/** What a provider logged out, for sign-ins that are under way. */
const LOGOUT = 'op-logout'

/** Milliseconds that a sign-in may be under way. */
const UNDER_WAY = 20 * 60 * 1000

/**
 * Entries of a record. The newest are kept, and one of each user who has a session: all others are found through the
 * users, so that none is forgotten.
 */
const MOST = 50

/** How often a change is tried again because another call was faster. */
const TRIES = 50

/** What a provider means: one of its sessions, or all of a subject. */
export type Meant = Pick<AtProvider, 'issuer' | 'clientId' | 'sid'> & {
  readonly sub?: string | undefined
}

/** A session here. */
type Here = {
  readonly sid: string
  readonly userId: string
  /** Whom the provider signed in. Entries of earlier versions have that of their record. */
  readonly sub?: string
}

/** Finds sessions here by what the provider knows of them. */
export interface OpSessions {
  /** Notes a session before it is stored. */
  add(session: SessionFacts, at: AtProvider): Promise<void>
  /** Notes that it goes on. @param until milliseconds since the epoch. */
  keep(at: AtProvider, until: number): Promise<void>
  /** Returns whether sessions here began with a session there. */
  knows(meant: Meant & { readonly sid: string }): Promise<boolean>
  /**
   * Refuses a session whose sign-in began before the provider logged it out.
   *
   * @param iat of its ID token, seconds since the epoch.
   * @throws {AccessDenied}
   */
  refuseEnded(at: AtProvider, iat: number): Promise<void>
  /**
   * Ends what a provider means. Sign-ins that are under way get no session either.
   *
   * @param iat when it was meant, seconds since the epoch.
   * @returns whose sessions this call ended, an entry for each; `undefined` if the session is of another subject.
   */
  end(
    meant: Meant,
    iat: number,
    reason: 'back-channel' | 'front-channel',
  ): Promise<readonly string[] | undefined>
}

export function createOpSessions(host: Host): OpSessions {
  const { records, ports, logger } = host

  /** Returns the data of a record; `undefined` if there is none, or if it is damaged, which is logged. */
  function wholeData(record: PluginRecord | null): JsonObject | undefined {
    if (!record || isWhole(record)) return record?.data
    logger.error(damagedRecord(record, 'what it said is not used'))
    return undefined
  }

  const keyOf = (kind: string, { issuer, clientId }: Meant, ...name: string[]): Promise<string> =>
    digestOf(kind, issuer, clientId, ...name)

  /** Changes a record, or makes it, anew for each call that was faster. */
  async function write(
    kind: string,
    key: string,
    change: (data: JsonObject | undefined, isDamaged: boolean) => Awaitable<JsonObject>,
    { expires, userId }: { expires: Date; userId?: string | undefined },
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const record = await records.get(kind, key, WITH_DAMAGED)
      const known = wholeData(record)
      const data = await change(known, record !== null && known === undefined)
      const lasts = Math.max(record?.expires?.getTime() ?? 0, expires.getTime())
      const isWritten = record
        ? await records.replace(record, { data, expires: new Date(lasts) })
        : await records.create({ kind, key, data, expires, userId })
      if (isWritten) return
    }
    throw new Problem(
      'conflict',
      'too many requests change the sessions of a provider at the same time',
    )
  }

  const logoutKey = (meant: Meant): Promise<string> =>
    meant.sid === undefined
      ? keyOf(LOGOUT, meant, 'sub', meant.sub ?? '')
      : keyOf(LOGOUT, meant, 'sid', meant.sid)

  /** All sessions of a subject, whatever session there they are of. */
  async function ofSubject(meant: Meant): Promise<readonly Here[]> {
    const key = await keyOf(BY_SUBJECT, meant, meant.sub ?? '')
    const record = await records.get(BY_SUBJECT, key, WITH_DAMAGED)
    const known = wholeData(record)
    if (record && !known) throw new TypeError('the users of a subject are not known any more')
    const found: Here[] = []
    const { sid: _, ...subject } = meant
    for (const userId of (known?.['users'] ?? []) as string[])
      found.push(...(await ofUser(userId, subject)))
    return found
  }

  /**
   * The sessions that a record of a session at the provider names, and all others of their users that began with it. In
   * one session, a provider may have signed in several subjects.
   */
  async function ofSession(known: JsonObject | undefined, meant: Meant): Promise<readonly Here[]> {
    const all = (known?.['sessions'] ?? []) as unknown as readonly Here[]
    const named = all.filter(
      ({ sub = known?.['sub'] }) => meant.sub === undefined || sub === meant.sub,
    )
    const found = new Map(named.map((here) => [here.sid, here]))
    for (const userId of new Set(all.map((here) => here.userId)))
      for (const here of await ofUser(userId, meant)) found.set(here.sid, here)
    return [...found.values()]
  }

  /**
   * The sessions of a user that began with a session at the provider, or with any of a subject. Those of which nobody
   * knows where they began are among those of a subject.
   */
  async function ofUser(userId: string, meant: Meant): Promise<readonly Here[]> {
    const found: Here[] = []
    let after: string | undefined
    do {
      const query = { kind: BEGUN, userId, limit: 100, ...(after !== undefined && { after }) }
      const page = await records.list(query, WITH_DAMAGED)
      for (const record of page.records) {
        const begun = begunOf(record)
        const isOfSubject = meant.sid === undefined
        if (!begun && isOfSubject)
          logger.error(damagedRecord(record, 'its session ends with those of the subject'))
        const { issuer, clientId, sub, sid } = begun?.at ?? {}
        const isMeant =
          issuer === meant.issuer &&
          clientId === meant.clientId &&
          (meant.sub === undefined || sub === meant.sub) &&
          (isOfSubject || sid === meant.sid)
        if (begun ? isMeant : isOfSubject)
          found.push({ sid: record.key, userId, ...(sub !== undefined && { sub }) })
      }
      after = page.next ?? undefined
    } while (after !== undefined)
    return found
  }

  /** Leaves out the users who have no session any more, if there are many. */
  async function thinned(users: readonly string[]): Promise<string[]> {
    if (users.length <= MOST) return [...users]
    const left: string[] = []
    for (const userId of users) {
      const { records: some } = await records.list({ kind: BEGUN, userId, limit: 1 }, WITH_DAMAGED)
      if (some.length > 0) left.push(userId)
    }
    return left
  }

  /** Leaves out sessions that are found through a later one of their user. */
  async function shortened(sessions: readonly Here[]): Promise<Here[]> {
    if (sessions.length <= MOST) return [...sessions]
    const isLast = ({ userId }: Here, at: number): boolean =>
      sessions.findLastIndex((each) => each.userId === userId) === at
    const left = sessions.filter((each, at) => at >= sessions.length - MOST || isLast(each, at))
    const users = await thinned([...new Set(left.map(({ userId }) => userId))])
    return left.filter(({ userId }) => users.includes(userId))
  }

  return {
    async add(session, at) {
      const { userId } = session
      if (userId === undefined) return
      const expires = keptUntil(session.expires)
      const here = { sid: await session.sid(), userId, sub: at.sub }
      if (at.sid !== undefined) {
        const key = await keyOf(BY_SESSION, at, at.sid)
        const added = async (
          data: JsonObject | undefined,
          isDamaged: boolean,
        ): Promise<JsonObject> => {
          const known = isDamaged
            ? await ofUser(userId, at)
            : ((data?.['sessions'] ?? []) as unknown as Here[])
          const others = known.filter(({ sid }) => sid !== here.sid)
          return { sub: at.sub, sessions: await shortened([...others, here]) }
        }
        await write(BY_SESSION, key, added, { expires, userId })
      }
      const users = async (data: JsonObject | undefined): Promise<JsonObject> => ({
        users: await thinned([...new Set([...((data?.['users'] ?? []) as string[]), userId])]),
      })
      await write(BY_SUBJECT, await keyOf(BY_SUBJECT, at, at.sub), users, { expires })
    },

    async keep(at, until) {
      const same = (data: JsonObject | undefined): JsonObject => data ?? {}
      const expires = keptUntil(until)
      const names: [string, string | undefined][] = [
        [BY_SESSION, at.sid],
        [BY_SUBJECT, at.sub],
      ]
      for (const [kind, name] of names) {
        const key = name === undefined ? undefined : await keyOf(kind, at, name)
        const record = key === undefined ? null : await records.get(kind, key, WITH_DAMAGED)
        // A damaged one stays as it is until somebody needs it.
        if (key !== undefined && record && isWhole(record))
          await write(kind, key, same, { expires })
      }
    },

    async knows(meant) {
      const key = await keyOf(BY_SESSION, meant, meant.sid)
      return (await records.get(BY_SESSION, key, WITH_DAMAGED)) !== null
    },

    async refuseEnded(at, iat) {
      const ofSession = at.sid === undefined ? null : await records.get(LOGOUT, await logoutKey(at))
      const { sid: _, ...subject } = at
      const ofSubject = await records.get(LOGOUT, await logoutKey(subject))
      const isEnded = ofSubject && (!isWhole(ofSubject) || iat <= Number(ofSubject.data['at']))
      if (ofSession || isEnded) {
        throw new AccessDenied(
          new Problem('conflict', 'the provider ended the session while it began here'),
        )
      }
    },

    async end(meant, iat, reason) {
      const sessions = host.sessions()
      if (!sessions) throw new TypeError('the plugin `sessions` is needed to end sessions')
      const key = await logoutKey(meant)
      const later = (data: JsonObject | undefined): JsonObject => ({
        at: Math.max(Number(data?.['at'] ?? 0), iat),
      })
      // A sign-in writes down its session first and reads this after.
      await write(LOGOUT, key, later, { expires: new Date(ports.now() + UNDER_WAY) })
      let found: readonly Here[]
      if (meant.sid === undefined) found = await ofSubject(meant)
      else {
        const session = await keyOf(BY_SESSION, meant, meant.sid)
        const record = await records.get(BY_SESSION, session, WITH_DAMAGED)
        const known = wholeData(record)
        if (record && !known && meant.sub === undefined)
          throw new TypeError('the sessions of a session at the provider are not known any more')
        const isDamaged = record !== null && known === undefined
        found = isDamaged ? await ofSubject(meant) : await ofSession(known, meant)
        const isOfOther = known && meant.sub !== undefined && known['sub'] !== meant.sub
        if (isOfOther && found.length === 0) {
          await records.take(LOGOUT, key)
          return undefined
        }
      }
      const ended: string[] = []
      for (const { sid, userId } of found) {
        if (await sessions.end(userId, sid, { reason })) ended.push(userId)
        await forgetBegun(sid, host)
      }
      return ended
    },
  }
}

/** Returns whether a record has what its kind has. */
function isWhole({ kind, data, isDamaged }: PluginRecord): boolean {
  if (isDamaged) return false
  if (kind === LOGOUT) return Number.isFinite(data['at'])
  if (kind === BY_SESSION && typeof data['sub'] !== 'string') return false
  const list = kind === BY_SESSION ? data['sessions'] : data['users']
  const textOf = (each: unknown): unknown =>
    kind === BY_SESSION ? (Object(each) as Partial<Here>).sid : each
  return Array.isArray(list) && list.every((each) => typeof textOf(each) === 'string')
}
