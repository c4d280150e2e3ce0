import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { drainServer } from './drain.ts'

const CLIENTS = 64

/** Clients in a thread of their own, which goes on while the thread of the server is busy. */
const clients = `
const { connect } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const answers = Array(workerData.count).fill('')
const sockets = []
let left = workerData.count
const count = () => {
  Atomics.add(workerData.done, 0, 1)
  Atomics.notify(workerData.done, 0)
}
const orders = {
  connect() {
    for (let index = 0; index < workerData.count; index++) {
      const socket = connect(workerData.port, '127.0.0.1', count)
      sockets.push(socket.setEncoding('utf8'))
      socket.on('data', (text) => (answers[index] += text))
      socket.on('error', ({ code }) => (answers[index] += code))
      socket.on('close', () => --left || parentPort.postMessage(answers))
    }
  },
  ask() {
    for (const socket of sockets) socket.write('GET / HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n', count)
  },
}
parentPort.on('message', (name) => orders[name]())
`

async function serverWithClients() {
  const server = createServer((_request, response) => void response.end('answered'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const done = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(clients, { eval: true, workerData: { count: CLIENTS, done, port } })
  await once(worker, 'online')
  const answers = once(worker, 'message') as Promise<[string[]]>
  return {
    server,
    order: (name: 'connect' | 'ask'): void => worker.postMessage(name, []),
    /** Stops this thread until the clients have done so many things, and for longer than a drain waits. */
    standStill(things: number): void {
      for (let count = 0; count < things; count = Atomics.load(done, 0))
        Atomics.wait(done, 0, count, 10_000)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    },
    async lost(): Promise<string[]> {
      const [all] = await answers
      return all.filter((answer) => !answer.endsWith('answered'))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await worker.terminate()
    },
  }
}

const connections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

async function closing(server: Server): Promise<void> {
  while (server.listening) await pause(1)
}

const times = { delay: 0, timeout: 10 }

test('a client that waits to be accepted is answered', async () => {
  await using side = await serverWithClients()
  const drained = drainServer(side.server, times)
  side.order('connect')
  side.order('ask')
  side.standStill(2 * CLIENTS)
  expect(await side.lost()).toEqual([])
  expect(await drained).toBe(true)
})

test('a request that arrived while the process had no turn is answered', async () => {
  await using side = await serverWithClients()
  side.order('connect')
  await expect.poll(() => connections(side.server)).toBe(CLIENTS)
  const drained = drainServer(side.server, times)
  await closing(side.server)
  // Timers run first in the next turn.
  await new Promise(setImmediate)
  side.order('ask')
  side.standStill(2 * CLIENTS)
  expect(await side.lost()).toEqual([])
  expect(await drained).toBe(true)
})

test('a connection without a request is closed, and loses nothing', async () => {
  await using side = await serverWithClients()
  side.order('connect')
  await expect.poll(() => connections(side.server)).toBe(CLIENTS)
  expect(await drainServer(side.server, times)).toBe(true)
  expect(new Set(await side.lost())).toEqual(new Set(['']))
})
