import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import * as tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { certificate } from '../../../tests/support/certificate.ts'
import { temporaryMariaDb } from '../../../tests/support/servers.ts'
import { answers } from './connected.ts'
import { connect } from './mysql.ts'

/** How a server of MySQL's protocol greets who may go on with TLS. */
const GREETING: Buffer = (() => {
  const tlsAndPlugins = [0x00, 0xaa, 0x21, 0x02, 0x00, 0x08, 0x00]
  const payload = Buffer.concat([
    Buffer.from('\x0a8.4.0\0', 'latin1'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from(tlsAndPlugins),
    Buffer.from([21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ])
  return Buffer.concat([Buffer.from([payload.length, 0, 0, 0]), payload])
})()

/** Bytes of the packet in which a client says that it goes on with TLS. */
const SSL_REQUEST = 36

/** Says whether anything, such as a user's name and password, was told to the server in the tunnel. */
async function impostor(
  host = '127.0.0.1',
): Promise<{ port: number; told: () => boolean } & AsyncDisposable> {
  let told = false
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write(GREETING)
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      if (chunk.length > SSL_REQUEST) socket.unshift(chunk.subarray(SSL_REQUEST))
      const inside = new tls.TLSSocket(socket, { isServer: true, ...certificate })
      inside.on('error', () => {})
      inside.on('data', () => {
        told = true
        socket.destroy()
      })
    })
  }).listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    told: () => told,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('a MySQL server with a foreign certificate', () => {
  test.each(['require', 'verify-full'])(
    'gets no data with sslmode=%s, although the authority is known',
    async (mode) => {
      await using server = await impostor()
      const before = tls.getCACertificates('default')
      tls.setDefaultCACertificates([certificate.cert])
      try {
        const url = new URL(`mysql://ada:secret@localhost:${server.port}/auth?sslmode=${mode}`)
        await expect(connect(url, { pool: 1, timeout: 5 })).rejects.toThrow(/altnames/)
        expect(server.told()).toBe(false)
      } finally {
        tls.setDefaultCACertificates(before)
      }
    },
  )

  test('is accepted with sslmode=no-verify', async () => {
    await using server = await impostor()
    const url = new URL(`mysql://ada:secret@localhost:${server.port}/auth?sslmode=no-verify`)
    await expect(connect(url, { pool: 1, timeout: 5 })).rejects.toThrow()
    expect(server.told()).toBe(true)
  })
})

test('an address of IPv6 is reached', async () => {
  await using server = await impostor('::1')
  const url = new URL(`mysql://ada:secret@[::1]:${server.port}/auth?sslmode=no-verify`)
  await expect(connect(url, { pool: 1, timeout: 5 })).rejects.toThrow()
  expect(server.told()).toBe(true)
})

/** A wire to a server that may go dead: nothing arrives any more, and nobody hangs up. */
async function wire(to: URL): Promise<{ url: URL; dead: boolean } & AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connectTo(Number(to.port), to.hostname)
    const dead = () => ends.dead
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (chunk) => {
        if (!dead()) into.write(chunk)
      })
      from.on('close', () => into.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const ends = {
    url,
    dead: false,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return ends
}

test('a server that vanishes silently is waited for no longer than the limit, and found later', async () => {
  await using database = await temporaryMariaDb()
  await using between = await wire(new URL(database.url))
  const { sql, close } = await connect(between.url, { pool: 1, timeout: 1 })
  between.dead = true
  const asked = [answers(sql), answers(sql), sql.db.transaction().execute(() => answers(sql))]
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  between.dead = false
  await answers(sql)
  await close()
})
