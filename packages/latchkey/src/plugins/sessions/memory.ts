import { createState, type RevocationState } from '../../protocols/revocation/state.ts'
import type { Snapshot } from './revocations/snapshot.ts'

/** The largest number of sessions that a process remembers. */
const MOST_KNOWN = 10_000

/** The memory of a process, by the keys of sessions: times in milliseconds since the epoch. */
export interface Memory {
  /** When a session was last marked as seen. */
  readonly seen: Map<string, number>
  /** Until when a session need not be extended, because its end is limited. */
  readonly settled: Map<string, number>
  readonly revocations: RevocationState<Snapshot>
}

export function createMemory(): Memory {
  return { seen: new Map(), settled: new Map(), revocations: createState() }
}

/** Sets a time, and drops the oldest entries. */
export function note(times: Map<string, number>, key: string, time: number): void {
  // Moves the key to the end.
  times.delete(key)
  times.set(key, time)
  for (const oldest of times.keys()) {
    if (times.size <= MOST_KNOWN) break
    times.delete(oldest)
  }
}
