import { createState, type RevocationState } from '../../protocols/revocation/state.ts'
import type { Snapshot } from './revocations/snapshot.ts'

/** Of so many sessions a process knows the following. */
const MOST_KNOWN = 10_000

/** What a process remembers of sessions, by their keys, for as long as it runs: times, milliseconds since the epoch. */
export interface Memory {
  /** When it was last written down that they were seen. */
  readonly seen: Map<string, number>
  /** Until when there is no point in extending them: their end was cut. */
  readonly settled: Map<string, number>
  readonly revocations: RevocationState<Snapshot>
}

export function createMemory(): Memory {
  return { seen: new Map(), settled: new Map(), revocations: createState() }
}

/** Notes a time, and forgets those that were noted longest ago. */
export function note(times: Map<string, number>, key: string, time: number): void {
  // Behind those that were noted earlier.
  times.delete(key)
  times.set(key, time)
  for (const oldest of times.keys()) {
    if (times.size <= MOST_KNOWN) break
    times.delete(oldest)
  }
}
