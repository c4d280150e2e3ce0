import type * as Ipaddr from 'ipaddr.js'
import { defaultOf } from '../../../entries/plugin.ts'

/** Loads the parser of addresses, which only keys with `networks` need. */
async function loadParser(): Promise<typeof Ipaddr> {
  return defaultOf(await import('ipaddr.js'))
}

/** @returns the first text that is not a network. An address counts as a network. */
export async function firstNoNetwork(networks: readonly string[]): Promise<string | undefined> {
  const ipaddr = await loadParser()
  return networks.find((text) => {
    const [address = ''] = text.split('/', 1)
    // Some programs read `010.0.0.0` as another address, and few people read `10` as an address.
    const isClear = address.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(address)
    return !isClear || !(ipaddr.isValid(text) || ipaddr.isValidCIDR(text))
  })
}

/** Returns whether an address is within one of the networks. */
export async function isWithin(address: string, networks: readonly string[]): Promise<boolean> {
  const ipaddr = await loadParser()
  if (!ipaddr.isValid(address)) return false
  const own = ipaddr.process(address)
  return networks.some((text) => {
    const range = ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : single(ipaddr.process(text))
    return own.kind() === range[0].kind() && own.match(range)
  })
}

function single(address: Ipaddr.IPv4 | Ipaddr.IPv6): [Ipaddr.IPv4 | Ipaddr.IPv6, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
