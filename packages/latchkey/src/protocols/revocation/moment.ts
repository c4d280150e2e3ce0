import type { Ports } from '../../base/ports.ts'

/** When something was, by both clocks of a machine. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

export type Clocks = Pick<Ports, 'now' | 'monotonic'>

export function momentOf(clocks: Clocks): Moment {
  return { wall: clocks.now(), monotonic: clocks.monotonic() }
}

/**
 * Milliseconds since then: the longer of what the two clocks say, since a machine that was paused may have stopped one of
 * them. A wall clock that was set back counts for nothing.
 */
export function ageOf({ wall, monotonic }: Moment, clocks: Clocks): number {
  return Math.max(clocks.now() - wall, clocks.monotonic() - monotonic, 0)
}
