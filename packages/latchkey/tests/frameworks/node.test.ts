import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLatchkey, type Latchkey } from '../../src/entries/index.ts'
import {
  appendCookies,
  sendWebResponse,
  toNodeListener,
  toWebRequest,
} from '../../src/integrations/node.ts'
import credentials from '../../src/providers/credentials.ts'
import { describeFramework, FOR_EVERYBODY, type Running, type Site } from './cases.ts'
import { listen } from './listen.ts'

function applicationOf({
  config,
  mount,
  trustsProxy,
  readsFirst,
}: Site): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const env = { ...process.env, ...(trustsProxy ? { AUTH_TRUST_HOST: 'true' } : {}) }
  const latchkey = createLatchkey(config, env)
  const actions = toNodeListener(latchkey)
  return async (request, response) => {
    try {
      if (readsFirst) {
        appendCookies(response, (await latchkey.session(toWebRequest(request))).headers)
      }
      if (request.url?.startsWith(`${mount}/`)) actions(request, response)
      else await page(latchkey, request, response)
    } catch (error) {
      const { status = 500 } = error as { status?: number }
      response.writeHead(status).end()
    }
  }
}

async function page(
  latchkey: Latchkey,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  const asked = toWebRequest(request)
  switch (new URL(asked.url).pathname) {
    case '/who': {
      const { session, headers } = await latchkey.session(asked)
      appendCookies(response, headers)
      response.writeHead(200, FOR_EVERYBODY)
      return response.end(JSON.stringify(session))
    }
    case '/private': {
      const authorized = ({ auth }: { auth: unknown }): boolean => auth !== null
      const verdict = await latchkey.protect(asked, { authorized })
      appendCookies(response, verdict.headers)
      if (verdict.response) return sendWebResponse(verdict.response, response)
      return response.end(`only for ${verdict.session?.user?.email}`)
    }
    case '/begin': {
      const begin = await latchkey.signIn(asked, 'github', { redirectTo: '/private' })
      return sendWebResponse(begin, response)
    }
    case '/leave':
      return sendWebResponse(await latchkey.signOut(asked, { redirectTo: '/' }), response)
    default:
      return response.writeHead(404).end()
  }
}

describeFramework({
  name: 'node:http',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: false,
  answersDirectly: true,
  start: (site) => listen(applicationOf(site)),
})

describe('the listener for Node.js', () => {
  const running: Running[] = []

  afterEach(async () => {
    vi.restoreAllMocks()
    for (const each of running.splice(0)) await each.close()
  })

  type Handler = Latchkey['handler']

  async function serve(
    handler: Handler,
    before: (request: IncomingMessage, response: ServerResponse) => unknown = () => {},
  ): Promise<string> {
    const listener = toNodeListener({ handler })
    const started = await listen(async (request, response) => {
      await before(request, response)
      listener(request, response)
    })
    running.push(started)
    return started.origin
  }

  const echo: Handler = async (request) => new Response(await request.text())

  /** As a parser that reads everything and leaves this behind. */
  function parsedAs(body: unknown): (request: IncomingMessage) => Promise<void> {
    return async (request) => {
      for await (const _chunk of request) continue
      Object.assign(request, { body })
    }
  }

  const FORM = 'application/x-www-form-urlencoded'

  test.each<[string, string, unknown, string]>([
    ['a form', FORM, { a: '1', b: 'ü &' }, 'a=1&b=%C3%BC+%26'],
    ['a repeated field', FORM, { a: ['1', '2'] }, 'a=1&a=2'],
    ['nested fields', FORM, { a: { b: '1', c: ['2', '3'] } }, 'a%5Bb%5D=1&a%5Bc%5D=2&a%5Bc%5D=3'],
    ['a field without a value', FORM, { a: undefined, b: null, c: '' }, 'c='],
    ['JSON', 'application/json', { a: { b: [1, null] } }, '{"a":{"b":[1,null]}}'],
    ['JSON of another kind', 'application/ld+json', ['x'], '["x"]'],
    ['a text', FORM, 'a=1', 'a=1'],
    ['bytes', FORM, Buffer.from('a=1'), 'a=1'],
    ['files', 'multipart/form-data; boundary=x', { a: '1' }, ''],
    ['nothing', FORM, undefined, ''],
  ])('passes a parsed body on: %s', async (_what, type, body, expected) => {
    const origin = await serve(echo, parsedAs(body))
    const headers = { 'content-type': type }
    const answer = await fetch(origin, { method: 'POST', body: 'as it was sent', headers })
    expect(await answer.text()).toBe(expected)
  })

  test('reads the body itself if no parser did', async () => {
    const origin = await serve(echo, (request) => Object.assign(request, { body: {} }))
    expect(await (await fetch(origin, { method: 'POST', body: 'a=1' })).text()).toBe('a=1')
    expect(await (await fetch(origin, { method: 'POST' })).text()).toBe('')
  })

  test('keeps headers and cookies that were set earlier', async () => {
    const headers = [
      ['set-cookie', 'a=1; Expires=Fri, 01 Jan 2027 00:00:00 GMT'],
      ['set-cookie', 'b=2'],
      ['vary', 'cookie'],
    ] as [string, string][]
    const origin = await serve(
      async () => new Response(null, { status: 303, headers }),
      (_request, response) => {
        response.setHeader('set-cookie', 'before=1')
        response.setHeader('x-before', 'yes')
      },
    )
    const answer = await fetch(origin, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.getSetCookie()).toEqual([
      'before=1',
      'a=1; Expires=Fri, 01 Jan 2027 00:00:00 GMT',
      'b=2',
    ])
    expect([answer.headers.get('vary'), answer.headers.get('x-before')]).toEqual(['cookie', 'yes'])
  })

  test('responds to a failure with 500, and logs its reason only', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = new Error('a secret detail')
    const origin = await serve(() => Promise.reject(failure))
    const answer = await fetch(origin)
    expect([answer.status, await answer.text()]).toEqual([500, ''])
    expect(said.mock.calls).toEqual([[failure]])
  })

  test.each([
    [null, 500],
    [undefined, 500],
    ['no number', 500],
    [200, 500],
    [503, 503],
    [400, 400],
  ])('responds to a failure with the status %j with %i', async (status, expected) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = Object.assign(new Error('a client of HTTP failed'), { status })
    const origin = await serve(() => Promise.reject(failure))
    expect((await fetch(origin)).status).toBe(expected)
    expect(said.mock.calls).toEqual(expected < 500 ? [] : [[failure]])
  })

  test('survives a body that breaks off while the client is slow', async () => {
    const failure = new Error('broken off')
    const logged = new Promise((resolve) => {
      vi.spyOn(console, 'error').mockImplementation(resolve)
    })
    let isBroken = (): void => {}
    const broken = new Promise<void>((resolve) => (isBroken = resolve))
    const origin = await serve(async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          // More than the buffers of both ends hold, so that the rest waits for the client.
          controller.enqueue(new Uint8Array(50_000_000))
          controller.enqueue(new Uint8Array(50_000_000))
          setTimeout(() => {
            controller.error(failure)
            isBroken()
          }, 100)
        },
      })
      return new Response(body)
    })
    const socket = connect(Number(new URL(origin).port), 'localhost')
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await broken
    socket.destroy()
    expect(await logged).toBe(failure)
  })

  test('sends no faster than the client reads, and stops when the client leaves', async () => {
    let sent = 0
    let cancelled = (_reason: unknown): void => {}
    const stopped = new Promise((resolve) => (cancelled = resolve))
    let signal: AbortSignal | undefined
    const origin = await serve(async (request) => {
      signal = request.signal
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1
          controller.enqueue(new Uint8Array(100_000))
        },
        cancel: (reason) => cancelled(reason),
      })
      return new Response(body)
    })
    const socket = connect(Number(new URL(origin).port), 'localhost')
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(socket, 'readable')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = sent
    await new Promise((resolve) => setTimeout(resolve, 200))
    // What fits between the two and no more.
    expect(sent).toBe(before)
    socket.destroy()
    await stopped
    expect(signal?.aborted).toBe(true)
  })

  test('sends a length with a body of one piece, and slow bodies in chunks', async () => {
    const whole = await serve(async () => new Response('ü'))
    expect((await fetch(whole)).headers.get('content-length')).toBe('2')
    const empty = await serve(async () => new Response(''))
    expect((await fetch(empty)).headers.get('content-length')).toBe('0')
    const pieces = await serve(async () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(Buffer.from('first'))
          await new Promise((resolve) => setTimeout(resolve, 50))
          controller.enqueue(Buffer.from(' second'))
          controller.close()
        },
      })
      return new Response(body)
    })
    const answer = await fetch(pieces)
    expect(answer.headers.get('transfer-encoding')).toBe('chunked')
    const reader = answer.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(' second')
  })

  test('ends the connection when a body breaks off', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = new Error('broken off')
    const origin = await serve(async () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(Buffer.from('first'))
          await new Promise((resolve) => setTimeout(resolve, 20))
          controller.error(failure)
        },
      })
      return new Response(body)
    })
    await expect((await fetch(origin)).text()).rejects.toThrow()
    expect(said.mock.calls).toEqual([[failure]])
  })

  test('aborts the request when the visitor leaves', async () => {
    let arrived = (_request: Request): void => {}
    const request = new Promise<Request>((resolve) => (arrived = resolve))
    const origin = await serve(async (asked) => {
      arrived(asked)
      await new Promise((resolve) => asked.signal.addEventListener('abort', resolve))
      return new Response('too late')
    })
    const leaving = new AbortController()
    const answer = fetch(origin, { signal: leaving.signal }).catch(() => 'left')
    const { signal } = await request
    expect(signal.aborted).toBe(false)
    leaving.abort()
    expect(await answer).toBe('left')
    await expect.poll(() => signal.aborted).toBe(true)
  })

  test.each(['/a?b=c', 'http://localhost/a?b=c', 'HTTPS://evil.example/a?b=c'])(
    'reads from the target %s only its path',
    async (path) => {
      const origin = await serve(async ({ url }) => new Response(url))
      const { host } = new URL(origin)
      expect(await exchange(origin, `GET ${path} HTTP/1.1\r\nhost: ${host}`)).toMatch(
        new RegExp(`\r\n\r\n${origin}/a\\?b=c$`),
      )
    },
  )

  test('closes the connection if a body is not read to the end', async () => {
    const origin = await serve(async ({ body }) => {
      await body?.getReader().read()
      return new Response('enough')
    })
    const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\nbeginning'
    const answer = await exchange(origin, head, '')
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close[\s\S]*enough/i)
  })

  test('answers HTTP/2', async () => {
    const listener = toNodeListener({
      handler: async (request) => {
        const headers = { 'set-cookie': 'a=1' }
        return new Response(`${request.url} ${await request.text()}`, { headers })
      },
    })
    const server = createHttp2((request, response) => listener(request, response)).listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connectHttp2(`http://localhost:${port}`)
    const stream = client.request({ ':path': '/a?b=c', ':method': 'POST' })
    stream.end('sent')
    const [head] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect(head).toMatchObject({ ':status': 200, 'set-cookie': ['a=1'] })
    expect(await text(stream)).toBe(`http://localhost:${port}/a?b=c sent`)
    client.close()
    server.close()
  })

  test('refuses methods that the Request class forbids', async () => {
    const origin = await serve(echo)
    const answer = await exchange(origin, 'TRACE / HTTP/1.1\r\nhost: localhost')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  })
})

// What monitors, adapters for functions of a cloud and other middleware do with a response.
describe.each([{ direct: true }, { direct: false }])('beside other code, $direct', ({ direct }) => {
  const running: Running[] = []

  afterEach(async () => {
    for (const each of running.splice(0)) await each.close()
  })

  const config = {
    secret: 'a secret for tests, 0123456789abcdef',
    trustHost: true,
    providers: [credentials({ credentials: {}, authorize: () => ({ id: '1' }) })],
  }

  /** Asks for a CSRF token, whose response has two cookies. */
  async function ask(
    prepare: (response: ServerResponse) => void,
    method: 'GET' | 'HEAD' = 'GET',
    times = 1,
  ): Promise<Response> {
    const listener = toNodeListener(createLatchkey(config, {}), { direct })
    const started = await listen((request, response) => {
      prepare(response)
      for (let time = 0; time < times; time++) listener(request, response)
    })
    running.push(started)
    return fetch(`${started.origin}/auth/csrf`, { method })
  }

  test('lets other code read headers and cookies after the response', async () => {
    const seen = Promise.withResolvers<ReturnType<ServerResponse['getHeaders']>>()
    const answer = await ask((response) =>
      response.on('finish', () => seen.resolve(response.getHeaders())),
    )
    const { 'set-cookie': cookies, ...headers } = await seen.promise
    expect(cookies).toEqual(answer.headers.getSetCookie())
    expect(cookies).toHaveLength(2)
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache, no-store',
      'content-type': 'application/json',
    })
  })

  test('lets other code set a header at the end of the response', async () => {
    const answer = await ask((response) => {
      const end = response.end.bind(response)
      response.end = ((...given: Parameters<typeof end>) => {
        response.setHeader('x-took', '1')
        return end(...given)
      }) as typeof end
    })
    expect(answer.headers.get('x-took')).toBe('1')
    expect(answer.headers.getSetCookie()).toHaveLength(2)
    expect(await answer.json()).toHaveProperty('csrfToken')
  })

  test('lets other code change cookies as they are set', async () => {
    const answer = await ask((response) => {
      const setHeader = response.setHeader.bind(response)
      response.setHeader = (name, value) =>
        setHeader(name, Array.isArray(value) ? value.map((each) => `${each}; Partitioned`) : value)
    })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/csrf-token=.*; Partitioned$/),
      expect.stringMatching(/callback-url=.*; Partitioned$/),
    ])
  })

  test('lets other code read the body as it is sent', async () => {
    let sent = ''
    const answer = await ask((response) => {
      const end = response.end.bind(response)
      response.end = ((chunk?: string | Uint8Array) => {
        sent += chunk?.toString() ?? ''
        return end(chunk)
      }) as typeof end
    })
    expect(sent).toBe(await answer.text())
  })

  test.each(['GET', 'HEAD'] as const)(
    'responds once to %s that is handled twice',
    async (method) => {
      const ended: unknown[] = []
      const answer = await ask(
        (response) => response.on('error', (error) => ended.push(error)),
        method,
        2,
      )
      expect(answer.status).toBe(method === 'GET' ? 200 : 400)
      await answer.text()
      expect(ended).toEqual([])
    },
  )
})

/** Sends a request as it is, and reads until the connection is closed. */
async function exchange(
  origin: string,
  head: string,
  end: string = '\r\nconnection: close\r\n\r\n',
): Promise<string> {
  const socket = connect(Number(new URL(origin).port), 'localhost')
  socket.write(head + end)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}
