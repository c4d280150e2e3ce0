import { Worker } from 'node:worker_threads'

/** A call of a function that a package exports. */
export interface ThreadCall {
  /** The address of the module. */
  readonly url: string
  readonly name: string
  readonly args: readonly unknown[]
}

/** A result as a thread posts it. */
type Posted = { readonly result: unknown } | { readonly error: string }

interface Job {
  readonly call: ThreadCall
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

const MOST_THREADS = 2
const IDLE_MS = 60_000

/** Source of the threads. It is no file, so that bundles of applications need not have one. */
const SOURCE = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', async ({ url, name, args }) => {
  try {
    const module = await import(url)
    const call = module[name] ?? module.default[name]
    parentPort.postMessage({ result: await call(...args) })
  } catch (error) {
    parentPort.postMessage({ error: String(error?.message ?? error) })
  }
})`

/** Threads that compute what would block all other requests: at most two, which end when they have nothing to do. */
export interface Threads {
  /** @throws if no thread can be started. */
  run(call: ThreadCall): Promise<unknown>
  /** Number of threads that exist now. */
  readonly count: number
}

/** Thrown when this process cannot start threads. */
export class NoThreads extends Error {
  override readonly name = 'NoThreads'
}

/** @param idle milliseconds after which a thread without work ends. */
export function createThreads(idle: number = IDLE_MS): Threads {
  const waiting: Job[] = []
  const resting = new Map<Worker, ReturnType<typeof setTimeout>>()
  let count = 0

  const work = (worker: Worker): void => {
    const job = waiting.shift()
    if (!job) return rest(worker)
    // The process waits for a thread that works, and for no other.
    worker.ref()
    const settle = (done: () => void): void => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      done()
    }
    const onMessage = (posted: Posted): void => {
      settle(() =>
        'error' in posted ? job.reject(new Error(posted.error)) : job.resolve(posted.result),
      )
      work(worker)
    }
    const onError = (error: unknown): void => {
      settle(() => job.reject(new NoThreads('a thread ended', { cause: error })))
    }
    worker.on('message', onMessage)
    worker.on('error', onError)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(job.call)
  }

  const rest = (worker: Worker): void => {
    worker.unref()
    const end = setTimeout(() => {
      resting.delete(worker)
      void worker.terminate()
    }, idle)
    end.unref()
    resting.set(worker, end)
  }

  const start = (): void => {
    const worker = new Worker(SOURCE, { eval: true })
    count++
    worker.once('exit', () => {
      count--
      // What waits needs another thread.
      if (waiting.length > 0 && count < MOST_THREADS) start()
    })
    // An error without a job ends the thread, which is all that has to happen.
    worker.on('error', () => undefined)
    work(worker)
  }

  return {
    run: (call) =>
      new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject })
        const [free] = resting
        if (free) {
          const [worker, end] = free
          clearTimeout(end)
          resting.delete(worker)
          work(worker)
        } else if (count < MOST_THREADS) {
          try {
            start()
          } catch (cause) {
            waiting.pop()
            reject(new NoThreads('this process cannot start threads', { cause }))
          }
        }
      }),
    get count() {
      return count
    },
  }
}
