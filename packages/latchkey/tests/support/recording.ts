import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { Adapter, AdapterMethod } from '../../src/model/adapter.ts'
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
  const inner = memoryAdapter() as Record<string, (...args: unknown[]) => unknown>
  const calls: Calls = []
  const adapter: Record<string | symbol, unknown> = { ...inner }
  for (const name of Object.keys(inner)) {
    adapter[name] = (...args: unknown[]) => {
      calls.push([name, structuredClone(args[0])])
      return inner[name]?.(...args)
    }
  }
  return {
    adapter: adapter as unknown as Required<Adapter>,
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
  const adapter = memoryAdapter() as Record<string | symbol, unknown>
  for (const name of names) {
    adapter[name] = async () => {
      throw new Error(`the store is gone: ${name}`)
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
