import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net'

/** The maximum share of all connections for one network. */
const SHARE = 0.1

/** Minimum number of connections for one network. */
const LEAST = 100

/** Networks that proxies of a site use: loopback, private, link-local and carrier-grade NAT. */
const NEAR = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
] as const

/** The part of a server that this file uses. */
interface Accepting {
  readonly maxConnections: number
  on(event: 'connection', listener: (socket: Socket) => void): unknown
}

/**
 * Closes a connection if its network has a tenth of all connections already, and at least a hundred. A network is one
 * IPv4 address, or the first 64 bits of an IPv6 address. The first 56 bits may have twice as many, and the first 48
 * bits five times as many, since one client may use all networks below them. There is no limit for trusted proxies and
 * for addresses in local networks.
 *
 * @param proxies trusted addresses and networks
 * @param onClosed called for each connection that is closed
 */
export function limitNetworks(
  server: Accepting,
  proxies: readonly string[],
  onClosed: () => void,
): void {
  const most = Math.max(LEAST, Math.floor(server.maxConnections * SHARE))
  const exempt = listOf([...NEAR, ...proxies])
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    // A client that has already closed the connection has no address.
    if (address === undefined || exempt.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return
    const networks = networksOf(address)
    const countOf = (network: string): number => counts.get(network) ?? 0
    if (networks.some(([network, shares]) => countOf(network) >= most * shares)) {
      onClosed()
      socket.destroy()
      return
    }
    for (const [network] of networks) counts.set(network, countOf(network) + 1)
    socket.once('close', () => {
      for (const [network] of networks) {
        const left = countOf(network) - 1
        if (left <= 0) counts.delete(network)
        else counts.set(network, left)
      }
    })
  })
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Returns the address without a zone, and an IPv4 address in IPv6 form as IPv4. */
function plainAddress(address: string | undefined): string | undefined {
  const plain = address?.split('%')[0] ?? ''
  const inner = /^::ffff:([\d.]+)$/i.exec(plain)?.[1] ?? plain
  return isIPv4(inner) || isIPv6(inner) ? inner : undefined
}

/** Returns the networks of an address, and how many shares each may have. */
function networksOf(address: string): readonly (readonly [network: string, shares: number])[] {
  const own = networkOf(address)
  if (isIPv4(address)) return [[own, 1]]
  const groups = own.split(':')
  const site = groups.slice(0, 3).join(':')
  const subnet = Math.floor(Number.parseInt(groups[3] || '0', 16) / 256)
  return [
    [own, 1],
    [`${site}:${subnet}/56`, 2],
    [`${site}/48`, 5],
  ]
}

/** Returns the part of an address that identifies one client: all of IPv4, and 64 bits of IPv6. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address
  const [before = '', after] = address.split('::')
  const groups = before === '' ? [] : before.split(':')
  const missing =
    after === undefined ? 0 : 8 - groups.length - after.split(':').filter(Boolean).length
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...(after ?? '').split(':')]
    .slice(0, 4)
    .join(':')
}
