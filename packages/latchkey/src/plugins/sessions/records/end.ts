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

/** The reason of an end, and who caused it. */
export interface Ending {
  readonly reason: EndReason
  /** The id of the user who ended the session, if it is not their own. */
  readonly by?: string | undefined
}

/** An end of all sessions of a user before an epoch, with the number of its record in the log. */
export interface Cover {
  readonly epoch: number
  readonly seq: number
}

/** The session to end. */
interface Meant {
  readonly sid: string
  /** The required user. */
  readonly userId?: string | undefined
  /** The end of all sessions of the user, if this one is part of it. */
  readonly cover?: Cover | undefined
}

/** The result for a session to end. `over`: it has ended before; `long-over`: more than a day ago. */
type Decision =
  | { readonly kind: 'foreign' | 'long-over' | 'over' }
  /**
   * @param isSilent whether the end sends no event: the session is over by the clock of this process, or its row ends
   * it later.
   */
  | {
      readonly kind: 'ends'
      readonly reason: EndReason
      readonly data: SessionData
      readonly isSilent: boolean
    }

/**
 * Ends a session. Of concurrent calls, exactly one ends it.
 *
 * @returns whether this call ended it; `undefined` for an unknown session, or one that ended more than a day ago.
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
      // First, and also for a session that has ended, since an earlier call may have stopped in between.
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
  // The event is sent only after other processes can know of the end.
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
    // The key of its row is unknown. The row now has no record, and is ended as such a row.
    const isSilent = host.sessions.strategy() !== 'jwt' && !data.stored
    const stored = isSilent ? { stored: [] } : {}
    return { kind: 'ends', reason, data: { ...data, ...stored, ended }, isSilent }
  }
  // The session is over by the clock of this process. Processes with another clock still need the entry.
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

/** Handles the end of a session: by its user, by idleness, or because it could not be issued. */
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
  // The cookie may be an older copy of a session that goes on.
  if (reason === 'idle' && isSealed && !(await isIdle(sid, keeping))) return
  await (reason === 'sign-out' && isSealed
    ? signOut(session, keeping)
    : endOrNote(session, reason, keeping))
}

async function isIdle(sid: string, { records, host }: Keeping): Promise<boolean> {
  const record = await records.get(sid)
  return record !== null && record.data.until <= host.ports.now()
}

/**
 * Ends the session of a sign-out. The browser loses its cookie even if the store fails. Other processes see the end
 * once the store works.
 */
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

/** Ends a session, and stores the end of a sealed one without a record, whose cookie may be sent later. */
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
  // Also an end that another call stored, since its process may have stopped before it wrote the log.
  if (isOver) await (await revocations())?.publish(record)
  // Another call was faster, and created the record of an active session.
  if (!isNoted && !isOver) await endOrNote(session, reason, keeping)
}

/**
 * Ends the pending sign-ins of a user, and their sealed sessions, except the session `except`.
 *
 * @returns the end of the sealed sessions, if there are any.
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

/** Ends pending sign-ins of a deleted user. */
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

/** Milliseconds for which a failed sign-out is repeated. */
const PATIENCE = 60_000

/** Repeats a call with growing pauses. @throws the last error. */
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
