import { createHmac } from 'node:crypto'
import { vi } from 'vitest'
import { type RevocationReader, revocations } from '../../../src/verifier/revocations.ts'
import { BOUND, Clockwork, type Process, SECRET, type Token, type TrueTime } from './machine.ts'

const URL_OF_ENDPOINT = 'https://app.example/auth/revocations'

/** What a proxy between the verifier and the application does with a request. */
export type Fate = 'deliver' | 'lose' | 'replay'

/** A request of the verifier on its way: sent, with a process, answered. */
export interface Exchange {
  readonly url: string
  readonly init: RequestInit
  state: 'sent' | 'handled' | 'answered'
  process: Process | undefined
  answer: Response | undefined
  resolve(answer: Response): void
  reject(error: Error): void
}

/** A machine with a verifier of the real code, that reaches the application through a proxy. */
export class Edge extends Clockwork {
  readonly pending: Exchange[] = []
  readonly name = 'E'
  /** The last answer that the proxy saw, for each path: it may answer with it once more. */
  readonly #seen = new Map<string, Response>()
  readonly #stale: 'read' | 'refuse'
  #reader: RevocationReader | undefined

  constructor(time: TrueTime, stale: 'read' | 'refuse') {
    super(time)
    this.#stale = stale
    this.start()
  }

  /** Begins anew, with nothing in memory. */
  start(): void {
    this.pending.length = 0
    this.paused = undefined
    const fetch = (async (input, init = {}) =>
      new Promise<Response>((resolve, reject) => {
        const exchange: Exchange = {
          url: String(input),
          init,
          state: 'sent',
          process: undefined,
          answer: undefined,
          resolve,
          reject,
        }
        this.pending.push(exchange)
        init.signal?.addEventListener('abort', () =>
          this.fail(exchange, new Error('nobody answered in time')),
        )
      })) as typeof globalThis.fetch
    const options = { url: URL_OF_ENDPOINT, bound: BOUND, stale: this.#stale, fetch }
    this.#reader = revocations(options).with([SECRET])
  }

  now(): number {
    return this.wall()
  }

  /** @throws when it cannot be found out. */
  async judge({ userId, claims, text }: Token): Promise<'good' | 'ended'> {
    const isEnded = await this.#reader?.isEnded({ ...claims, sub: userId }, text)
    return isEnded ? 'ended' : 'good'
  }

  canMove({ state }: Exchange): boolean {
    return state === 'sent' || (state === 'answered' && !this.paused)
  }

  /** Moves a request on by one stage. @param process the one to which it is delivered */
  step(exchange: Exchange, process: Process | undefined, fate: Fate): void {
    const { url, init, state, answer } = exchange
    if (state === 'answered' && answer) {
      this.#drop(exchange)
      exchange.resolve(answer)
      return
    }
    const path = new URL(url).pathname
    const seen = this.#seen.get(path)
    if (fate === 'lose' || !process) return this.fail(exchange, new Error('connection lost'))
    if (fate === 'replay' && seen) {
      Object.assign(exchange, { state: 'answered', answer: seen.clone() })
      return
    }
    Object.assign(exchange, { state: 'handled', process })
    process.answer(new Request(url, { ...init, signal: null, redirect: 'follow' })).then(
      (response) => {
        this.#seen.set(path, response.clone())
        Object.assign(exchange, { state: 'answered', answer: response })
      },
      (error: Error) => this.fail(exchange, error),
    )
  }

  /** The process is gone, and its connections with it. */
  lose(process: Process): void {
    for (const exchange of this.pending.slice()) {
      if (exchange.state === 'handled' && exchange.process === process)
        this.fail(exchange, new Error('connection lost'))
    }
  }

  fail(exchange: Exchange, error: Error): void {
    this.#drop(exchange)
    exchange.reject(error)
  }

  #drop(exchange: Exchange): void {
    const at = this.pending.indexOf(exchange)
    if (at >= 0) this.pending.splice(at, 1)
  }
}

/** Which verifier has the clocks of the platform. */
let current: Edge | undefined

export function givePlatformTo(edge: Edge): void {
  current = edge
}

/**
 * Replaces what a verifier takes from the platform: its clocks are those of the edge, its timers the schedule's, and
 * its cryptography is done at once, where the platform's takes another thread.
 */
export function replacePlatform(): void {
  vi.spyOn(Date, 'now').mockImplementation(() => current?.wall() ?? 0)
  vi.spyOn(performance, 'now').mockImplementation(() => current?.monotonic() ?? 0)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), milliseconds)
    return controller.signal
  })
  const { subtle } = crypto
  vi.spyOn(subtle, 'importKey').mockImplementation(
    async (_: unknown, bytes: unknown) => ({ bytes }) as unknown as CryptoKey,
  )
  vi.spyOn(subtle, 'sign').mockImplementation(async (_, key, data) => {
    const { bytes } = key as unknown as { bytes: Uint8Array }
    const mac = createHmac('sha256', bytes)
      .update(data as Uint8Array)
      .digest()
    return Uint8Array.from(mac).buffer
  })
}
