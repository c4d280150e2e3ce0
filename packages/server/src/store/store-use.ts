import { AsyncLocalStorage } from 'node:async_hooks'
import { type Adapter, atomic, isAdapterConflict } from 'latchkey/adapters'
import { inTime } from './in-time.ts'

type Awaitable<T> = T | PromiseLike<T>

/** The store operations of one request, which share one time limit. */
export class StoreUse {
  /** Whether a call failed, except because a value exists already. */
  failed = false
  #left: number
  #running = 0
  #since = 0

  /** @param time milliseconds for all calls together. */
  constructor(time: number) {
    this.#left = time
  }

  /** Milliseconds that are left. The time between calls does not count. */
  get left(): number {
    return this.#left - (this.#running > 0 ? performance.now() - this.#since : 0)
  }

  /** @throws if the call fails, and if the time is over. */
  async call<T>(work: () => Awaitable<T>): Promise<T> {
    if (this.#running++ === 0) this.#since = performance.now()
    try {
      if (this.left <= 0)
        throw new Error('the time limit for store operations of this request is exceeded')
      const answer = work()
      return isPending(answer) ? await inTime(Promise.resolve(answer), this.left / 1000) : answer
    } catch (error) {
      this.failed ||= !isAdapterConflict(error)
      throw error
    } finally {
      if (--this.#running === 0) this.#left -= performance.now() - this.#since
    }
  }
}

function isPending<T>(answer: Awaitable<T>): answer is PromiseLike<T> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === 'function'
}

const current = new AsyncLocalStorage<StoreUse>()

/**
 * Runs the work of one request.
 *
 * @param seconds for all calls of {@link guarded} adapters together.
 * @returns how the request used the store.
 */
export async function usingStore(seconds: number, work: () => Promise<void>): Promise<StoreUse> {
  const use = new StoreUse(seconds * 1000)
  await current.run(use, work)
  return use
}

/**
 * Returns an adapter whose calls count for the request in which they are made. Calls outside a request are passed on
 * unchanged.
 */
export function guarded(adapter: Adapter): Adapter {
  return guard(adapter, () => current.getStore())
}

/** Methods are read at each call, and called on the original object. */
function guard(owner: object, useOf: () => StoreUse | undefined): object {
  return new Proxy(
    {},
    {
      has: (_, name) => name in owner,
      get(_, name) {
        const member: unknown = Reflect.get(owner, name)
        if (name === atomic && isObject(member)) return guard(member, useOf)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown => {
          const use = useOf()
          const call = (given: unknown[]): unknown => Reflect.apply(member, owner, given)
          if (!use) return call(args)
          return use.call(() => call(name === 'transaction' ? args.map(inside(use)) : args))
        }
      },
    },
  )
}

/** Work in a transaction receives an adapter of its own, whose calls count for the same request. */
function inside(use: StoreUse): (work: unknown) => unknown {
  return (work) =>
    typeof work === 'function' ? (adapter: Adapter) => work(guard(adapter, () => use)) : work
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
