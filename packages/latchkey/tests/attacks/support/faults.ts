import { type Adapter, atomic } from '../../../src/model/adapter.ts'
import { wrapped } from '../../support/recording.ts'

// Any function may be counted, whatever it takes.
// oxlint-disable-next-line typescript/no-explicit-any
type Run = (...args: any[]) => unknown

/** One way in which a call out of the core goes wrong. */
export interface Fault {
  readonly name: string
  /** @param run what the call would have done */
  readonly happen: (run: () => unknown, args: readonly unknown[]) => unknown
}

/** What is called, as far as it matters for how it may fail. */
type Kind = 'read' | 'write' | 'synchronous' | 'random' | 'clock' | 'logger' | 'fetch'

const OUT_OF_ORDER = 'out of order'

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const thrown: readonly Fault[] = [
  {
    name: 'throws an error',
    happen: () => {
      throw new Error(OUT_OF_ORDER)
    },
  },
  {
    name: 'throws nothing',
    happen: () => {
      throw undefined
    },
  },
]

const rejected: Fault = {
  name: 'rejects later',
  happen: async () => {
    await soon()
    throw new Error(OUT_OF_ORDER)
  },
}

const answers: readonly (readonly [name: string, value: unknown])[] = [
  ['answers nothing', undefined],
  ['answers null', null],
  ['answers an object', {}],
  ['answers a text', OUT_OF_ORDER],
]

const wrongAnswers: readonly Fault[] = answers.map(([name, value]) => ({
  name,
  happen: () => value,
}))

/** A write is done, and what is said of it is wrong: a store that loses what it is given is none. */
const wrongAnswersToWrites: readonly Fault[] = [
  ...answers.map(([name, value]) => ({
    name,
    happen: async (run: () => unknown) => {
      await run()
      return value
    },
  })),
  {
    name: 'is done and rejects',
    happen: async (run) => {
      await run()
      throw new Error(OUT_OF_ORDER)
    },
  },
]

/** Aborts what `AbortSignal.timeout` gave: the time is up. */
export type TimeUp = () => void

/** The honest answer with another body, status or type. */
const bodies: readonly Fault[] = [
  { name: 'answers 500', happen: () => new Response('{}', { status: 500 }) },
  { name: 'answers an empty body', happen: () => json('') },
  {
    name: 'answers half of it',
    happen: async (run) => {
      const text = await ((await run()) as Response).text()
      return json(text.slice(0, -3))
    },
  },
  {
    name: 'answers it as a page',
    happen: async (run) => {
      const text = await ((await run()) as Response).text()
      return new Response(text, { headers: { 'content-type': 'text/html' } })
    },
  },
]

function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

/** A network that answers late or half, and honours the signal. */
const hanging = (timeUp: TimeUp): readonly Fault[] => [
  {
    name: 'hangs',
    happen: (_run, [, init]) => {
      setImmediate(timeUp)
      return new Promise((_, reject) => whenAborted(init, reject))
    },
  },
  {
    name: 'hangs in the middle',
    happen: (_run, [, init]) => {
      setImmediate(timeUp)
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"access'))
          whenAborted(init, (reason) => controller.error(reason))
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    },
  },
]

function whenAborted(init: unknown, tell: (reason: unknown) => void): void {
  const { signal } = init as RequestInit
  if (!signal) throw new Error('a request without a limit')
  signal.addEventListener('abort', () => tell(signal.reason))
}

function faultsOf(kind: Kind, timeUp: TimeUp): readonly Fault[] {
  switch (kind) {
    case 'read':
      return [...thrown, rejected, ...wrongAnswers]
    case 'write':
      return [...thrown, rejected, ...wrongAnswersToWrites]
    case 'synchronous':
      return [...thrown, ...wrongAnswers]
    // A platform may fail, and it does not lie: who owns the clock and the dice owns everything.
    case 'clock':
      return thrown.slice(0, 1)
    case 'random':
      return [...thrown.slice(0, 1), ...wrongAnswers.slice(0, 1)]
    case 'logger':
      return [...thrown.slice(0, 1), rejected]
    case 'fetch':
      return [...thrown, rejected, ...wrongAnswers, ...bodies, ...hanging(timeUp)]
  }
}

/** A call that was counted. */
export interface Counted {
  readonly name: string
  readonly faults: readonly Fault[]
}

/** Counts the calls out of the core, and lets one of them fail. */
export interface Faults {
  /** Of the present run, in order. */
  readonly calls: readonly Counted[]
  /** Begins a run in which the call at a place fails; without, it is only counted. */
  begin(at?: number, fault?: Fault): void
  /** From now on nothing is counted and nothing fails. */
  end(): void
  /** A function whose calls are counted. */
  over<F extends Run>(name: string, run: F, kind?: Kind): F
  adapter(inner: Adapter): Adapter
}

/** @param timeUp ends the limit of whatever is fetched. */
export function createFaults(timeUp: TimeUp): Faults {
  let calls: Counted[] = []
  let armed: { at: number; fault: Fault } | undefined
  let counts = false
  const faults: Faults = {
    get calls() {
      return calls
    },
    begin(at, fault) {
      calls = []
      armed = at === undefined || fault === undefined ? undefined : { at, fault }
      counts = true
    },
    end() {
      counts = false
    },
    over(name, run, kind = 'read') {
      const over = (...args: unknown[]): unknown => {
        if (!counts) return run(...args)
        calls.push({ name, faults: faultsOf(kind, timeUp) })
        if (armed?.at !== calls.length - 1) return run(...args)
        return armed.fault.happen(() => run(...args), args)
      }
      return over as typeof run
    },
    adapter(inner) {
      const kindOf = (name: string): Kind => (/^(?:get|list)/.test(name) ? 'read' : 'write')
      const outer: Record<PropertyKey, unknown> = wrapped(inner, (name, run) =>
        faults.over(`adapter.${name}`, run, kindOf(name)),
      )
      const abilities = outer[atomic]
      if (abilities) {
        outer[atomic] = Object.fromEntries(
          Object.entries(abilities).map(([name, run]) => [
            name,
            faults.over(`atomic.${name}`, run as Run, 'write'),
          ]),
        )
      }
      return outer
    },
  }
  return faults
}
