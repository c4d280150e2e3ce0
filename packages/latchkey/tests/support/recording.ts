import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Adapter, type AdapterMethod, atomic } from '../../src/model/adapter.ts'
import type { EventHandlers, EventMessages } from '../../src/options/events.ts'

/** What was called, in order. */
export type Calls = [name: string, argument: unknown][]

const READS = /^get/

/** A memory adapter that notes its calls. */
export function recordingAdapter(): {
  adapter: Required<Adapter>
  calls: Calls
  /** Names of the calls that wrote something since the last time. */
  writes(): string[]
} {
  const calls: Calls = []
  const adapter = wrapped(memoryAdapter(), (name, method) => (...args) => {
    calls.push([name, structuredClone(args[0])])
    return method(...args)
  })
  return {
    adapter,
    calls,
    writes: () =>
      calls
        .splice(0)
        .map(([name]) => name)
        .filter((name) => !READS.test(name)),
  }
}

/** An adapter one of whose methods fails. */
export function failingAdapter(...names: AdapterMethod[]): Required<Adapter> {
  return wrapped(memoryAdapter(), (name, method) =>
    (names as readonly string[]).includes(name)
      ? async () => {
          throw new Error(`the store is gone: ${name}`)
        }
      : method,
  )
}

type Method = (...args: unknown[]) => unknown

/** An adapter with other methods, in its transactions, too. */
export function wrapped(
  inner: Adapter,
  wrap: (name: string, method: Method) => Method,
): Required<Adapter> {
  const adapter: Record<string | symbol, unknown> = { ...inner }
  for (const [name, method] of Object.entries(inner)) {
    adapter[name] = wrap(name, method as Method)
  }
  const abilities = inner[atomic]
  if (abilities) {
    adapter[atomic] = {
      ...abilities,
      ...(abilities.transaction && {
        transaction: (work: (inside: Adapter) => Promise<unknown>) =>
          abilities.transaction?.((inside) => work(wrapped(inside, wrap))),
      }),
    }
  }
  return adapter as unknown as Required<Adapter>
}

/** Handlers for all events that note what they are told. */
export function recordingEvents(): {
  events: EventHandlers
  told: { [Name in keyof EventMessages]?: EventMessages[Name][] }
  /** Names of the events since the last time. */
  names(): string[]
} {
  const order: string[] = []
  const told: Record<string, unknown[]> = {}
  const events: Record<string, unknown> = {}
  for (const name of ['createUser', 'updateUser', 'linkAccount', 'signIn', 'signOut', 'session']) {
    events[name] = (message: unknown) => {
      order.push(name)
      ;(told[name] ??= []).push(message)
    }
  }
  return { events: events, told: told, names: () => order.splice(0) }
}
