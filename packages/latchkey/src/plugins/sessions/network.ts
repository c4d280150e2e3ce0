import { defaultOf } from '../../entries/plugin.ts'

/** The longest spelling of an address, with a zone. */
const LONGEST = 100

/**
 * Returns the network of an address: the first 24 bits of IPv4, the first 48 of IPv6. Addresses that are not public,
 * for example of a private network, are returned whole; `undefined` for other text.
 */
export async function networkOf(address: string): Promise<string | undefined> {
  const ipaddr = defaultOf(await import('ipaddr.js'))
  if (address.length > LONGEST || !ipaddr.isValid(address)) return undefined
  // `::ffff:203.0.113.77` is an IPv4 address.
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' && parsed.range() !== 'reserved') return parsed.toString()
  const bits = parsed.kind() === 'ipv4' ? 24 : 48
  const { IPv4, IPv6 } = ipaddr
  const cidr = `${parsed.toString()}/${bits}`
  const network =
    parsed.kind() === 'ipv4' ? IPv4.networkAddressFromCIDR(cidr) : IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${bits}`
}
