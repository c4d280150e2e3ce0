import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createConnections, parse } from './connections.ts'

const line = 'HTTP/1.1 200 OK\r\n'

describe('a response is complete', () => {
  test.each([
    ['with its length', `${line}Content-Length: 2\r\n\r\n{}`, '{}'],
    ['with its last chunk', `${line}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, '{}'],
    ['with an empty last chunk', `${line}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`, ''],
    ['without a body', `${line}x: y\r\n\r\n`, ''],
  ])('%s, and not a byte before', (_what, text, body) => {
    expect(parse(text)).toMatchObject({ status: 200 })
    expect(parse(text)?.body).toContain(body)
    expect(parse(text.slice(0, -1))).toBeUndefined()
  })
})

test('a request waits until a connection is free, and an ended connection is replaced', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.on('data', (request) => {
      const close = request.toString() === 'last' ? 'connection: close\r\n' : ''
      socket.write(`${line}${close}content-length: ${request.length}\r\n\r\n${request.toString()}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = createConnections((server.address() as AddressInfo).port, 1)
  const ask = (text: string): Promise<string | undefined> =>
    new Promise((resolve) => pool.send(Buffer.from(text), (answer) => resolve(answer?.body)))
  const answers = ['one', 'last', 'two'].map(ask)
  expect(pool.queued).toBe(2)
  expect(await Promise.all(answers)).toEqual(['one', 'last', 'two'])
  expect(connections).toBe(2)
  pool.close()
  server.close()
})
