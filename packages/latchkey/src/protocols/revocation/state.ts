import type { Moment } from './moment.ts'

/** What is known of sessions that were ended, and since when nothing was missed. */
export interface Known {
  readonly asOf: Moment
  /** More was ended than fits: everything is a hit. */
  readonly isFull: boolean
}

/** What a process knows and does about sessions that were ended. One for all plans that share a store. */
export interface RevocationState<Snapshot extends Known> {
  /** `undefined` until it was read for the first time. */
  snapshot: Snapshot | undefined
  /** Another number whenever the snapshot has something new. */
  version: number
  /** Was what is read found to be another one? Then it is read as a whole. */
  isLost: boolean
  /** Reading what is new, which all who wait for it share. @returns whether it worked. */
  refreshing: Promise<boolean> | undefined
  /** Why sessions ended, of those whose end was confirmed; by name and epoch. */
  readonly ended: Map<string, string>
  /** Sessions that the snapshot names, and that go on. */
  readonly alive: Map<string, true>
  /** Sessions that were read before there was a snapshot. */
  reads: number
  /** When a session was read last, by the clock that never goes back. */
  lastRead: number
  /** The next refresh, while sessions are being read. */
  timer: ReturnType<typeof setTimeout> | undefined
  /** How many ask the store for one session. */
  asking: number
  /** Is a process told of what others write? */
  listening: boolean
}

export function createState<Snapshot extends Known>(): RevocationState<Snapshot> {
  return {
    snapshot: undefined,
    version: 0,
    isLost: false,
    refreshing: undefined,
    ended: new Map(),
    alive: new Map(),
    reads: 0,
    lastRead: Number.NEGATIVE_INFINITY,
    timer: undefined,
    asking: 0,
    listening: false,
  }
}

/** So many verdicts are remembered. */
const MOST_REMEMBERED = 10_000

/** Remembers a verdict, and forgets the oldest. */
export function remember<Value>(verdicts: Map<string, Value>, key: string, value: Value): void {
  verdicts.delete(key)
  verdicts.set(key, value)
  if (verdicts.size <= MOST_REMEMBERED) return
  for (const oldest of verdicts.keys()) {
    verdicts.delete(oldest)
    break
  }
}
