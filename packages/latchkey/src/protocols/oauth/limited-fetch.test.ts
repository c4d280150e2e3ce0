import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limitFetch, MOST_AT_ONCE } from './limited-fetch.ts'

function network(answer: () => Response): { base: typeof fetch; sent: RequestInit[] } {
  const sent: RequestInit[] = []
  const base: typeof fetch = async (_, init = {}) => {
    sent.push(init)
    return answer()
  }
  return { base, sent }
}

describe('a request to a provider', () => {
  test('may be given as a `Request`', async () => {
    const { base } = network(() => new Response('ok'))
    const answer = await limitFetch(base)(new Request('https://op.example/x'))
    expect(await answer.text()).toBe('ok')
    await expect(limitFetch(base)(new Request('http://op.example/x'))).rejects.toThrow(/plain http/)
  })

  test('T-NET-2: is refused while the allowed number is pending, and accepted afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const send = limitFetch(async () => {
      await promise
      return new Response('ok')
    })
    const ask = () => send('https://op.example/x')
    const open = Array.from({ length: MOST_AT_ONCE }, ask)
    await expect(ask()).rejects.toThrow('100 requests to https://op.example are already waiting')
    resolve()
    await Promise.all(open)
    expect(await (await ask()).text()).toBe('ok')
    const failing = limitFetch(async () => {
      throw new TypeError('down')
    })
    for (let time = 0; time <= MOST_AT_ONCE; time++) {
      await expect(failing('https://op.example/x')).rejects.toThrow('down')
    }
  })

  test('ends with the signal of the caller, and keeps its user agent', async () => {
    const { base, sent } = network(() => new Response('ok'))
    const own = new AbortController()
    const headers = { 'user-agent': 'another' }
    await limitFetch(base)('https://op.example/x', { signal: own.signal, headers })
    const [init] = sent
    expect(new Headers(init?.headers).get('user-agent')).toBe('another')
    expect(init?.signal?.aborted).toBe(false)
    own.abort()
    expect(init?.signal?.aborted).toBe(true)
  })

  test('has a response joined from its pieces, without a content encoding', async () => {
    const pieces = ['{"a":', '1', '}'].map((text) => new TextEncoder().encode(text))
    const { base } = network(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const piece of pieces) controller.enqueue(piece)
              controller.close()
            },
          }),
          {
            status: 201,
            headers: { 'content-encoding': 'gzip', 'content-length': '3', etag: 'x' },
          },
        ),
    )
    const answer = await limitFetch(base)('https://op.example/x')
    expect(await answer.json()).toEqual({ a: 1 })
    expect([answer.status, ...answer.headers.keys()]).toEqual([201, 'etag'])
  })

  test('may have a response without a body', async () => {
    const { base } = network(() => new Response(null, { status: 204 }))
    expect((await limitFetch(base)('https://op.example/x')).body).toBeNull()
  })
})

describe('a `fetch` of the application that ignores its signal', () => {
  let limit: AbortController

  beforeEach(() => {
    limit = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  })
  afterEach(() => vi.restoreAllMocks())

  const tooLate = new DOMException('too late', 'TimeoutError')
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  test('is awaited no longer than the limit, also if it fails afterwards', async () => {
    const { promise, reject } = Promise.withResolvers<Response>()
    const answer = limitFetch(fetch, { custom: () => promise })('https://op.example/x')
    limit.abort(tooLate)
    await expect(answer).rejects.toBe(tooLate)
    expect(AbortSignal.timeout).toHaveBeenCalledExactlyOnceWith(10_000)
    // A rejection that nobody handles would fail the run.
    reject(new Error('the connection was lost'))
    await settled()
  })

  test('is awaited no longer than the signal of the request', async () => {
    const own = new AbortController()
    const custom = (): Promise<Response> => new Promise(() => {})
    const answer = limitFetch(fetch, { custom })('https://op.example/x', { signal: own.signal })
    own.abort(tooLate)
    await expect(answer).rejects.toBe(tooLate)
  })

  test('has a response whose end is awaited no longer than the limit, and is then cancelled', async () => {
    const cancelled: unknown[] = []
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      cancel(reason) {
        cancelled.push(reason)
        throw new Error('it cannot be let go')
      },
    })
    const custom = async (): Promise<Response> => new Response(body)
    const answer = limitFetch(fetch, { custom })('https://op.example/x')
    await settled()
    limit.abort(tooLate)
    await expect(answer).rejects.toBe(tooLate)
    await settled()
    expect(cancelled).toEqual([tooLate])
  })

  test('has a late response cancelled', async () => {
    const cancelled: unknown[] = []
    const body = new ReadableStream({ cancel: (reason) => void cancelled.push(reason) })
    const { promise, resolve } = Promise.withResolvers<Response>()
    const answer = limitFetch(fetch, { custom: () => promise })('https://op.example/x')
    limit.abort(tooLate)
    await expect(answer).rejects.toBe(tooLate)
    resolve(new Response(body))
    await settled()
    expect(cancelled).toEqual([tooLate])
  })
})
