import { ageOf, type Clocks, momentOf } from './moment.ts'
import { type Known, type RevocationState, remember } from './state.ts'

/** Milliseconds for which a read waits for what is new. */
const PATIENCE = 2000

/** Milliseconds after which a read that waited is no read any more. */
const LONGEST_READ = 60_000

/** How often a read begins anew because what it learned was too old when it had it. */
const ROUNDS = 3

/** So many reads ask for one session each at a time, while everything is read for the first time. */
const MOST_ASKING = 50

/** Milliseconds without a read after which nothing is read any more. */
const IDLE = 30_000

const HOUR = 60 * 60 * 1000

/** The least that lies between two readings because of hints, milliseconds. */
const HINT_PAUSE = 20

/** A session that is judged. */
export interface Asked<Snapshot> {
  /** Its name and its epoch: under this its verdict is remembered. */
  readonly key: string
  /** Does the snapshot say that it may have been ended? */
  isHit(snapshot: Snapshot): boolean
  /** Asks for this one session. @returns why it ended; `undefined` while it goes on. @throws when nobody can say. */
  truth(): Promise<string | undefined>
}

export interface JudgeServices {
  readonly clocks: Clocks
  /** Milliseconds. */
  readonly bound: number
  readonly stale: 'read' | 'refuse'
  /** Reads what is new; all who ask while it runs share one reading. @returns whether it worked. */
  refresh(): Promise<boolean>
  /** Does a process that reads sessions read what is new by itself? Else only when a read waits for it. */
  readonly usesTimer: boolean
  /** Told once an hour while each read asks for its session. */
  tellFull(): void
}

/** Judges sealed sessions where the snapshot alone does not say enough. */
export interface Judge<Snapshot> {
  /**
   * @returns why the session ended; `undefined` while it goes on.
   * @throws {Unreadable} when it cannot be found out: nobody is signed out then.
   */
  confirm(asked: Asked<Snapshot>): Promise<string | undefined>
  /** Somebody else ended something: what is new is read soon. */
  hint(): void
}

/** It cannot be found out whether a session goes on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export function createJudge<Snapshot extends Known>(
  state: RevocationState<Snapshot>,
  { clocks, bound, stale, refresh, usesTimer, tellFull }: JudgeServices,
): Judge<Snapshot> {
  /** Reads what is new again and again while sessions are being read. */
  function keepFresh(): void {
    if (!usesTimer || state.timer !== undefined) return
    const turn = async (): Promise<void> => {
      await refresh()
      state.timer = undefined
      // Whoever refuses what is stale has no read that would wait for a fresh one.
      if (stale === 'refuse' || clocks.monotonic() - state.lastRead < IDLE) keepFresh()
    }
    state.timer = setTimeout(() => void turn(), bound / 2)
    unref(state.timer)
  }

  /** Waits for the reading that is under way, or begins one. @returns whether it worked in time. */
  async function refreshed(): Promise<boolean> {
    const running = refresh()
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

  /** @returns `undefined` when the answer is too old by now. */
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
    // What changed meanwhile may be about this very session.
    if (snapshot && state.version === version) remember(state.alive, key, true)
    return GOES_ON
  }

  async function round(asked: Asked<Snapshot>): Promise<Finding | undefined> {
    if (!state.snapshot) {
      // Whoever reads one session, in a process that begins for each request say, reads nothing more.
      const running = state.reads > 1 ? refresh() : undefined
      if (!running || state.asking < MOST_ASKING) return ask(asked)
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
    // The reading that was shared may have begun long ago.
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
      for (let rounds = 0; rounds < ROUNDS; rounds++) {
        const finding = await round(asked)
        // A machine that was paused meanwhile holds a cookie that has expired, and of which nobody knows any more.
        if (ageOf(begun, clocks) > LONGEST_READ) break
        if (finding) return finding.ended
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
          void refresh()
        }, HINT_PAUSE),
      )
    },
  }
}

/** What was found out of a session: why it ended, if it did. */
interface Finding {
  readonly ended: string | undefined
}

const GOES_ON: Finding = { ended: undefined }

function unreadable(): Unreadable {
  return new Unreadable(
    'could not read in time whether the session was ended: the record store fails or is slow',
  )
}

/** Where a process would wait for a timer, it need not for this one. */
export function unref(timer: ReturnType<typeof setTimeout>): void {
  const waited = timer as unknown as { unref?(): void }
  waited.unref?.()
}
