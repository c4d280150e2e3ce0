import { Problem } from '../../../entries/plugin.ts'

/** Limits of the hashing of one configuration. */
export interface TurnLimits {
  /** KiB */
  readonly maxMemory: number
  readonly concurrency: number
  readonly queue: number
  /** Seconds */
  readonly patience: number
}

/** A request for a turn. */
export interface Turn {
  /** KiB that the work takes. */
  readonly memory: number
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal | undefined
  /** Whether somebody signed in with this browser before. */
  readonly isKnownBrowser?: boolean | undefined
}

interface Waiting extends Turn {
  /** Milliseconds of a clock that only goes on. */
  readonly since: number
  readonly limits: TurnLimits
  start(): void
  refuse(why: string): void
}

interface Turns {
  running: number
  memory: number
  /** In the order of their arrival. */
  readonly waiting: Set<Waiting>
  /** Whether the last turn went to a known browser before its time. */
  wasPreferred: boolean
}

const slot = Symbol.for('latchkey.hashing')

/** The turns of all hashing in this process, for all copies of the package. */
function turnsOfProcess(): Turns {
  const shared = globalThis as { [slot]?: Turns }
  return (shared[slot] ??= { running: 0, memory: 0, waiting: new Set(), wasPreferred: false })
}

/**
 * Milliseconds. Whoever comes within this time of the first one in the queue is served in an order that chance decides:
 * otherwise a queue would turn the microseconds by which an address with an account takes another path into the time of a
 * whole hash.
 */
const TOGETHER = 50

export interface TurnServices {
  readonly limits: TurnLimits
  /** Returns random bytes. */
  random(length: number): Uint8Array
  /** @default that of the process */
  readonly clock?: (() => number) | undefined
}

/**
 * Runs work when it is its turn: first come, first served, and by chance among those who come together. Known browsers go first at every second turn, and take the
 * place of the last other request in a full queue, so that an attacker who fills the queue locks nobody out.
 *
 * @throws {Problem} `busy` if the queue is full, the turn does not come in time, or the client is gone.
 */
export async function inTurn<Result>(
  work: () => Promise<Result>,
  turn: Turn,
  services: TurnServices,
): Promise<Result> {
  const turns = turnsOfProcess()
  const { limits, random } = services
  if (turns.waiting.size > 0 || !fits(turns, { ...turn, limits })) await wait(turns, turn, services)
  else take(turns, turn)
  try {
    return await work()
  } finally {
    turns.running--
    turns.memory -= turn.memory
    startNext(turns, random)
  }
}

/** Waits for the turn, and takes it. */
async function wait(
  turns: Turns,
  turn: Turn,
  { limits, random, clock = () => performance.now() }: TurnServices,
): Promise<void> {
  const { waiting } = turns
  const { signal } = turn
  const { patience, queue } = limits
  if (signal?.aborted) throw busy(GONE, random)
  if (waiting.size >= queue) {
    const full = `${waiting.size} requests wait for hashing already (hashing.queue)`
    const last = turn.isKnownBrowser ? lastUnknown(turns) : undefined
    if (!last) throw busy(full, random)
    last.refuse(full)
  }
  await new Promise<void>((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(own)
      clearTimeout(timer)
      signal?.removeEventListener('abort', gone)
    }
    const own: Waiting = {
      ...turn,
      since: clock(),
      limits,
      start() {
        leave()
        take(turns, turn)
        resolve()
      },
      refuse(why) {
        leave()
        reject(busy(why, random))
        startNext(turns, random)
      },
    }
    const gone = (): void => own.refuse(GONE)
    const timer = setTimeout(
      () => own.refuse(`no password could be hashed within ${patience} s (hashing.patience)`),
      patience * 1000,
    )
    signal?.addEventListener('abort', gone, { once: true })
    waiting.add(own)
  })
}

const GONE = 'the client left before its password was hashed'

function busy(why: string, random: (length: number) => Uint8Array): Problem {
  // Spread, so that those who are refused together do not return together.
  const after = 1 + ((random(1)[0] ?? 0) % 3)
  return new Problem('busy', why, { headers: { 'retry-after': String(after) } })
}

/** Returns the request that gives up its place to a known browser. */
function lastUnknown({ waiting }: Turns): Waiting | undefined {
  return [...waiting].findLast(({ isKnownBrowser }) => !isKnownBrowser)
}

type Random = TurnServices['random']

function startNext(turns: Turns, random: Random): void {
  for (let next = choose(turns, random); next && fits(turns, next.waiting); ) {
    turns.wasPreferred = next.isPreferred
    next.waiting.start()
    next = choose(turns, random)
  }
}

interface Next {
  readonly waiting: Waiting
  /** Whether a known browser goes before others who came earlier. */
  readonly isPreferred: boolean
}

function choose({ waiting, wasPreferred }: Turns, random: Random): Next | undefined {
  const all = [...waiting]
  const [first] = all
  if (!first) return undefined
  const known =
    wasPreferred || first.isKnownBrowser ? [] : all.filter(({ isKnownBrowser }) => isKnownBrowser)
  const isPreferred = known.length > 0
  return { waiting: oneOf(together(isPreferred ? known : all), random), isPreferred }
}

/** Returns those who came together with the first one. */
function together(all: readonly Waiting[]): readonly Waiting[] {
  const [first] = all
  return all.filter(({ since }) => since - (first?.since ?? 0) <= TOGETHER)
}

function oneOf(all: readonly Waiting[], random: Random): Waiting {
  const [high = 0, low = 0] = random(2)
  return all[(high * 256 + low) % all.length] as Waiting
}

function take(turns: Turns, { memory }: Turn): void {
  turns.running++
  turns.memory += memory
}

/** Work that needs more than all memory runs alone. */
function fits({ running, memory }: Turns, next: Turn & { readonly limits: TurnLimits }): boolean {
  const { concurrency, maxMemory } = next.limits
  return running === 0 || (running < concurrency && memory + next.memory <= maxMemory)
}
