import { ageOf, type Clocks, momentOf } from './moment.ts'
import { type Known, type RevocationState, remember } from './state.ts'

/** Milliseconds that a read waits for new entries. */
const MAX_WAIT = 2000

/** Milliseconds after which a read that waited gives up. */
const LONGEST_READ = 60_000

/** How often a read is repeated because its result was too old when it arrived. */
const MAX_ROUNDS = 3

/** The number of concurrent reads that each ask for one session during the first complete read. */
const MAX_SINGLE_READS = 50

/** Milliseconds without a read of a session after which new entries are not read any more. */
const IDLE = 30_000

const HOUR = 60 * 60 * 1000

/** The minimum pause between two reads because of hints, in milliseconds. */
const HINT_PAUSE = 20

/** A session to judge. */
export interface Asked<Snapshot> {
  /** The name and epoch of the session. Its verdict is remembered under this key. */
  readonly key: string
  /** Returns whether the snapshot says that the session may have ended. */
  isHit(snapshot: Snapshot): boolean
  /**
   * Asks for this session. @returns why it ended; `undefined` if it is active. @throws if this cannot be determined.
   */
  truth(): Promise<string | undefined>
}

export interface JudgeServices {
  readonly clocks: Clocks
  /** The maximum age of what is known, in milliseconds. */
  readonly bound: number
  readonly stale: 'read' | 'refuse'
  /** Reads new entries. Concurrent callers share one read. @returns whether it succeeded. */
  refresh(): Promise<boolean>
  /**
   * Whether new entries are read regularly while sessions are read. Otherwise, they are read only when a session needs
   * them.
   */
  readonly usesTimer: boolean
  /** Called once an hour while each read asks for its session. */
  tellFull(): void
}

/** Judges sealed sessions for which the snapshot is not sufficient. */
export interface Judge<Snapshot> {
  /**
   * @returns why the session ended; `undefined` if it is active.
   * @throws {Unreadable} if this cannot be determined. Nobody is signed out then.
   */
  confirm(asked: Asked<Snapshot>): Promise<string | undefined>
  /** Another process ended a session: new entries are read soon. */
  hint(): void
}

/** Thrown if it cannot be determined whether a session is active. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export function createJudge<Snapshot extends Known>(
  state: RevocationState<Snapshot>,
  { clocks, bound, stale, refresh, usesTimer, tellFull }: JudgeServices,
): Judge<Snapshot> {
  /** Reads new entries regularly while sessions are read. */
  function keepFresh(): void {
    if (!usesTimer || state.timer !== undefined) return
    const turn = async (): Promise<void> => {
      await refresh()
      state.timer = undefined
      // With `refuse`, no read waits for new entries.
      if (stale === 'refuse' || clocks.monotonic() - state.lastRead < IDLE) keepFresh()
    }
    state.timer = setTimeout(() => void turn(), bound / 2)
    unref(state.timer)
  }

  /** Waits for the current read, or starts one. @returns whether it succeeded in time. */
  async function refreshed(): Promise<boolean> {
    const running = refresh()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT, false)
    })
    const worked = await Promise.race([running, late])
    clearTimeout(timer)
    // It may never settle: the next read of a session starts another one.
    if (!worked && state.refreshing === running) state.refreshing = undefined
    return worked
  }

  /** @returns `undefined` if the response is too old. */
  async function ask({ key, truth }: Asked<Snapshot>): Promise<Finding | undefined> {
    const { version, snapshot } = state
    const begun = momentOf(clocks)
    state.asking++
    try {
      const ended = await truth()
      if (ended !== undefined) {
        remember(state.ended, key, ended)
        return { ended }
      }
    } finally {
      state.asking--
    }
    if (ageOf(begun, clocks) > bound) return undefined
    // Entries that changed in between may be about this session.
    if (snapshot && state.version === version) remember(state.alive, key, true)
    return GOES_ON
  }

  async function round(asked: Asked<Snapshot>): Promise<Finding | undefined> {
    if (!state.snapshot) {
      // A process that reads only one session, for example one for each request, reads nothing else.
      const running = state.reads > 1 ? refresh() : undefined
      if (!running || state.asking < MAX_SINGLE_READS) return ask(asked)
      if (!(await refreshed())) throw unreadable()
    }
    const { snapshot } = state
    if (!snapshot) return undefined
    if (ageOf(snapshot.asOf, clocks) > bound) {
      if (stale === 'refuse') {
        void refresh()
        throw unreadable()
      }
      if (!(await refreshed())) throw unreadable()
    }
    const { snapshot: fresh } = state
    // The shared read may have started long ago.
    if (!fresh || ageOf(fresh.asOf, clocks) > bound) return undefined
    if (fresh.isFull) tellHourly()
    if (!asked.isHit(fresh)) return GOES_ON
    const ended = state.ended.get(asked.key)
    if (ended !== undefined) return { ended }
    return state.alive.has(asked.key) ? GOES_ON : ask(asked)
  }

  function tellHourly(): void {
    const now = clocks.monotonic()
    if (now - toldFull < HOUR) return
    toldFull = now
    tellFull()
  }

  let toldFull = Number.NEGATIVE_INFINITY
  let hinted = false
  return {
    async confirm(asked) {
      const begun = momentOf(clocks)
      if (state.reads > 1) keepFresh()
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
        const finding = await round(asked)
        // The machine was suspended: the cookie has expired meanwhile, and the log no longer has the session.
        if (ageOf(begun, clocks) > LONGEST_READ) break
        if (finding) return finding.ended
      }
      throw unreadable()
    },

    hint() {
      // No sessions are read here: the next read asks itself.
      if (hinted || state.timer === undefined) return
      hinted = true
      unref(
        setTimeout(() => {
          hinted = false
          void refresh()
        }, HINT_PAUSE),
      )
    },
  }
}

/** Why a session ended, if it did. */
interface Finding {
  readonly ended: string | undefined
}

const GOES_ON: Finding = { ended: undefined }

function unreadable(): Unreadable {
  return new Unreadable(
    'could not read in time whether the session was ended: the record store fails or is slow',
  )
}

/** Lets the process end while the timer is pending. */
export function unref(timer: ReturnType<typeof setTimeout>): void {
  const waited = timer as unknown as { unref?(): void }
  waited.unref?.()
}
