import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import { wrapped } from './recording.ts'

type Call = readonly [name: string, args: readonly unknown[]]

/** A store that breaks down in the middle of a flow. */
export interface BreakingStore {
  readonly adapter: Adapter
  /** Every call fails after the first one that this says, which has its effect. */
  breakAfter(isLast: (...call: Call) => boolean): void
  /** The call with this number fails, without its effect, and those after it work. */
  failAt(number: number): void
  /** Returns whether it broke, and lets it work again. */
  mend(): boolean
}

export function breakingStore(): BreakingStore {
  const inner = memoryAdapter()
  let isLast: ((...call: Call) => boolean) | undefined
  let failing = Number.POSITIVE_INFINITY
  let calls = 0
  let isBroken = false
  let wasBroken = false
  const gone = (): never => {
    wasBroken = true
    throw new Error('the store is gone')
  }
  const step =
    (name: string, run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      if (isBroken || calls++ === failing) gone()
      const result = await run(...args)
      if (isLast?.(name, args)) isBroken = true
      return result
    }
  const { transaction: _, ...abilities } = inner[atomic] ?? {}
  const stepped = Object.entries(abilities).map(([name, run]) => [
    name,
    typeof run === 'function' && name !== 'useRecords'
      ? step(name, (run as (...args: unknown[]) => unknown).bind(inner[atomic]))
      : run,
  ])
  return {
    adapter: {
      ...(wrapped(inner, (name, run) => step(name, run)) as Adapter),
      [atomic]: Object.fromEntries(stepped),
    },
    breakAfter(when) {
      isLast = when
    },
    failAt(number) {
      calls = 0
      failing = number
    },
    mend() {
      const was = wasBroken || isBroken
      isLast = undefined
      failing = Number.POSITIVE_INFINITY
      isBroken = false
      wasBroken = false
      return was
    },
  }
}
