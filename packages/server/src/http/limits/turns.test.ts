import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server that takes turns, and what it was asked. */
async function serverOf(handle: Handle) {
  const asked: string[] = []
  let open = 0
  let most = 0
  const turns = createTurns((request, response) => {
    asked.push(request.url ?? '')
    most = Math.max(most, ++open)
    response.once('finish', () => open--)
    void handle(request, response)
  })
  const server = createServer(turns.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked,
    turns,
    most: () => most,
    async connection() {
      const socket = connect(port, '127.0.0.1')
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

const requests = (count: number, from = 0): string =>
  Array.from(
    { length: count },
    (_, index) => `GET /${from + index} HTTP/1.1\r\nhost: x\r\n\r\n`,
  ).join('')

/** Everything that a connection says until its end. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk)
  return text
}

const slow: Handle = async (request, response) => {
  await pause(30)
  response.end(`answer to ${request.url}\n`)
}

const quick: Handle = (request, response) => void response.end(`answer to ${request.url}\n`)

test('HP-25: a hundred simultaneous reads of one connection are answered in their order', async () => {
  await using server = await serverOf(quick)
  const socket = await server.connection()
  const last = 'GET /99 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  socket.write(requests(99) + last)
  const answers = (await readAll(socket)).match(/answer to \/\d+/g)
  expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => `answer to /${index}`))
})

test('requests of one connection are processed one after the other, in their order', async () => {
  await using server = await serverOf(slow)
  const socket = await server.connection()
  socket.write(requests(10))
  await expect.poll(() => server.asked.length).toBe(10)
  const last = 'GET /10 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  socket.write(last)
  const answers = (await readAll(socket)).match(/answer to \/\d+/g)
  expect(answers).toEqual(Array.from({ length: 11 }, (_, index) => `answer to /${index}`))
  expect(server.most()).toBe(1)
})

test('T-FLOW-5: of a thousand simultaneous requests, in a connection without a reader, few are begun', async () => {
  await using server = await serverOf(quick)
  const socket = await server.connection()
  socket.pause()
  socket.on('error', () => {})
  for (let piece = 0; piece < 10; piece++) socket.write(requests(100, piece * 100))
  await expect.poll(() => server.asked.length).toBeGreaterThan(100)
  await pause(300)
  expect(server.most()).toBe(1)
  expect(server.asked.length).toBeLessThan(130)
})

test('the response to the last request that may wait ends the connection', async () => {
  await using server = await serverOf(quick)
  const socket = await server.connection()
  socket.on('error', () => {})
  socket.write(requests(1000))
  const text = await readAll(socket)
  expect(text.match(/connection: close/gi)).toHaveLength(1)
  expect(text.match(/answer to/g)).toHaveLength(128)
})

test('T-FLOW-5: requests with long headers wait up to 256 kB together', async () => {
  const released = Promise.withResolvers<void>()
  await using server = await serverOf(async (request, response) => {
    await released.promise
    response.end(`answer to ${request.url}\n`)
  })
  const socket = await server.connection()
  socket.on('error', () => {})
  const long = `GET /long HTTP/1.1\r\nhost: x\r\ncookie: ${'a'.repeat(15_000)}\r\n\r\n`
  await new Promise((done) => socket.write(long.repeat(40), done))
  // The server has read all of them when it has read the request of another connection that came later.
  const other = await server.connection()
  other.write(requests(1))
  await expect.poll(() => server.asked).toContain('/0')
  released.resolve()
  expect((await readAll(socket)).match(/answer to/g)).toHaveLength(18)
})

test('connections do not wait for each other', async () => {
  await using server = await serverOf(slow)
  const sockets = await Promise.all(Array.from({ length: 5 }, () => server.connection()))
  for (const socket of sockets) socket.write(requests(3))
  await expect.poll(() => server.asked.length).toBe(15)
  expect(server.most()).toBe(5)
})

test('a broken connection leaves no request waiting', async () => {
  const begun: (() => void)[] = []
  await using server = await serverOf((_, response) => void begun.push(() => response.end()))
  const socket = await server.connection()
  socket.write(requests(5))
  await expect.poll(() => begun.length).toBe(1)
  socket.destroy()
  await pause(50)
  for (const end of begun) end()
  await pause(50)
  expect(server.asked).toEqual(['/0'])
})

test('at the end, pending requests are answered, and the last response closes the connection', async () => {
  const released = Promise.withResolvers<void>()
  await using server = await serverOf(async (request, response) => {
    await released.promise
    response.end(`answer to ${request.url}\n`)
  })
  const socket = await server.connection()
  const other = await server.connection()
  socket.write(requests(5))
  other.write(requests(1))
  await expect.poll(() => server.asked.length).toBe(2)
  server.turns.end()
  released.resolve()
  const [text, single] = await Promise.all([readAll(socket), readAll(other)])
  expect(text.match(/answer to/g)).toHaveLength(5)
  expect(text).toMatch(/connection: close\r\n(?:.+\r\n)*\r\n[^\r]*answer to \/4\n/i)
  expect(single).toMatch(/connection: close/i)
})
