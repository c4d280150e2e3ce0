import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net'

/** The share of all connections that one network may have. */
const SHARE = 0.1

/** Connections that one network may have in any case. */
const LEAST = 100

/** Networks in which the proxies of a site are: loopback, private, link-local and carrier-grade NAT. */
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

/** What is needed of a server. */
interface Accepting {
  readonly maxConnections: number
  on(event: 'connection', listener: (socket: Socket) => void): unknown
}

/**
 * Closes a connection if its network has a tenth of all connections already, and at least a hundred. A network is one
 * IPv4 address, or the first 64 bits of an IPv6 address. The first 56 bits have twice as many, and the first 48 five times,
 * since one client may have all networks below them. Proxies have no limit: the trusted ones, and all that are near.
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
    // A client that has already left has no address.
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

/** The address without a zone, and as IPv4 if it is an IPv4 address within IPv6. */
function plainAddress(address: string | undefined): string | undefined {
  const plain = address?.split('%')[0] ?? ''
  const inner = /^::ffff:([\d.]+)$/i.exec(plain)?.[1] ?? plain
  return isIPv4(inner) || isIPv6(inner) ? inner : undefined
}

/** The networks that an address is in, and the shares that each may have. */
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

/** The part of an address that one client has: all of IPv4, and 64 bits of IPv6. */
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
