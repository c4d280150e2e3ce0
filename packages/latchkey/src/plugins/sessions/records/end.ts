import {
  damagedRecord,
  definedOnly,
  type EndReason,
  type SessionFacts,
  SignOutError,
  toError,
} from '../../../entries/plugin.ts'
import { whyOver } from '../lifetime.ts'
import { changeRecord, createRecord, DAY, dataOf, type Keeping } from './record.ts'
import { LONGEST, type SessionData, type SessionRecord } from './session-record.ts'

/** Why a session is ended, and by whom. */
export interface Ending {
  readonly reason: EndReason
  /** The id of the user who did it, if it was another one. */
  readonly by?: string | undefined
}

/** All sessions of a user before this epoch were ended; the log says so in the record with this number. */
export interface Cover {
  readonly epoch: number
  readonly seq: number
}

/** Which session is to be ended. */
interface Meant {
  readonly sid: string
  /** Whose it has to be. */
  readonly userId?: string | undefined
  /** What was ended with it, if all of its user were. */
  readonly cover?: Cover | undefined
}

/** What becomes of a session that is to be ended. `over`: it was ended before, `long-over`: more than a day ago. */
type Decision =
  | { readonly kind: 'foreign' | 'long-over' | 'over' }
  /** @param isSilent whether nobody is told: by our clock it is over already, or its row ends it later. */
  | {
      readonly kind: 'ends'
      readonly reason: EndReason
      readonly data: SessionData
      readonly isSilent: boolean
    }

/**
 * Ends a session. Of any number of calls exactly one does it.
 *
 * @returns whether this call did it; `undefined` for a session that is unknown, or over for a day.
 */
export async function endSession(
  meant: Meant,
  { reason, by }: Ending,
  keeping: Keeping,
): Promise<boolean | undefined> {
  const { host, revocations } = keeping
  const { sid } = meant
  const at = host.ports.now()
  let decision = undefined as Decision | undefined
  let before = undefined as SessionRecord | undefined
  const ended = await changeRecord(
    sid,
    async (_, record) => {
      before = record
      decision = decide(record, { reason, by, at }, meant, keeping)
      if (decision.kind === 'foreign' || decision.kind === 'long-over') return undefined
      // First, and also for one that was ended: whoever did it may have been stopped in between.
      await deleteRows(record.data, keeping)
      return decision.kind === 'ends' ? decision.data : undefined
    },
    keeping,
  )
  if (!ended || decision?.kind === 'foreign') return undefined
  const done = ended.isChanged && decision?.kind === 'ends' ? decision : undefined
  if (done && before?.data.isDamaged) {
    const end = done.isSilent
      ? 'its session ends when it is used next'
      : 'its session has been ended'
    host.logger.error(damagedRecord(before, `${end}, and the record was replaced`))
  }
  // Nobody is told that it is over before the others can know.
  if (!ended.record.data.stored) await (await revocations())?.publish(ended.record)
  if (decision?.kind === 'long-over') return undefined
  if (!done || done.isSilent) return false
  await host.tell('sessionEnded', {
    sid,
    userId: before?.userId ?? '',
    reason: done.reason,
    ...definedOnly({ by }),
    at: new Date(at),
  })
  return true
}

function decide(
  { userId: owner, data: { isDamaged, ...data } }: SessionRecord,
  { reason: asked, by, at }: Ending & { readonly at: number },
  { userId, cover }: Meant,
  { host, settings }: Keeping,
): Decision {
  if (userId !== undefined && owner !== userId) return { kind: 'foreign' }
  const before = isDamaged ? undefined : data.ended
  if (before) return { kind: before.at <= at - DAY ? 'long-over' : 'over' }
  const reason = asked === 'idle' ? (whyOver(data, at, settings) ?? asked) : asked
  const ended = { at, reason, ...definedOnly({ by }) }
  if (isDamaged) {
    // Nobody knows the key of its row. The row has no record now, and is ended as such a row is.
    const isSilent = host.sessions.strategy() !== 'jwt' && !data.stored
    const stored = isSilent ? { stored: [] } : {}
    return { kind: 'ends', reason, data: { ...data, ...stored, ended }, isSilent }
  }
  // By our clock it is over already. Others, who have another one, learn that it was ended.
  const isSilent = cover !== undefined && data.until <= at
  const seq = cover && (data.epo ?? 0) < cover.epoch ? cover.seq : undefined
  const whole = { ...data, ended: { ...ended, ...definedOnly({ seq }) } }
  return { kind: 'ends', reason, data: whole, isSilent }
}

async function deleteRows(
  { stored = [] }: SessionData,
  { host: { store } }: Keeping,
): Promise<void> {
  for (const key of stored) await store?.deleteSession(key)
}

/** What follows when a session ends: by its user, because nobody used it, or because it could not be issued. */
export async function onEnd(
  session: SessionFacts,
  reason: EndReason,
  keeping: Keeping,
): Promise<void> {
  const sid = await session.sid()
  if (reason === 'failed') {
    await keeping.records.delete(sid)
    return
  }
  const isSealed = session.strategy === 'jwt'
  // An older copy of its cookie may be over, and the session goes on.
  if (reason === 'idle' && isSealed && !(await isIdle(sid, keeping))) return
  await (reason === 'sign-out' && isSealed
    ? signOut(session, keeping)
    : endOrNote(session, reason, keeping))
}

async function isIdle(sid: string, { records, host }: Keeping): Promise<boolean> {
  const record = await records.get(sid)
  return record !== null && record.data.until <= host.ports.now()
}

/** The browser forgets its session whatever the store does: others learn of it as soon as it works again. */
async function signOut(session: SessionFacts, keeping: Keeping): Promise<void> {
  const { host, settings } = keeping
  const end = (): Promise<void> => endOrNote(session, 'sign-out', keeping)
  try {
    await end()
  } catch (error) {
    if (!settings.revocations) throw error
    host.logger.error(new SignOutError(toError(error)))
    void host.work.background('sign-out', () => again(end))
  }
}

/** Ends a session, and writes down the end of a sealed one that has no record: its cookie may come back. */
async function endOrNote(
  session: SessionFacts,
  reason: EndReason,
  keeping: Keeping,
): Promise<void> {
  const { host, records, revocations } = keeping
  const sid = await session.sid()
  const ended = await endSession({ sid }, { reason }, keeping)
  if (ended !== undefined || session.strategy !== 'jwt') return
  const data = dataOf(session, await session.known(), keeping)
  const end = { at: host.ports.now(), reason }
  const isNoted = await createRecord(session, { ...data, ended: end }, keeping)
  const record = await records.get(sid)
  const isOver = record?.data.ended !== undefined
  // Also what another call has noted: its process may have been stopped before the others could know.
  if (isOver) await (await revocations())?.publish(record)
  // Another call was faster, and made a record of a session that goes on.
  if (!isNoted && !isOver) await endOrNote(session, reason, keeping)
}

/**
 * Ends the sign-ins of a user that are under way, and their sealed sessions, but not the session `except`.
 *
 * @returns what covers them, where they are sealed.
 */
export async function endEarlier(
  userId: string,
  except: string | undefined,
  keeping: Keeping,
): Promise<Cover | undefined> {
  const spare = (epo: number) =>
    changeRecord(
      except ?? '',
      (data, record) => (record.userId === userId && !data.ended ? { ...data, epo } : undefined),
      keeping,
    )
  const epoch = await keeping.epochs.raise(userId, except === undefined ? {} : { spare })
  return coverOf(userId, epoch, keeping)
}

/** The user is gone: so are sign-ins that are under way. */
export async function forgetUser(userId: string, keeping: Keeping): Promise<void> {
  const { host, epochs, settings } = keeping
  const { absoluteMaxAge } = settings
  const longest = absoluteMaxAge === false ? LONGEST : absoluteMaxAge * 1000
  const expires = new Date(host.ports.now() + longest + 2 * DAY)
  await coverOf(userId, await epochs.raise(userId, { expires }), keeping)
}

async function coverOf(
  userId: string,
  epoch: number,
  { host, revocations }: Keeping,
): Promise<Cover | undefined> {
  if (host.sessions.strategy() !== 'jwt') return undefined
  const seq = await (await revocations())?.publishUser(userId, epoch)
  return seq === undefined ? undefined : { epoch, seq }
}

/** Milliseconds for which a sign-out that the store did not take is tried again. */
const PATIENCE = 60_000

/** Tries again, after pauses that become longer. @throws what it failed with last. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let pause = 1000, waited = 0; ; pause *= 2) {
    await new Promise((resolve) => {
      setTimeout(resolve, pause)
    })
    waited += pause
    try {
      return await work()
    } catch (error) {
      if (waited >= PATIENCE) throw error
    }
  }
}
