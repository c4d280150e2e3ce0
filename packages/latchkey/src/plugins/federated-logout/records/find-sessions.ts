import { definedOnly } from '../../../entries/plugin.ts'
import {
  type Here,
  type Meant,
  type OpRecords,
  type SessionThere,
  subjectKey,
} from './op-records.ts'

/**
 * The largest number of entries in a record. It keeps the newest, and one for each user with a session. All other
 * sessions are found through their users, so none is lost.
 */
const MOST = 50

/** Returns all sessions of a subject, for any session at the provider. */
export async function sessionsOfSubject(
  meant: Meant,
  records: OpRecords,
): Promise<readonly Here[]> {
  const record = await records.subjects.get(await subjectKey(meant, meant.sub ?? ''))
  const { users = [], isDamaged } = record?.data ?? {}
  if (isDamaged) throw new TypeError('the users of a subject are not known any more')
  const found: Here[] = []
  const { sid: _, ...subject } = meant
  for (const userId of users) found.push(...(await sessionsOfUser(userId, subject, records)))
  return found
}

/**
 * Returns the sessions in the record of a session at the provider, and all other sessions of their users that began
 * with it. A provider may have signed in several subjects in one session.
 */
export async function sessionsOfSession(
  known: SessionThere,
  meant: Meant,
  records: OpRecords,
): Promise<readonly Here[]> {
  const { sessions: all } = known
  const named = all.filter(({ sub = known.sub }) => meant.sub === undefined || sub === meant.sub)
  const found = new Map(named.map((here) => [here.sid, here]))
  for (const userId of new Set(all.map((here) => here.userId)))
    for (const here of await sessionsOfUser(userId, meant, records)) found.set(here.sid, here)
  return [...found.values()]
}

/**
 * Returns the sessions of a user that began with a session at the provider, or with any session of a subject. Sessions
 * with an unknown beginning count as sessions of the subject.
 */
export async function sessionsOfUser(
  userId: string,
  meant: Meant,
  { begun }: OpRecords,
): Promise<readonly Here[]> {
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

/** Removes users without a session, if there are many. */
export async function thinned(users: readonly string[], { begun }: OpRecords): Promise<string[]> {
  if (users.length <= MOST) return [...users]
  const left: string[] = []
  for (const userId of users) {
    if ((await begun.some(userId, 1)).length > 0) left.push(userId)
  }
  return left
}

/** Removes sessions that are found through a later one of their user. */
export async function shortened(sessions: readonly Here[], records: OpRecords): Promise<Here[]> {
  if (sessions.length <= MOST) return [...sessions]
  const isLast = ({ userId }: Here, at: number): boolean =>
    sessions.findLastIndex((each) => each.userId === userId) === at
  const left = sessions.filter((each, at) => at >= sessions.length - MOST || isLast(each, at))
  const users = await thinned([...new Set(left.map(({ userId }) => userId))], records)
  return left.filter(({ userId }) => users.includes(userId))
}
