import { describe, expect, test } from 'vitest'
import { limitFetch } from './limited-fetch.ts'

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

  test('ends when its own signal says so, and keeps its own name', async () => {
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

  test('has an answer in several pieces put together, without saying how it was packed', async () => {
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

  test('may have no body in its answer', async () => {
    const { base } = network(() => new Response(null, { status: 204 }))
    expect((await limitFetch(base)('https://op.example/x')).body).toBeNull()
  })
})
