/** How many times as much {@link growth} gives. Linear work takes eight times as long for it, quadratic work 64 times. */
export const STEP = 8

/** Between linear and quadratic growth, nearer to the latter: a larger text leaves the processor's caches, too. */
export const LINEAR = 32

/** Milliseconds below which it is the clock that is measured. */
const LEAST = 0.1

/** Milliseconds of a processor that this process has used. Unlike a clock, it does not count other work on the machine. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns how many times longer something takes with {@link STEP} times as much. Times are compared with each other
 * only, so that the speed of the machine does not matter.
 *
 * @param prepare Makes what is measured, for each run. That itself is not measured.
 * @param large The larger of the two sizes.
 */
export async function growth(
  prepare: (size: number) => () => unknown,
  large: number,
): Promise<number> {
  const grown = async (runs: number): Promise<number> => {
    const base = await shortest(prepare, large / STEP, runs)
    return (await shortest(prepare, large, Math.ceil(runs / 2))) / Math.max(base, LEAST)
  }
  // A machine may be busy for a moment; what is quadratic is so each time.
  let least = await grown(3)
  for (let again = 0; again < 3 && least >= LINEAR; again++) {
    least = Math.min(least, await grown(15))
  }
  return least
}

/** Milliseconds of the shortest of several runs, since everything else is noise. */
async function shortest(
  prepare: (size: number) => () => unknown,
  size: number,
  runs: number,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const work = prepare(size)
    const begun = processorTime()
    await work()
    least = Math.min(least, processorTime() - begun)
  }
  return least
}
