/** Failures of the whole site, in this process. */
export interface Failures {
  add(now: number): void
  /** Returns by how much challenges are harder than usual: 1, or in an attack 4 or 16. */
  factor(now: number): number
}

/** Milliseconds of one count. */
const STEP = 10_000
const STEPS_OF_MINUTE = 6
const STEPS_OF_HOUR = 360

/** Failures in a minute below which there is no attack. */
const LEAST = 50
/** An attack begins when the last minute has this many times the failures of a mean minute of the last hour. */
const TIMES = 5
/** A great attack has this many times the failures with which an attack begins. */
const GREAT = 4

/** Creates the counts of failures. */
export function createFailures(): Failures {
  const counts = new Map<number, number>()
  const sum = (last: number, steps: number): number =>
    [...counts].reduce((all, [at, count]) => (at > last - steps ? all + count : all), 0)
  return {
    add(now) {
      const step = Math.floor(now / STEP)
      counts.set(step, (counts.get(step) ?? 0) + 1)
      for (const at of counts.keys()) if (at <= step - STEPS_OF_HOUR) counts.delete(at)
    },
    factor(now) {
      const step = Math.floor(now / STEP)
      const minute = sum(step, STEPS_OF_MINUTE)
      const usual = (TIMES * sum(step, STEPS_OF_HOUR)) / 60
      if (minute < LEAST || minute <= usual) return 1
      return minute >= GREAT * Math.max(LEAST, usual) ? 16 : 4
    },
  }
}
