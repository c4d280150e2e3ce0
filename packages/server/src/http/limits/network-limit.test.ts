import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { limitNetworks, networkOf } from './network-limit.ts'

/** A server of whose clients only the addresses are real: a test has no other networks than the near ones. */
function serverOf(maxConnections: number, proxies: readonly string[] = []) {
  const server = Object.assign(new EventEmitter(), { maxConnections })
  let closed = 0
  limitNetworks(server, proxies, () => closed++)
  return {
    closed: () => closed,
    connect(remoteAddress: string | undefined) {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroyed: false,
        destroy() {
          socket.destroyed = true
          socket.emit('close')
        },
      })
      server.emit('connection', socket)
      return socket
    },
  }
}

describe('HP-27: one network', () => {
  test.each([
    [10, 100],
    [1000, 100],
    [10_000, 1000],
    [12_345, 1234],
  ])('of %i connections may have %i', (maxConnections, most) => {
    const server = serverOf(maxConnections)
    for (let at = 0; at < most; at++)
      expect(server.connect('203.0.113.7').destroyed, `number ${at}`).toBe(false)
    expect(server.connect('203.0.113.7').destroyed).toBe(true)
  })

  test('at its limit is refused another connection, until one of them ends', () => {
    const server = serverOf(1000)
    const sockets = Array.from({ length: 100 }, () => server.connect('203.0.113.7'))
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([])
    expect(server.connect('203.0.113.7').destroyed).toBe(true)
    expect(server.connect('::ffff:203.0.113.7').destroyed).toBe(true)
    expect(server.closed()).toBe(2)
    expect(server.connect('203.0.113.8').destroyed).toBe(false)
    sockets[0]?.destroy()
    expect(server.connect('203.0.113.7').destroyed).toBe(false)
    expect(server.connect('203.0.113.7').destroyed).toBe(true)
  })

  test('of IPv6 is all addresses with the same first 64 bits', () => {
    const server = serverOf(1000)
    for (let at = 0; at < 100; at++) server.connect(`2001:db8:1:2::${at.toString(16)}`)
    expect(server.connect('2001:db8:1:2:ffff::1').destroyed).toBe(true)
    expect(server.connect('2001:db8:1:3::1').destroyed).toBe(false)
  })

  test.each([
    ['a /60', 16, 200],
    ['a /56', 256, 200],
    ['a /48', 65_536, 500],
  ])('SEC-29: of IPv6 cannot use all connections from %s', (_, networks, most) => {
    const server = serverOf(1000)
    const step = networks / Math.min(networks, 256)
    let accepted = 0
    for (let at = 0; at < 1000; at++) {
      const network = ((at % Math.min(networks, 256)) * step).toString(16)
      if (!server.connect(`2001:db8:1:${network}::1`).destroyed) accepted++
    }
    expect(accepted).toBe(most)
    expect(server.connect('2001:db8:2:3::1').destroyed).toBe(false)
  })

  test.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.17.0.1',
    '::ffff:192.168.1.1',
    '100.64.0.1',
    'fe80::1%eth0',
    'fd00::1',
    '198.51.100.9',
    '203.0.113.7',
    '2001:db8::7',
    undefined,
  ])('is not limited if it is near or a trusted proxy: %s', (address) => {
    const server = serverOf(1000, ['198.51.100.0/24', '203.0.113.7', '2001:db8::/32'])
    const sockets = Array.from({ length: 300 }, () => server.connect(address))
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([])
    expect(server.closed()).toBe(0)
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['::2:3:4:5:6:7:8', '0:2:3:4'],
  ['::', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
