import { AccessDenied, type Host, Problem, type SessionFacts } from '../../../entries/plugin.ts'
import { type AtProvider, forgetBegun, keptUntil } from '../begun.ts'
import {
  sessionsOfSession,
  sessionsOfSubject,
  sessionsOfUser,
  shortened,
  thinned,
} from './find-sessions.ts'
import {
  type Here,
  logoutKey,
  type Meant,
  opRecords,
  type SessionThere,
  type Subject,
  sessionKey,
  subjectKey,
} from './op-records.ts'

/** Milliseconds that a sign-in may take. */
const UNDER_WAY = 20 * 60 * 1000

/** Finds local sessions by the session or subject at the provider. */
export interface OpSessions {
  /** Adds a session, before it is stored. */
  add(session: SessionFacts, at: AtProvider): Promise<void>
  /** Extends the records of a session. @param until in milliseconds since the epoch. */
  keep(at: AtProvider, until: number): Promise<void>
  /** Returns whether a local session began with a session at the provider. */
  knows(meant: Meant & { readonly sid: string }): Promise<boolean>
  /**
   * Refuses a session whose sign-in began before the provider logged it out.
   *
   * @param iat of its ID token, in seconds since the epoch.
   * @throws {AccessDenied}
   */
  refuseEnded(at: AtProvider, iat: number): Promise<void>
  /**
   * Ends the sessions of a logout. Pending sign-ins get no session.
   *
   * @param iat of the logout, in seconds since the epoch.
   * @returns the users whose sessions this call ended, one entry for each session; `undefined` if the session belongs
   * to another subject.
   */
  end(
    meant: Meant,
    iat: number,
    reason: 'back-channel' | 'front-channel',
  ): Promise<readonly string[] | undefined>
}

export function createOpSessions(host: Host): OpSessions {
  const { ports } = host
  const records = opRecords(host)
  const { sessionsThere, subjects, logouts } = records
  return {
    async add(session, at) {
      const { userId } = session
      if (userId === undefined) return
      const expires = keptUntil(session.expires)
      const here = { sid: await session.sid(), userId, sub: at.sub }
      if (at.sid !== undefined) {
        await sessionsThere.upsert(await sessionKey(at, at.sid), async (before, record) => {
          const known = before?.isDamaged
            ? await sessionsOfUser(userId, at, records)
            : (before?.sessions ?? [])
          const others = known.filter(({ sid }) => sid !== here.sid)
          const sessions = await shortened([...others, here], records)
          return { data: { sub: at.sub, sessions }, expires: later(record, expires), userId }
        })
      }
      await subjects.upsert(await subjectKey(at, at.sub), async (before, record) => {
        const users = await thinned([...new Set([...(before?.users ?? []), userId])], records)
        return { data: { users }, expires: later(record, expires) }
      })
    },

    async keep(at, until) {
      // A damaged record is not rewritten, so it stays recognizable.
      const prolonged = ({ isDamaged }: SessionThere | Subject, record: Expiring) =>
        isDamaged ? undefined : { expires: later(record, keptUntil(until)) }
      if (at.sid !== undefined) await sessionsThere.update(await sessionKey(at, at.sid), prolonged)
      await subjects.update(await subjectKey(at, at.sub), prolonged)
    },

    async knows(meant) {
      return (await sessionsThere.get(await sessionKey(meant, meant.sid))) !== null
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
      // A sign-in stores its session first and reads this record afterwards.
      await logouts.upsert(key, (before = { at: 0 }, record) => ({
        data: { at: Number.isFinite(before.at) ? Math.max(before.at, iat) : iat },
        expires: later(record, expires),
      }))
      let found: readonly Here[]
      if (meant.sid === undefined) found = await sessionsOfSubject(meant, records)
      else {
        const record = await sessionsThere.get(await sessionKey(meant, meant.sid))
        const known: SessionThere = record?.data ?? { sub: meant.sub ?? '', sessions: [] }
        if (known.isDamaged && meant.sub === undefined)
          throw new TypeError('the sessions of a session at the provider are not known any more')
        found = known.isDamaged
          ? await sessionsOfSubject(meant, records)
          : await sessionsOfSession(known, meant, records)
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

/** Returns the later expiry: that of the record or the given one. */
function later(record: Expiring | null, expires: Date): Date {
  return new Date(Math.max(record?.expires?.getTime() ?? 0, expires.getTime()))
}
