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

/** How sealed sessions are ended at once: what is asked when one is read, and what is written when one ends. */
export interface Revocations {
  readonly log: RevocationLog
  /** @throws {Problem} `session_unreadable` when it cannot be found out: nobody is signed out then. */
  confirm(session: SessionFacts): Promise<Verdict>
  /**
   * What the store says of a session. A record that is ended, and of which the log knows nothing, is mended meanwhile.
   *
   * @param why for counters
   */
  truth(session: SessionFacts, why: WhyAsked): Promise<Truth>
  /** Writes into the log that a session was ended, unless the log has it where its record says. */
  publish(record: SessionRecord): Promise<void>
  /** Writes into the log that all earlier sessions of a user were ended. @returns the number of the record. */
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

  /** Does the log have what the record of a session names? Not if a backup was restored while its end was written. */
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
    // Whoever ended it was stopped halfway.
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

  /** Nothing depends on it, so whatever it listens to may be away for a while. */
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
      // Sessions of apps and devices may go on for longer than those of browsers.
      const longest = Math.max(host.sessions.longest(), LONGEST)
      const exp = Math.ceil(ports.now() / 1000) + longest + DAY
      return log.append({ s: [], u: [[userId, epoch, exp]] })
    },
  }
}

/** Why the store is asked for one session. */
type WhyAsked = EventMessages['truthRead']['why']

/** @param snapshot what was ended, as far as it is known. */
function whyOf(snapshot: Snapshot | undefined): WhyAsked {
  if (!snapshot) return 'start'
  return snapshot.isFull ? 'full' : 'named'
}

/** Milliseconds. */
const LISTEN_AGAIN = 10_000

/** No session that nobody uses goes on for longer. Seconds. */
const LONGEST = 400 * DAY
