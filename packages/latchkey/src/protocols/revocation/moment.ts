import type { Ports } from '../../base/ports.ts'

/** A time by both clocks of a machine. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

export type Clocks = Pick<Ports, 'now' | 'monotonic'>

export function momentOf(clocks: Clocks): Moment {
  return { wall: clocks.now(), monotonic: clocks.monotonic() }
}

/**
 * Returns the milliseconds since a moment: the longer time of both clocks, since one of them may have stopped while the
 * machine was suspended. A wall clock that was set back is ignored.
 */
export function ageOf({ wall, monotonic }: Moment, clocks: Clocks): number {
  return Math.max(clocks.now() - wall, clocks.monotonic() - monotonic, 0)
}
