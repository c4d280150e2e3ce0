import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Ticks of a second in `/proc`; Linux has 100 wherever Node.js runs. */
const TICKS = 100

/** Processes, by what they are. */
export type Processes = Readonly<Record<string, readonly number[]>>

/** Processor time since some moment, milliseconds. */
export interface Usage {
  readonly wall: number
  /** What everything on this machine took. */
  readonly busy: number
  /** What this process took. */
  readonly driver: number
  readonly of: ReadonlyMap<number, number>
}

/** Returns what processes have taken so far. */
export function usage(processes: Processes): Usage {
  const { user, system } = process.cpuUsage()
  const busy = cpus()
    .map(({ times }) => times.user + times.nice + times.sys + times.irq)
    .reduce((sum, time) => sum + time, 0)
  const of = Object.values(processes).flatMap((pids) =>
    pids.map((pid) => [pid, timeOf(pid)] as const),
  )
  return { wall: performance.now(), busy, driver: (user + system) / 1000, of: new Map(of) }
}

/** Returns what each kind of process took between two moments, milliseconds. Without `/proc`, that is `NaN`. */
export function timesBetween(
  before: Usage,
  after: Usage,
  processes: Processes,
): Record<string, number> {
  const times = Object.entries(processes).map(([name, pids]) => [
    name,
    // A process that is new began at 0, and one that has ended is not known any more.
    pids.reduce(
      (sum, pid) => sum + Math.max(0, (after.of.get(pid) ?? 0) - (before.of.get(pid) ?? 0)),
      0,
    ),
  ])
  const found = Object.fromEntries(times) as Record<string, number>
  return { ...found, driver: after.driver - before.driver }
}

/** Returns the parts of all processors that were taken between two moments, and those of everything else. */
export function sharesOf(
  times: Readonly<Record<string, number>>,
  before: Usage,
  after: Usage,
): Record<string, number> {
  const all = (after.wall - before.wall) * cpus().length
  const known = Object.values(times).reduce((sum, time) => sum + time, 0)
  const others = Math.max(0, after.busy - before.busy - known)
  return Object.fromEntries(
    Object.entries({ ...times, others }).map(([name, time]) => [name, time / all]),
  )
}

/** User and system time of a process with all its threads; 0 for one that has ended, `NaN` without `/proc`. */
function timeOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of a program is in parentheses, and may have blanks in it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  } catch {
    return 0
  }
}
