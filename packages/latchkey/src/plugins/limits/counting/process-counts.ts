import type { CountedAttempt } from '../../../entries/plugin.ts'

/** The largest number of keys that a process keeps, of each kind. */
const MOST_KEYS = 50_000

/** Refusals that this process knows, so a flood does not reach the store. */
export interface Refusals {
  /** Returns when the refusal of a key ends, in milliseconds since the epoch; `undefined` if there is none. */
  until(key: string, now: number): number | undefined
  add(key: string, until: number, now: number): void
  delete(key: string): void
}

/** Attempts that are counted in this process only. */
export interface Counts {
  count(attempt: CountedAttempt): boolean
  /** Returns when the oldest counted attempt expires, in milliseconds since the epoch. */
  until(key: string): number | undefined
  delete(key: string): void
}

/** What a process remembers of attempts. */
export interface ProcessCounts {
  readonly refusals: Refusals
  readonly counts: Counts
  /** The warnings that were logged. */
  readonly warned: Set<string>
  /** Returns `true` at the first call for a key in its window. */
  isUntold(key: string, until: number, now: number): boolean
}

/** Creates the memory of a process. It drops the oldest entry when it is full. */
export function createProcessCounts(most: number = MOST_KEYS): ProcessCounts {
  const refused = new Map<string, number>()
  /** Until when each reached limit is not told again. */
  const told = new Map<string, number>()
  /** When each attempt expires, by key. */
  const attempts = new Map<string, number[]>()
  const makeRoom = (map: Map<string, unknown>): void => {
    const [oldest] = map.size >= most ? map.keys() : []
    if (oldest !== undefined) map.delete(oldest)
  }
  return {
    warned: new Set(),
    isUntold(key, until, now) {
      if ((told.get(key) ?? now) > now) return false
      makeRoom(told)
      told.set(key, until)
      return true
    },
    refusals: {
      until(key, now) {
        const until = refused.get(key)
        if (until === undefined || until > now) return until
        refused.delete(key)
        return undefined
      },
      delete: (key) => void refused.delete(key),
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
      delete: (key) => void attempts.delete(key),
    },
  }
}
