import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { follow } from './exchange.ts'
import { createLimitedServer, type ServerTimes } from './server.ts'

const TIMES: ServerTimes = {
  headers: 300,
  request: 10_000,
  idle: 10_000,
  grace: 300,
  answer: 300,
  check: 50,
}

/** A limited server that follows its requests, as the listener does. */
async function serverOf(handle: RequestListener, most = 100, times = TIMES) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    level: 'info',
    format: 'json',
    secrets: new Set(),
    stream: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  })
  const server = createLimitedServer({ maxConnections: most, trustedProxies: [] }, log, times)
  server.on('request', (request, response) => {
    follow(request, response, '/', log)
    handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    lines,
    async connection(): Promise<Socket> {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Everything that a connection receives until its end. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await once(socket, 'close')
  return text
}

const reads: RequestListener = (request, response) => {
  request.on('error', () => {}).on('end', () => response.end('all of it'))
  request.resume()
}
const post = (length: number): string =>
  `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`

describe('HP-20: a connection beyond the limit', () => {
  test('is accepted and closed, and logged once', async () => {
    await using server = await serverOf(reads, 2)
    const first = await server.connection()
    const second = await server.connection()
    for (let more = 0; more < 3; more++) {
      expect(await readAll(await server.connection())).toBe('')
    }
    const found = server.lines.filter(({ msg }) => msg === 'too many connections')
    expect(found).toMatchObject([{ level: 'warn', dropped: 1, maxConnections: 2 }])

    second.destroy()
    await pause(50)
    const third = await server.connection()
    third.write(`${post(2)}ab`)
    expect(await readAll(third)).toContain('all of it')
    first.destroy()
  })
})

describe('HP-22: a slow client is refused with 408, and the connection ends', () => {
  test('if its headers take too long', async () => {
    await using server = await serverOf(reads)
    const socket = await server.connection()
    socket.write('GET / HTTP/1.1\r\n')
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('if its body comes too slowly', async () => {
    await using server = await serverOf(reads)
    const socket = await server.connection()
    socket.write(post(10_000))
    const trickle = setInterval(() => socket.write('a'), 20)
    const answer = await readAll(socket)
    clearInterval(trickle)
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\nConnection: close\r\n/)
    await expect
      .poll(() => server.lines.at(-1))
      .toMatchObject({ status: 408, outcome: 'slow-body' })
  })

  test('unless it sends at the minimum rate', async () => {
    await using server = await serverOf(reads)
    const socket = await server.connection()
    socket.write(post(1200))
    const answer = readAll(socket)
    for (let sent = 0; sent < 1200; sent += 100) {
      socket.write('a'.repeat(100))
      await pause(80)
    }
    expect(await answer).toContain('all of it')
  })

  test('unless the service did not read the body', async () => {
    await using server = await serverOf((request, response) => {
      setTimeout(() => reads(request, response), 900)
    })
    const socket = await server.connection()
    socket.write(post(200_000) + 'a'.repeat(100_000))
    setTimeout(() => socket.write('a'.repeat(100_000)), 950)
    expect(await readAll(socket)).toContain('all of it')
  })
})

describe('HP-26: a response', () => {
  const large = Buffer.alloc(20 * 1024 * 1024, 'a')
  const sendsMuch: RequestListener = (_request, response) => void response.end(large)

  test('that the client does not read ends the connection', async () => {
    await using server = await serverOf(sendsMuch)
    const socket = await server.connection()
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect
      .poll(() => server.lines.at(-1), { timeout: 5000 })
      .toMatchObject({ status: 200, outcome: 'slow-reader' })
    socket.destroy()
  })

  test('that the client reads slowly is sent completely', async () => {
    const answer = 1500
    await using server = await serverOf(sendsMuch, 100, { ...TIMES, answer })
    const socket = await server.connection()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    let taken = 0
    let takenAtPause = 0
    const begun = performance.now()
    socket.on('data', (piece: Buffer) => {
      taken += piece.length
      // Slowly for longer than a client that takes nothing would be waited for. The system tells the server that
      // there is room again only once it is a sixteenth of its buffer, some 400 kB.
      if (performance.now() - begun > 2 * answer || taken - takenAtPause < 256 * 1024) return
      takenAtPause = taken
      socket.pause()
      setTimeout(() => socket.resume(), 100)
    })
    await once(socket, 'close')
    expect(performance.now() - begun).toBeGreaterThan(2 * answer)
    expect(taken).toBeGreaterThan(large.length)
  })

  test('that takes long to create is awaited', async () => {
    await using server = await serverOf((_request, response) => {
      setTimeout(() => response.end('at last'), 900)
    })
    const socket = await server.connection()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(await readAll(socket)).toContain('at last')
  })
})
