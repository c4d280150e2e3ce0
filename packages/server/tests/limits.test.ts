import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestService, testService } from './support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends bytes, and returns what comes back until the service ends the connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece))
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return answer
}

const host = (): string => `host: localhost:${service.port}\r\n`
const headOf = (lines: string, target = '/auth/session', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${host()}${lines}`
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `x-${at}: y\r\n`).join('')

describe('HP-21: a request that is too long is refused, and the connection ends:', () => {
  test.each<[string, () => string, number, string?]>([
    ['a target of 17 kB', () => headOf('', `/${'a'.repeat(17_000)}`), 414, 'long-line'],
    ['a query of 17 kB', () => headOf('', `/?${'a'.repeat(17_000)}`), 414, 'long-line'],
    ['101 headers', () => headOf(lines(100)), 431, 'many-headers'],
    ['a header of 17 kB', () => headOf(`x: ${'a'.repeat(17_000)}\r\n`), 431, 'long-header'],
    ['headers of 70 kB', () => headOf(`cookie: a=${'a'.repeat(70_000)}\r\n`), 431],
  ])('%s', async (_what, head, status, outcome) => {
    const answer = await exchange(`${head()}\r\n`)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    // The line is written when the connection has ended.
    if (outcome !== undefined)
      await expect.poll(() => service.lines().at(-1)).toMatchObject({ status, outcome })
  })

  test.each<[string, () => string]>([
    ['100 headers', () => headOf(lines(98))],
    ['cookies of 30 kB', () => headOf(`cookie: a=${'a'.repeat(30_000)}\r\n`)],
    ['a query of 15 kB', () => headOf('', `/auth/session?${'a'.repeat(15_000)}`)],
  ])('%s are not too long', async (_what, head) => {
    const answer = await exchange(`${head()}connection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('HP-23: a request that can be read in two ways is refused, and the connection ends', () => {
  const next = (): string => `${headOf('')}\r\n`

  test.each<[string, () => string]>([
    ['two hosts', () => headOf(`${host()}\r\n`)],
    ['two other hosts', () => headOf('host: evil.example\r\n\r\n')],
    ['no host', () => 'GET /auth/session HTTP/1.1\r\n\r\n'],
    ['two lengths', () => headOf('content-length: 3\r\ncontent-length: 4\r\n\r\nabc', '/', 'POST')],
    [
      'a length and chunks',
      () => headOf('content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', '/', 'POST'),
    ],
    ['a coding that nobody knows', () => headOf('transfer-encoding: x\r\n\r\nabc', '/', 'POST')],
    ['a length that is none', () => headOf('content-length: +3\r\n\r\nabc', '/', 'POST')],
    ['a folded header', () => headOf('x: a\r\n b: c\r\n\r\n')],
    ['a blank before a colon', () => headOf('x : a\r\n\r\n')],
    ['NUL in a header', () => headOf('x: a\0b\r\n\r\n')],
    ['CR in a header', () => headOf('x: a\rb\r\n\r\n')],
    ['HTTP/0.9', () => 'GET /auth/session\r\n\r\n'],
  ])('%s', async (_what, request) => {
    const answer = await exchange(request() + next())
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
  })

  test('a request with an unknown expectation is refused with 417', async () => {
    const answer = await exchange(headOf('expect: 200-ok\r\nconnection: close\r\n\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 417 /)
  })
})

describe('HP-23: 100 Continue is sent once a request is accepted', () => {
  const waiting = (target: string, more: string): string =>
    headOf(`expect: 100-continue\r\nconnection: close\r\n${more}\r\n`, target, 'POST')
  const form = 'content-type: application/x-www-form-urlencoded\r\n'

  test.each<[string, () => string, number]>([
    ['a path without a page', () => waiting('/nowhere', 'content-length: 3\r\n'), 404],
    [
      'a body that is too long',
      () => waiting('/auth/signout', `${form}content-length: 300000\r\n`),
      413,
    ],
    ['a second host', () => waiting('/auth/signout', `${host()}content-length: 3\r\n`), 400],
    ['too many headers', () => waiting('/auth/signout', `${lines(100)}content-length: 3\r\n`), 431],
  ])('not for %s', async (_what, request, status) => {
    const socket = connect(service.port, '127.0.0.1')
    socket.write(request())
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    socket.destroy()
  })

  test('while the body of a form is read after it', async () => {
    const socket = connect(service.port, '127.0.0.1')
    socket.write(waiting('/auth/signout', `${form}content-length: 11\r\n`))
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('csrfToken=x')
    const [second] = (await once(socket, 'data')) as [Buffer]
    expect(second.toString()).toMatch(/^HTTP\/1\.1 (?:200|302|400|403) /)
    socket.destroy()
  })
})

describe('HP-20: a service with a limit of connections', () => {
  test('serves those within it, and closes the others', async () => {
    await using small = await testService({ LATCHKEY_MAX_CONNECTIONS: '2' })
    const sockets = await Promise.all(
      [1, 2].map(async () => {
        const socket = connect(small.port, '127.0.0.1')
        await once(socket, 'connect')
        return socket
      }),
    )
    const third = connect(small.port, '127.0.0.1').on('error', () => {})
    await once(third, 'close')
    sockets[0]?.write(`GET /healthz HTTP/1.1\r\nhost: localhost:${small.port}\r\n\r\n`)
    const [answer] = (await once(sockets[0] ?? third, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of sockets) socket.destroy()
    const dropped = small.lines().filter(({ msg }) => msg === 'too many connections')
    expect(dropped).toMatchObject([{ level: 'warn', dropped: 1, maxConnections: 2 }])
  })
})

test('HP-22: a connection without a request is kept for longer than balancers keep it', async () => {
  const socket = connect(service.port, '127.0.0.1')
  socket.write(`${headOf('')}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/\r\nkeep-alive: timeout=65, max=10000\r\n/i)
  socket.destroy()
})

describe('HP-25: pipelined requests of one connection', () => {
  test('may be a hundred reads, each with its own response', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => (at % 2 ? '/auth/session' : '/healthz'))
    const all = paths.map((path, at) =>
      headOf(at === 99 ? 'connection: close\r\n\r\n' : '\r\n', path),
    )
    const answers = (await exchange(all.join(''))).split('HTTP/1.1 200 OK\r\n').slice(1)
    expect(answers.map((text) => text.split('\r\n\r\n')[1])).toEqual(
      paths.map((path) => (path === '/healthz' ? '{"status":"ok"}' : 'null')),
    )
  })

  test('are not read after a body that was refused', async () => {
    const before = service.lines().length
    const type = 'content-type: application/x-www-form-urlencoded\r\n'
    const head = headOf(`${type}content-length: 300000\r\n\r\n`, '/auth/signout', 'POST')
    const answer = await exchange(`${head}${'a'.repeat(300_000)}${headOf('\r\n', '/healthz')}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    await expect
      .poll(() => service.lines().slice(before))
      .toMatchObject([{ path: '/auth/signout', status: 413 }])
  })
})
