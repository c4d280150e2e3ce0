import type { CountedAttempt } from '../../entries/plugin.ts'

/** The largest number of keys that a process keeps, of each kind. */
const MOST_KEYS = 50_000

/** Refusals that this process knows, so a flood does not reach the store. */
export interface Refusals {
  /** Returns when the refusal of a key ends, in milliseconds since the epoch; `undefined` if there is none. */
  until(key: string, now: number): number | undefined
  add(key: string, until: number, now: number): void
}

/** Attempts that are counted in this process only. */
export interface Counts {
  count(attempt: CountedAttempt): boolean
  /** Returns when the oldest counted attempt expires, in milliseconds since the epoch. */
  until(key: string): number | undefined
}

/** Creates the memory of a process. It drops the oldest entry when it is full. */
export function createProcessCounts(most: number = MOST_KEYS): {
  refusals: Refusals
  counts: Counts
  /** The warnings that were logged. */
  warned: Set<string>
} {
  const refused = new Map<string, number>()
  /** When each attempt expires, by key. */
  const attempts = new Map<string, number[]>()
  const makeRoom = (map: Map<string, unknown>): void => {
    const [oldest] = map.size >= most ? map.keys() : []
    if (oldest !== undefined) map.delete(oldest)
  }
  return {
    warned: new Set(),
    refusals: {
      until(key, now) {
        const until = refused.get(key)
        if (until === undefined || until > now) return until
        refused.delete(key)
        return undefined
      },
      add(key, until) {
        makeRoom(refused)
        refused.set(key, until)
      },
    },
    counts: {
      count({ key, limit, now, expires }) {
        const counting = (attempts.get(key) ?? []).filter((end) => end > now.getTime())
        const isCounted = counting.length < limit
        if (isCounted) counting.push(expires.getTime())
        // Moves the key to the end, behind those that were used earlier.
        attempts.delete(key)
        makeRoom(attempts)
        attempts.set(key, counting)
        return isCounted
      },
      until: (key) => attempts.get(key)?.[0],
    },
  }
}
