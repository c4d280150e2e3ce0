import {
  damagedRecord,
  type EventMessages,
  type Host,
  Problem,
  type Push,
  type SessionFacts,
  type Verdict,
} from '../../../entries/plugin.ts'
import { createJudge, Unreadable, unref } from '../../../protocols/revocation/judge.ts'
import type { RevocationState } from '../../../protocols/revocation/state.ts'
import type { Epochs } from '../records/epoch.ts'
import { type SessionRecord, sessionRecords } from '../records/session-record.ts'
import { createLog, type RevocationLog } from './log.ts'
import type { RevocationSettings } from './settings.ts'
import { DAY, type Snapshot } from './snapshot.ts'
import { type Truth, truthAt } from './truth.ts'
import { epochOf, isHit, verdictKey } from './verdict.ts'

/** Ends sealed sessions at once: reads check them, and ends are written to a log. */
export interface Revocations {
  readonly log: RevocationLog
  /** @throws {Problem} `session_unreadable` if it cannot be found out. The session is not signed out then. */
  confirm(session: SessionFacts): Promise<Verdict>
  /**
   * Reads the state of a session from the store. If the record has ended and the log has no entry, the entry is
   * written.
   *
   * @param why for metrics
   */
  truth(session: SessionFacts, why: WhyAsked): Promise<Truth>
  /** Writes the end of a session into the log, unless the log has it at the number in its record. */
  publish(record: SessionRecord): Promise<void>
  /** Writes the end of all earlier sessions of a user into the log. @returns the number of the record. */
  publishUser(userId: string, epoch: number): Promise<number>
}

export function createRevocations(
  host: Host,
  { bound, stale, push, maxEntries }: RevocationSettings,
  { state, epochs }: { readonly state: RevocationState<Snapshot>; readonly epochs: Epochs },
): Revocations {
  const { ports, work } = host
  const records = sessionRecords(host)
  const log = createLog(host, state, { maxEntries, notify: push?.notify })

  /**
   * Returns whether the log has the entry that the record of a session names. It does not if a backup was restored
   * meanwhile.
   */
  async function isWritten(record: SessionRecord): Promise<boolean> {
    const { key, userId } = record
    const { ended, epo = 0 } = record.data
    if (ended?.seq === undefined) return false
    const entries = await log.read(ended.seq)
    if (!entries) return false
    const isRaised = entries.u.some(([id, epoch]) => id === userId && epo < epoch)
    return isRaised || entries.s.some(([sid]) => sid === key)
  }

  async function publish(record: SessionRecord): Promise<void> {
    const { isDamaged, ...data } = record.data
    const { ended, until } = data
    if (!ended || (await isWritten(record))) return
    const exp = Math.ceil((record.expires?.getTime() ?? (isDamaged ? until : ports.now())) / 1000)
    const seq = await log.append({ s: [[record.key, exp]], u: [] })
    const next = await records.replace(record, { data: { ...data, ended: { ...ended, seq } } })
    if (isDamaged && next)
      host.logger.error(
        damagedRecord(record, 'its session has been ended, and the record replaced'),
      )
  }

  async function truth(session: SessionFacts, why: WhyAsked): Promise<Truth> {
    const found = await truthAt(session, host, epochs)
    const { record, reason } = found
    void host.tell('truthRead', { why, ended: reason !== undefined })
    const isUnpublished = record?.data.ended && !record.data.ended.seq
    // The call that ended the session was interrupted.
    if (isUnpublished) void work.background('revocation', () => publish(record))
    return found
  }

  const judge = createJudge(state, {
    clocks: ports,
    bound,
    stale,
    refresh: log.refresh,
    usesTimer: true,
    tellFull: () =>
      host.logger.warn(
        'revocations-full',
        state.snapshot?.isDamaged
          ? 'a record of the log of ended sessions is damaged, so each read calls the store; restore the record that an earlier error names'
          : 'more sessions were ended than `revocations.maxEntries` allows, so each read calls the store; increase it',
      ),
  })

  async function confirm(session: SessionFacts): Promise<Verdict> {
    const epoch = epochOf(session)
    try {
      const ended = await judge.confirm({
        key: verdictKey(session, epoch),
        isHit: (snapshot) => isHit(snapshot, session, epoch),
        truth: async () => (await truth(session, whyOf(state.snapshot))).reason,
      })
      if (ended === undefined) return 'good'
      return ended === 'replaced' ? 'replaced' : 'ended'
    } catch (error) {
      throw error instanceof Unreadable ? new Problem('session_unreadable', error.message) : error
    }
  }

  /** Listens for notifications. They are optional, so failures are repeated later. */
  async function listen(others: Push): Promise<void> {
    try {
      await others.listen(judge.hint)
    } catch (error) {
      unref(
        setTimeout(
          () => void work.background('revocation-push', () => listen(others)),
          LISTEN_AGAIN,
        ),
      )
      throw error
    }
  }

  if (push && !state.listening) {
    state.listening = true
    void work.background('revocation-push', () => listen(push))
  }
  return {
    confirm,
    log,
    truth,
    publish,
    publishUser: (userId, epoch) => {
      // Sessions of apps and devices may last longer than those of browsers.
      const longest = Math.max(host.sessions.longest(), LONGEST)
      const exp = Math.ceil(ports.now() / 1000) + longest + DAY
      return log.append({ s: [], u: [[userId, epoch, exp]] })
    },
  }
}

/** The reason for a read of one session from the store. */
type WhyAsked = EventMessages['truthRead']['why']

/** @param snapshot the known ended sessions. */
function whyOf(snapshot: Snapshot | undefined): WhyAsked {
  if (!snapshot) return 'start'
  return snapshot.isFull ? 'full' : 'named'
}

/** In milliseconds. */
const LISTEN_AGAIN = 10_000

/** The longest lifetime of a session without use, in seconds. */
const LONGEST = 400 * DAY
