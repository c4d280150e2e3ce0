import type * as Ipaddr from 'ipaddr.js'
import { defaultOf } from '../../../entries/plugin.ts'

/** Loads what parses addresses, which only keys with `networks` need. */
async function loadParser(): Promise<typeof Ipaddr> {
  return defaultOf(await import('ipaddr.js'))
}

/** @returns the first that is no network; an address counts as a network of its own. */
export async function firstNoNetwork(networks: readonly string[]): Promise<string | undefined> {
  const ipaddr = await loadParser()
  return networks.find((text) => {
    const [address = ''] = text.split('/', 1)
    // `010.0.0.0` is another address for some programs, and `10` for most people none.
    const isClear = address.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(address)
    return !isClear || !(ipaddr.isValid(text) || ipaddr.isValidCIDR(text))
  })
}

/** Is an address within one of the networks? */
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
