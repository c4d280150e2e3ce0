import { promisify } from 'node:util'

/** Something that can be timed. What it needs is prepared before the clock starts. */
export interface Contender<Input = unknown, Result = unknown> {
  prepare(): Input
  run(input: Input): Result | Promise<Result>
  /** The second half, of what takes two requests; its input is made of the first one's result. */
  readonly next?: { prepare(result: Result): Input; run(input: Input): Result | Promise<Result> }
  /** Whether the result is the right answer. Asked before anything is timed. */
  verify(result: Result): boolean | Promise<boolean>
}

/** A row of the table: its name, and how to get at what is timed. */
export type Planned = readonly [name: string, prepare: () => Promise<Case>]

export interface Case {
  readonly ours: Contender
  readonly peer?: Contender
  /** The least that any implementation would have to do. */
  readonly limit?: Contender
  /** How many times as fast as the peer we ask it to be. */
  readonly ask?: number
  /** How many times the limit it may take. */
  readonly within?: number
  /** Microseconds that `ours` may take at most, where nothing is a fair limit. */
  readonly atMost?: number
  /** What is measured: the time that passes, or what this process takes of the processor. @default 'wall' */
  readonly clock?: 'wall' | 'processor'
  /** How many times as long its slices are, since a run takes milliseconds. @default 1 */
  readonly longer?: number
  /** Ends what the case opened. */
  close?(): void | Promise<void>
}

/** The middle of the rounds, and the quarter of them below and above. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export interface Row {
  readonly name: string
  /** Microseconds a run. */
  readonly ours: Spread
  readonly peer?: Spread | undefined
  readonly limit?: Spread | undefined
  /** Time of the peer over our time, within each round. */
  readonly timesAsFast?: Spread | undefined
  /** Our time over that of the limit, within each round. */
  readonly overLimit?: Spread | undefined
  readonly ask?: number | undefined
  readonly within?: number | undefined
  /** Microseconds that `ours` may be at most: a bound of its own, or by how much one thing may be slower than another. */
  readonly atMost?: number | undefined
}

export interface Effort {
  readonly rounds: number
  /** Milliseconds that one contender is timed in a round. */
  readonly slice: number
  readonly warmUp: number
}

/** Verifies every contender, warms each up, then times them in turns. */
export async function measure(
  name: string,
  { ours, peer, limit, ask, within, atMost, clock = 'wall', longer = 1 }: Case,
  { rounds, slice, warmUp }: Effort,
): Promise<Row> {
  const contenders = Object.entries({ ours, peer, limit }).filter(
    (entry): entry is [string, Contender] => entry[1] !== undefined,
  )
  const runs = new Map<string, number>()
  for (const [who, contender] of contenders) {
    if (!(await contender.verify(await runOnce(contender))))
      throw new Error(`${name}: the answer of ${who} is wrong`)
    runs.set(who, await calibrate(contender, slice * longer, warmUp, clock))
  }
  const times = new Map<string, number[]>(contenders.map(([who]) => [who, []]))
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another contender, so that none always runs on what the last one left.
    for (let turn = 0; turn < contenders.length; turn++) {
      const [who, contender] = contenders[(round + turn) % contenders.length] ?? never()
      times.get(who)?.push(await time(contender, runs.get(who) ?? 1, clock))
    }
  }
  const [a, b, c] = [times.get('ours') ?? [], times.get('peer'), times.get('limit')]
  return {
    name,
    ours: spread(a),
    peer: b && spread(b),
    limit: c && spread(c),
    timesAsFast: b && spread(b.map((value, round) => value / (a[round] ?? Number.NaN))),
    overLimit: c && spread(a.map((value, round) => value / (c[round] ?? Number.NaN))),
    ask,
    within,
    atMost,
  }
}

/** Runs for `warmUp` milliseconds and says how many runs fill a slice. */
async function calibrate(
  contender: Contender,
  slice: number,
  warmUp: number,
  clock: Clock,
): Promise<number> {
  let runs = 1
  for (const end = performance.now() + warmUp; performance.now() < end; ) {
    const microseconds = await time(contender, runs, clock)
    runs = Math.max(1, Math.min(4000, Math.round((slice * 1000) / microseconds)))
  }
  return runs
}

/** The result of one run, to its end. */
export async function runOnce({ prepare, run, next }: Contender): Promise<unknown> {
  const result = await run(prepare())
  return next ? next.run(next.prepare(result)) : result
}

/** Microseconds that one of `runs` took. */
async function time(contender: Contender, runs: number, clock: Clock): Promise<number> {
  const inputs = Array.from({ length: runs }, () => contender.prepare())
  const { next } = contender
  if (!next) return (await timeEach(inputs, (input) => contender.run(input), clock)) / runs
  const results: unknown[] = []
  const first = await timeEach(
    inputs,
    async (input) => results.push(await contender.run(input)),
    clock,
  )
  const second = await timeEach(results.map(next.prepare), next.run, clock)
  return (first + second) / runs
}

async function timeEach(
  inputs: readonly unknown[],
  run: (input: unknown) => unknown,
  clock: Clock,
): Promise<number> {
  // What preparing left behind is not the contender's to clean up.
  globalThis.gc?.({ type: 'minor' })
  const start = now(clock)
  for (let at = 0; at < inputs.length; at += TURN) {
    for (const input of inputs.slice(at, at + TURN)) await run(input)
    await turn()
  }
  return now(clock) - start
}

/**
 * Runs between two turns of the event loop. A server turns it with each request; while nothing but
 * promises are awaited nothing that a `WeakRef` points at is cleaned up, and a `Response` has one.
 */
const TURN = 32

const turn = promisify(setImmediate)

type Clock = NonNullable<Case['clock']>

/** Microseconds. */
function now(clock: Clock): number {
  if (clock === 'wall') return performance.now() * 1000
  const { user, system } = process.cpuUsage()
  return user + system
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

function never(): never {
  throw new Error('there is no contender')
}
