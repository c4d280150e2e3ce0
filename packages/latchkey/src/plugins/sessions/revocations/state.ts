import type { EndReason } from '../../../session/end-reason.ts'
import type { Snapshot } from './snapshot.ts'

/** What a process knows and does about sessions that were ended. One for all plans that share a store. */
export interface RevocationState {
  /** `undefined` until the log was read for the first time. */
  snapshot: Snapshot | undefined
  /** Another number whenever the snapshot has something new. */
  version: number
  /** Was the log found to be another one? Then it is read as a whole. */
  isLost: boolean
  /** Reading the log, which all who wait for it share. @returns whether it worked. */
  refreshing: Promise<boolean> | undefined
  /** Sessions whose end the store confirmed, by name and epoch. */
  readonly ended: Map<string, EndReason>
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

export function createState(): RevocationState {
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
