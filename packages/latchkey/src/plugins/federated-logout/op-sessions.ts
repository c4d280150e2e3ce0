import {
  AccessDenied,
  definedOnly,
  digestOf,
  type Host,
  isTexts,
  type JsonObject,
  Problem,
  recordKind,
  type SessionFacts,
} from '../../entries/plugin.ts'
import { type AtProvider, begunRecords, forgetBegun, keptUntil } from './begun.ts'

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

/** Sessions here that began with a session at a provider. */
interface SessionThere {
  /** Whom the provider signed in last. */
  readonly sub: string
  readonly sessions: readonly Here[]
  /** The record is damaged. Never stored. */
  readonly isDamaged?: true
}

/** Users here that are a subject of a provider. */
interface Subject {
  readonly users: readonly string[]
  /** The record is damaged. Never stored. */
  readonly isDamaged?: true
}

/** What a provider logged out. */
interface Logout {
  /** When it was meant, seconds since the epoch; infinity if the record is damaged. */
  readonly at: number
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
  const { ports } = host
  const begun = begunRecords(host)
  const sessionsThere = recordKind<SessionThere>(host, BY_SESSION, {
    shape: sessionThere,
    onDamaged(_, report) {
      report('what it said is not used')
      return { sub: '', sessions: [], isDamaged: true }
    },
  })
  const subjects = recordKind<Subject>(host, BY_SUBJECT, {
    shape: ({ users }) => (isTexts(users) ? { users } : undefined),
    onDamaged(_, report) {
      report('what it said is not used')
      return { users: [], isDamaged: true }
    },
  })
  const logouts = recordKind<Logout>(host, LOGOUT, {
    shape: ({ at }) => (typeof at === 'number' ? { at } : undefined),
    onDamaged(_, report) {
      report('what it said is not used')
      return { at: Number.POSITIVE_INFINITY }
    },
  })

  const keyOf = (kind: string, { issuer, clientId }: Meant, ...name: string[]): Promise<string> =>
    digestOf(kind, issuer, clientId, ...name)

  const logoutKey = (meant: Meant): Promise<string> =>
    meant.sid === undefined
      ? keyOf(LOGOUT, meant, 'sub', meant.sub ?? '')
      : keyOf(LOGOUT, meant, 'sid', meant.sid)

  /** All sessions of a subject, whatever session there they are of. */
  async function ofSubject(meant: Meant): Promise<readonly Here[]> {
    const record = await subjects.get(await keyOf(BY_SUBJECT, meant, meant.sub ?? ''))
    const { users = [], isDamaged } = record?.data ?? {}
    if (isDamaged) throw new TypeError('the users of a subject are not known any more')
    const found: Here[] = []
    const { sid: _, ...subject } = meant
    for (const userId of users) found.push(...(await ofUser(userId, subject)))
    return found
  }

  /**
   * The sessions that a record of a session at the provider names, and all others of their users that began with it. In
   * one session, a provider may have signed in several subjects.
   */
  async function ofSession(known: SessionThere, meant: Meant): Promise<readonly Here[]> {
    const { sessions: all } = known
    const named = all.filter(({ sub = known.sub }) => meant.sub === undefined || sub === meant.sub)
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
    const isOfSubject = meant.sid === undefined
    for await (const { key: sid, data } of begun.each(userId)) {
      const { provider, at } = data
      const isMeant =
        at?.issuer === meant.issuer &&
        at.clientId === meant.clientId &&
        (meant.sub === undefined || at.sub === meant.sub) &&
        (isOfSubject || at.sid === meant.sid)
      if (provider === undefined ? isOfSubject : isMeant)
        found.push({ sid, userId, ...definedOnly({ sub: at?.sub }) })
    }
    return found
  }

  /** Leaves out the users who have no session any more, if there are many. */
  async function thinned(users: readonly string[]): Promise<string[]> {
    if (users.length <= MOST) return [...users]
    const left: string[] = []
    for (const userId of users) {
      if ((await begun.some(userId, 1)).length > 0) left.push(userId)
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
        await sessionsThere.upsert(await keyOf(BY_SESSION, at, at.sid), async (before, record) => {
          const known = before?.isDamaged ? await ofUser(userId, at) : (before?.sessions ?? [])
          const others = known.filter(({ sid }) => sid !== here.sid)
          const sessions = await shortened([...others, here])
          return { data: { sub: at.sub, sessions }, expires: later(record, expires), userId }
        })
      }
      await subjects.upsert(await keyOf(BY_SUBJECT, at, at.sub), async (before, record) => {
        const users = await thinned([...new Set([...(before?.users ?? []), userId])])
        return { data: { users }, expires: later(record, expires) }
      })
    },

    async keep(at, until) {
      // A damaged record stays as it is until somebody needs it.
      const prolonged = ({ isDamaged }: SessionThere | Subject, record: Expiring) =>
        isDamaged ? undefined : { expires: later(record, keptUntil(until)) }
      if (at.sid !== undefined)
        await sessionsThere.update(await keyOf(BY_SESSION, at, at.sid), prolonged)
      await subjects.update(await keyOf(BY_SUBJECT, at, at.sub), prolonged)
    },

    async knows(meant) {
      return (await sessionsThere.get(await keyOf(BY_SESSION, meant, meant.sid))) !== null
    },

    async refuseEnded(at, iat) {
      const ofSession = at.sid === undefined ? null : await logouts.get(await logoutKey(at))
      const { sid: _, ...subject } = at
      const ofSubject = await logouts.get(await logoutKey(subject))
      if (ofSession || (ofSubject && iat <= ofSubject.data.at)) {
        throw new AccessDenied(
          new Problem('conflict', 'the provider ended the session while it began here'),
        )
      }
    },

    async end(meant, iat, reason) {
      const sessions = host.sessions.control()
      if (!sessions) throw new TypeError('the plugin `sessions` is needed to end sessions')
      const key = await logoutKey(meant)
      const expires = new Date(ports.now() + UNDER_WAY)
      // A sign-in writes down its session first and reads this after.
      await logouts.upsert(key, (before = { at: 0 }, record) => ({
        data: { at: Number.isFinite(before.at) ? Math.max(before.at, iat) : iat },
        expires: later(record, expires),
      }))
      let found: readonly Here[]
      if (meant.sid === undefined) found = await ofSubject(meant)
      else {
        const record = await sessionsThere.get(await keyOf(BY_SESSION, meant, meant.sid))
        const known: SessionThere = record?.data ?? { sub: meant.sub ?? '', sessions: [] }
        if (known.isDamaged && meant.sub === undefined)
          throw new TypeError('the sessions of a session at the provider are not known any more')
        found = known.isDamaged ? await ofSubject(meant) : await ofSession(known, meant)
        const isOfOther =
          record && !known.isDamaged && meant.sub !== undefined && known.sub !== meant.sub
        if (isOfOther && found.length === 0) {
          await logouts.delete(key)
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

type Expiring = { readonly expires?: Date | undefined }

/** The later one of the expiry of a record and another one. */
function later(record: Expiring | null, expires: Date): Date {
  return new Date(Math.max(record?.expires?.getTime() ?? 0, expires.getTime()))
}

function sessionThere(data: JsonObject): SessionThere | undefined {
  const { sub, sessions } = data
  const isWhole =
    typeof sub === 'string' &&
    Array.isArray(sessions) &&
    sessions.every((each) => typeof (Object(each) as Partial<Here>).sid === 'string')
  return isWhole ? (data as unknown as SessionThere) : undefined
}
