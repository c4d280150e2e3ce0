import type { Moment } from './moment.ts'

/** The known ended sessions, and the time up to which they are complete. */
export interface Known {
  readonly asOf: Moment
  /** There were too many entries: each session may have ended. */
  readonly isFull: boolean
}

/** The state of a process. All plans that share a store share one. */
export interface RevocationState<Snapshot extends Known> {
  /** `undefined` before the first read. */
  snapshot: Snapshot | undefined
  /** Changes whenever the snapshot has new entries. */
  version: number
  /** Whether the log was replaced by another one, so that it must be read completely. */
  isLost: boolean
  /** The current read of new entries, which all waiting reads share. @returns whether it succeeded. */
  refreshing: Promise<boolean> | undefined
  /** Why sessions ended whose end was confirmed, by name and epoch. */
  readonly ended: Map<string, string>
  /** The sessions that match the snapshot but are active. */
  readonly alive: Map<string, true>
  /** The number of sessions that were read before the first snapshot. */
  reads: number
  /** The time of the last read of a session, by the monotonic clock. */
  lastRead: number
  /** The timer of the next read, while sessions are read. */
  timer: ReturnType<typeof setTimeout> | undefined
  /** The number of reads that ask the store for one session. */
  asking: number
  /** Whether the process receives hints about changes of other processes. */
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

/** The number of remembered verdicts. */
const MOST_REMEMBERED = 10_000

/** Remembers a verdict, and removes the oldest if there are too many. */
export function remember<Value>(verdicts: Map<string, Value>, key: string, value: Value): void {
  verdicts.delete(key)
  verdicts.set(key, value)
  if (verdicts.size <= MOST_REMEMBERED) return
  for (const oldest of verdicts.keys()) {
    verdicts.delete(oldest)
    break
  }
}
