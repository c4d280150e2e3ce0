/** Numbers of the load test that are computed without a server: arrivals, percentiles, and where a ramp ends. */

/** The kinds of requests in the mix. */
export type Kind = 'read' | 'callback' | 'signin'

/** A request that is due. */
export interface Arrival {
  /** Milliseconds after the beginning of the step. */
  readonly due: number
  readonly kind: Kind
}

/** How many of 100 requests are of each kind. */
const MIX: Readonly<Record<Kind, number>> = { read: 90, callback: 9, signin: 1 }

/** Most milliseconds that the 99th percentile may take. */
export const LIMIT = 50

/** Least part of the offered requests that must be answered in the time of a step. */
const ACHIEVED = 0.98

/** Largest part of the requests that may fail. */
export const ERRORS = 0.001

/** A step of a ramp: what was offered, and what came of it. Times are milliseconds. */
export interface Step {
  /** Requests per second that were offered. */
  readonly offered: number
  /** Right answers per second. */
  readonly achieved: number
  readonly requests: number
  readonly errors: number
  readonly p50: number
  readonly p99: number
  readonly p99Of: Readonly<Record<Kind, number>>
  /** Milliseconds of processor time that all instances took for one request; `undefined` if unknown. */
  readonly cpu: number | undefined
  /** Parts of all processors that each kind of process took, by its name. */
  readonly shares: Readonly<Record<string, number>>
}

/**
 * Returns as many arrivals as the rate says, at random moments that do not depend on each other, as visitors come
 * (a Poisson process of which the number is known).
 *
 * @param random returns numbers from 0 to 1
 */
export function arrivals(rate: number, seconds: number, random: () => number): Arrival[] {
  const found = Array.from({ length: Math.round(rate * seconds) }, () => ({
    due: random() * seconds * 1000,
    kind: kindOf(random() * 100),
  }))
  return found.toSorted((a, b) => a.due - b.due)
}

function kindOf(place: number): Kind {
  if (place < MIX.read) return 'read'
  return place < MIX.read + MIX.callback ? 'callback' : 'signin'
}

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the least value that this part of the values does not exceed; `NaN` if there is none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** Returns a rate of the ladder that all ramps climb, so that their steps can be compared. */
export function rung(index: number, factor: number): number {
  const rate = 100 * factor ** index
  const unit = rate < 1000 ? 10 : 50
  return Math.round(rate / unit) * unit
}

/** Returns the number of the last rung that is not above a rate. */
export function rungBelow(rate: number, factor: number): number {
  let index = 0
  while (rung(index + 1, factor) <= rate) index++
  return index
}

/** Whether the service kept up with what was offered. */
export function keptUp({ p99, achieved, offered }: Step): boolean {
  return p99 <= LIMIT && achieved >= ACHIEVED * offered
}

/** Returns the highest step at which the service kept up; `undefined` if there is none. */
export function saturation(steps: readonly Step[]): Step | undefined {
  return steps
    .filter(keptUp)
    .reduce<Step | undefined>(
      (best, step) => (best && best.offered >= step.offered ? best : step),
      undefined,
    )
}
