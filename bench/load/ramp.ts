import { setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import { type Processes, sharesOf, timesBetween, usage } from './processors.ts'
import {
  type Asked,
  ask,
  type Browser,
  newBrowser,
  preparedCallback,
  reading,
  sessionTokenIn,
  signingIn,
} from './requests.ts'
import {
  arrivals,
  ERRORS,
  type Kind,
  keptUp,
  percentile,
  rung,
  rungBelow,
  type Step,
} from './summary.ts'

/** Whom a ramp asks for, and how fast it rises. */
export interface RampOptions {
  readonly instances: readonly Connections[]
  /** How many people the store knows. */
  readonly people: number
  /** How many of them read their session; they lie at equal distances among all. */
  readonly active: number
  /** Seconds of a step. */
  readonly seconds: number
  /** How much faster each step is than the one before. */
  readonly factor: number
  /** Returns numbers from 0 to 1. */
  readonly random: () => number
  /** Returns the processes whose time is counted: `instances`, and others. */
  readonly processes: () => Promise<Processes>
  readonly say: (step: Step) => void
}

/** What a driver needs while it sends: the next request of each kind, and where it is sent to. */
interface Driver extends RampOptions {
  readonly browsers: readonly Browser[]
  /** Callbacks that are ready to be sent. Each is good once. */
  readonly callbacks: Asked[]
  /** Sends to the instances in turn. */
  readonly next: () => Connections
}

const BROWSERS = 64
/** Requests that are under way while something is prepared. */
const AT_A_TIME = 16
/** Seconds for which the instances are asked as fast as they answer, before the first step. */
const WARM_UP = 2
/** The first step, as a part of the reads that a warm instance answers in a second. */
const FIRST = 0.1
/** Seconds of offered requests that may wait for a connection; a step with more of them ends early. */
const TOO_MANY = 0.7
/** Seconds after a step in which answers are waited for. */
const PATIENCE = 10

/** Times that a step is repeated as long as other work takes a part of the processors. */
const TRIES = 6
/** The part of the processors that other work may take. */
const SHARED = 0.1

/**
 * Raises the rate until the service does not keep up. A step that fails is repeated once, and more often if the
 * machine was busy with something else.
 *
 * @throws if more than {@link ERRORS} of the requests at which the service kept up have wrong answers
 */
export async function climb(options: RampOptions): Promise<Step[]> {
  const driver = await createDriver(options)
  await verify(driver)
  const capacity = await warmUp(driver)
  const steps: Step[] = []
  const run = async (index: number): Promise<Step> => {
    const offered = rung(index, options.factor)
    let step = await stepOf(driver, offered)
    for (let more = 0; !keptUp(step) && (more === 0 || (more < TRIES && isShared(step))); more++) {
      await pause(500)
      const again = await stepOf(driver, offered)
      if (again.p99 < step.p99) step = again
    }
    if (keptUp(step) && step.errors > ERRORS * step.requests) {
      throw new Error(`${step.errors} of ${step.requests} answers were wrong`)
    }
    steps.push(step)
    options.say(step)
    return step
  }
  const first = rungBelow(capacity * FIRST, options.factor)
  let index = first
  while (keptUp(await run(index))) index++
  // It began too high.
  for (index = first - 1; index >= 0 && steps.every((step) => !keptUp(step)); index--) {
    await run(index)
  }
  return steps.toSorted((a, b) => a.offered - b.offered)
}

function isShared({ shares }: Step): boolean {
  return (shares['others'] ?? 0) > SHARED
}

async function createDriver(options: RampOptions): Promise<Driver> {
  const { instances } = options
  let turn = 0
  const next = (): Connections => instances[turn++ % instances.length] as Connections
  const browsers = await Promise.all(
    Array.from({ length: BROWSERS }, (_, person) => newBrowser(next(), person + 1)),
  )
  return { ...options, browsers, callbacks: [], next }
}

/** Sends one request of each kind to each instance, and reads the session that a callback made. */
async function verify(driver: Driver): Promise<void> {
  for (const connections of driver.instances) {
    const right = async ({ bytes, isRight }: Asked): Promise<string | undefined> => {
      const answer = await ask(connections, bytes)
      if (!isRight(answer)) throw new Error(`the answer is wrong: ${answer.head}${answer.body}`)
      return sessionTokenIn(answer)
    }
    const person = anybody(driver)
    const browser = driver.browsers[0] as Browser
    await right(requestOf('read', driver))
    await right(requestOf('signin', driver))
    const token = await right(await preparedCallback(connections, person, browser))
    await right(reading(person, token))
  }
}

/** Asks as fast as it gets answers. @returns how many reads were answered in a second */
async function warmUp(driver: Driver): Promise<number> {
  await prepare(driver, 200 * driver.instances.length)
  let answers = 0
  const begun = performance.now()
  const end = begun + WARM_UP * 1000
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await ask(driver.next(), requestOf('read', driver).bytes)
      answers++
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME * driver.instances.length }, worker))
  const rate = (answers * 1000) / (performance.now() - begun)
  // Callbacks are slow when they are new.
  await stepOf(driver, 100)
  return rate
}

/** Makes sure that so many callbacks are ready. */
async function prepare(driver: Driver, count: number): Promise<void> {
  const worker = async (): Promise<void> => {
    while (driver.callbacks.length < count) {
      const browser = driver.browsers[driver.callbacks.length % BROWSERS] as Browser
      driver.callbacks.push(await preparedCallback(driver.next(), anybody(driver), browser))
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
}

function anybody({ random, people }: RampOptions): number {
  return 1 + Math.floor(random() * people)
}

function requestOf(kind: Kind, driver: Driver): Asked {
  const { random, people, active, browsers, callbacks } = driver
  switch (kind) {
    case 'read':
      return reading(1 + Math.floor((Math.floor(random() * active) * people) / active))
    case 'signin':
      return signingIn(anybody(driver), browsers[Math.floor(random() * BROWSERS)] as Browser)
    case 'callback': {
      const callback = callbacks.shift()
      if (!callback) throw new Error('there are too few callbacks')
      return callback
    }
  }
}

/**
 * Offers requests at a rate, whether or not earlier ones have been answered. The time of each counts from the moment
 * at which it was due, so that one that had to wait until it could be sent counts with its waiting.
 */
async function stepOf(driver: Driver, offered: number): Promise<Step> {
  const due = arrivals(offered, driver.seconds, driver.random)
  await prepare(driver, due.filter(({ kind }) => kind === 'callback').length)
  const asked = due.map(({ kind }) => requestOf(kind, driver))
  const processes = await driver.processes()
  await pause(200)
  const times: Record<Kind, number[]> = { read: [], callback: [], signin: [] }
  let [sent, last] = [0, 0]
  const answers = { right: 0, wrong: 0 }
  const answered = (): number => answers.right + answers.wrong
  const before = usage(processes)
  const begun = performance.now()
  const now = (): number => performance.now() - begun
  let isTooMuch = false
  while (sent < due.length && !isTooMuch) {
    for (let at = due[sent]; at && at.due <= now(); at = due[++sent]) {
      const { kind, due: since } = at
      const { bytes, isRight } = asked[sent] as Asked
      driver.next().send(bytes, (answer) => {
        last = now()
        times[kind].push(last - since)
        if (answer && isRight(answer)) answers.right++
        else answers.wrong++
      })
    }
    const waiting = driver.instances.reduce((sum, { queued }) => sum + queued, 0)
    isTooMuch = waiting > offered * TOO_MANY
    await pause(1)
  }
  // Connections to a database come and go.
  const processesAfter = await driver.processes()
  const after = usage(processesAfter)
  const done = answered()
  const ended = now()
  while (answered() < sent && now() < ended + PATIENCE * 1000) await pause(5)
  const all = Object.values(times).flat()
  const taken = timesBetween(before, after, processesAfter)
  const cpu = (taken['instances'] ?? Number.NaN) / done
  return {
    offered,
    achieved: (answers.right * 1000) / Math.max(last, isTooMuch ? 0 : driver.seconds * 1000),
    requests: sent,
    // What has no answer is missing.
    errors: sent - answers.right,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    p99Of: {
      read: percentile(times.read, 0.99),
      callback: percentile(times.callback, 0.99),
      signin: percentile(times.signin, 0.99),
    },
    cpu: Number.isNaN(cpu) ? undefined : cpu,
    shares: sharesOf(taken, before, after),
  }
}
