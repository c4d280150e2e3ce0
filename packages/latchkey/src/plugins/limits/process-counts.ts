import type { CountedAttempt } from '../../entries/plugin.ts'

/** Keys that a process remembers, of each kind. */
const MOST_KEYS = 50_000

/** What this process knows to be refused: a flood costs the store nothing. */
export interface Refusals {
  /** Until when a key is refused, milliseconds since the epoch; `undefined`: nobody refused it. */
  until(key: string, now: number): number | undefined
  add(key: string, until: number, now: number): void
}

/** Attempts that are counted here, and nowhere else. */
export interface Counts {
  count(attempt: CountedAttempt): boolean
  /** When the first of those that count expires, milliseconds since the epoch. */
  until(key: string): number | undefined
}

/** What a process remembers; the oldest is forgotten when it is full. */
export function createProcessCounts(most: number = MOST_KEYS): {
  refusals: Refusals
  counts: Counts
  /** What was warned of. */
  warned: Set<string>
} {
  const refused = new Map<string, number>()
  /** When each attempt counts no more. */
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
        // Behind those that were asked for earlier.
        attempts.delete(key)
        makeRoom(attempts)
        attempts.set(key, counting)
        return isCounted
      },
      until: (key) => attempts.get(key)?.[0],
    },
  }
}
