import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { certificate } from '../../../tests/support/certificate.ts'
import { connect } from './postgres.ts'

/** Takes everybody into a tunnel, with a certificate of somebody else, and says whether it was told anything there. */
async function impostor(): Promise<{ port: number; told: () => boolean } & AsyncDisposable> {
  let told = false
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    // What a client asks first is whether there is TLS.
    socket.once('data', () => {
      socket.pause()
      socket.write('S')
      const inside = new TLSSocket(socket, { isServer: true, ...certificate })
      inside.on('error', () => {})
      inside.on('data', () => {
        told = true
        socket.destroy()
      })
    })
  }).listen(0, '127.0.0.1')
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

test.each([
  ['sslmode=prefer', false],
  ['sslmode=require', false],
  ['sslmode=verify-ca', false],
  ['sslmode=verify-full', false],
  ['sslmode=verify-full&sslmode=require', false],
  ['sslmode=no-verify', true],
  ['uselibpqcompat=true&sslmode=require', true],
])('%s is as strict as documented, and causes no warning', async (query, tells) => {
  const warn = vi.spyOn(process, 'emitWarning')
  onTestFinished(() => warn.mockRestore())
  await using server = await impostor()
  const url = new URL(`postgres://ada:secret@127.0.0.1:${server.port}/auth?${query}`)
  const failure = tells ? /terminated/ : /self-signed/
  await expect(connect(url, { pool: 1, timeout: 5 })).rejects.toThrow(failure)
  expect(server.told()).toBe(tells)
  expect(warn).not.toHaveBeenCalled()
})
