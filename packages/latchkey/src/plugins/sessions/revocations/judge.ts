import { type Host, Problem } from '../../../plugin-kit.ts'
import type { SessionFacts } from '../../../session/facts.ts'
import type { Verdict } from '../../../session/watch.ts'
import type { RevocationLog } from './log.ts'
import { ageOf, type Clocks, momentOf } from './moment.ts'
import { type RevocationState, remember } from './state.ts'
import type { Truth } from './truth.ts'
import { epochOf, isHit, verdictKey } from './verdict.ts'

/** Milliseconds for which a read waits for the log. */
const PATIENCE = 2000

/** Milliseconds after which a read that waited is no read any more. */
const LONGEST_READ = 60_000

/** How often a read begins anew because what it learned was too old when it had it. */
const ROUNDS = 3

/** So many reads ask the store for one session at a time, while the log is read for the first time. */
const MOST_ASKING = 50

/** Milliseconds without a read after which the log is left alone. */
const IDLE = 30_000

const HOUR = 60 * 60 * 1000

/** The least that lies between two readings because of hints, milliseconds. */
const HINT_PAUSE = 20

export interface JudgeServices {
  readonly clocks: Clocks
  readonly logger: Pick<Host['logger'], 'warn'>
  readonly log: Pick<RevocationLog, 'refresh'>
  /** Milliseconds. */
  readonly bound: number
  readonly stale: 'read' | 'refuse'
  /** Asks the store for one session. */
  truth(session: SessionFacts): Promise<Truth>
}

/** Judges sealed sessions where the snapshot alone does not say enough. */
export interface Judge {
  /** @throws {Problem} `session_unreadable` when it cannot be found out: nobody is signed out then. */
  confirm(session: SessionFacts): Promise<Verdict>
  /** Somebody else wrote to the log: it is read soon. */
  hint(): void
}

export function createJudge(
  state: RevocationState,
  { clocks, logger, log, bound, stale, truth }: JudgeServices,
): Judge {
  /** Reads the log again and again while sessions are being read. */
  function keepFresh(): void {
    if (state.timer !== undefined) return
    state.timer = setTimeout(async () => {
      await log.refresh()
      state.timer = undefined
      // Whoever refuses what is stale has no read that would wait for a fresh one.
      if (stale === 'refuse' || clocks.monotonic() - state.lastRead < IDLE) keepFresh()
    }, bound / 2)
    unref(state.timer)
  }

  /** Waits for the reading that is under way, or begins one. @returns whether it worked in time. */
  async function refreshed(): Promise<boolean> {
    const running = log.refresh()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, PATIENCE, false)
    })
    const worked = await Promise.race([running, late])
    clearTimeout(timer)
    // It may never end: the next read begins another one.
    if (!worked && state.refreshing === running) state.refreshing = undefined
    return worked
  }

  /** @returns `undefined` when what the store said is too old by now. */
  async function ask(session: SessionFacts, epoch: number): Promise<Verdict | undefined> {
    const key = verdictKey(session, epoch)
    const { version, snapshot } = state
    const begun = momentOf(clocks)
    state.asking++
    try {
      const { reason } = await truth(session)
      if (reason !== undefined) {
        remember(state.ended, key, reason)
        return reason === 'replaced' ? 'replaced' : 'ended'
      }
    } finally {
      state.asking--
    }
    if (ageOf(begun, clocks) > bound) return undefined
    // What changed meanwhile may be about this very session.
    if (snapshot && state.version === version) remember(state.alive, key, true)
    return 'good'
  }

  async function round(session: SessionFacts, epoch: number): Promise<Verdict | undefined> {
    if (!state.snapshot) {
      // Whoever reads one session, in a process that begins for each request say, reads no whole log.
      const running = state.reads > 1 ? log.refresh() : undefined
      if (!running || state.asking < MOST_ASKING) return ask(session, epoch)
      if (!(await refreshed())) throw unreadable()
    }
    const { snapshot } = state
    if (!snapshot) return undefined
    if (ageOf(snapshot.asOf, clocks) > bound) {
      if (stale === 'refuse') {
        void log.refresh()
        throw unreadable()
      }
      if (!(await refreshed())) throw unreadable()
    }
    const { snapshot: fresh } = state
    // The reading that was shared may have begun long ago.
    if (!fresh || ageOf(fresh.asOf, clocks) > bound) return undefined
    if (fresh.isFull) tellFull()
    if (!isHit(fresh, session, epoch)) return 'good'
    const key = verdictKey(session, epoch)
    const reason = state.ended.get(key)
    if (reason !== undefined) return reason === 'replaced' ? 'replaced' : 'ended'
    return state.alive.has(key) ? 'good' : ask(session, epoch)
  }

  /** Each read asks the store then: slow, and never wrong. */
  function tellFull(): void {
    const now = clocks.monotonic()
    if (now - toldFull < HOUR) return
    toldFull = now
    logger.warn(
      'revocations-full',
      'more sessions were ended than `revocations.maxEntries` has room for, so each read asks the store',
    )
  }

  let toldFull = Number.NEGATIVE_INFINITY
  let hinted = false
  return {
    async confirm(session) {
      const epoch = epochOf(session)
      const begun = momentOf(clocks)
      if (state.reads > 1) keepFresh()
      for (let rounds = 0; rounds < ROUNDS; rounds++) {
        const verdict = await round(session, epoch)
        // A machine that was paused meanwhile holds a cookie that has expired, and of which nobody knows any more.
        if (ageOf(begun, clocks) > LONGEST_READ) break
        if (verdict !== undefined) return verdict
      }
      throw unreadable()
    },

    hint() {
      // Nobody reads sessions here: the next read asks by itself.
      if (hinted || state.timer === undefined) return
      hinted = true
      unref(
        setTimeout(() => {
          hinted = false
          void log.refresh()
        }, HINT_PAUSE),
      )
    },
  }
}

function unreadable(): Problem {
  return new Problem(
    'session_unreadable',
    'whether the session was ended could not be found out in time: the store of records fails or is slow',
  )
}

/** Where a process would wait for a timer, it need not for this one. */
function unref(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === 'object') timer.unref()
}
