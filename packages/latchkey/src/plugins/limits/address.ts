import type * as Ipaddr from 'ipaddr.js'
import { clientAddress, defaultOf, isForwarded, optionError } from '../../entries/plugin.ts'
import type { ClientAddress } from './settings.ts'

type Address = Ipaddr.IPv4 | Ipaddr.IPv6
type Range = ReturnType<typeof Ipaddr.parseCIDR>

// The parser, shared by this module. It is loaded before the first use.
let ipaddr: typeof Ipaddr

async function loadParser(): Promise<void> {
  ipaddr = defaultOf(await import('ipaddr.js'))
}

/** The longest entry: an address in its longest spelling, a zone and a port. */
const LONGEST_ENTRY = 100
/** Entries that are read. Those further to the left were written by the client. */
const MOST_ENTRIES = 64
/** Characters of the header that are read, from its end. */
const LONGEST_LIST = LONGEST_ENTRY * MOST_ENTRIES

/** The networks of one client. */
export interface Networks {
  /** The address, or the part of it that one client controls. */
  readonly own: string
  /** The larger network of an IPv6 address, since a client may control many small ones. */
  readonly wide: string | undefined
}

/** Finds the networks of clients. */
export interface Clients {
  /** @returns `undefined` for a client with an unknown address. */
  networksOf(request: Request): Networks | undefined
  /** Returns whether the network of the client is exempt. */
  isExempt(request: Request): boolean
}

/**
 * @throws TypeError for an invalid network.
 * @throws Error if the parser is not installed.
 */
export async function createClients(
  client: ClientAddress | undefined,
  exempt: readonly string[],
): Promise<Clients> {
  await loadParser()
  const find = finder(client)
  const free = exempt.map((text) => rangeOf(text, 'exempt'))
  const addressOf = (request: Request): Address | undefined =>
    find(clientAddress(request), (name) => request.headers.get(name))
  return {
    networksOf(request) {
      const address = addressOf(request)
      return address && networks(address)
    },
    isExempt(request) {
      const address = free.length > 0 ? addressOf(request) : undefined
      return address !== undefined && isWithin(address, free)
    },
  }
}

/** Creates a function that finds the address of a client, for servers that read connection and headers themselves. */
export async function createFinder(
  client: ClientAddress | undefined,
): Promise<(connection: string | undefined, header: GetHeader) => string | undefined> {
  await loadParser()
  const find = finder(client)
  return (connection, header) => find(connection, header)?.toString()
}

type GetHeader = (name: string) => string | null | undefined
type Find = (connection: string | undefined, header: GetHeader) => Address | undefined

function finder(client: ClientAddress | undefined): Find {
  if (!client) return unproxied
  if ('header' in client) {
    const proxies = client.proxies?.map((text) => rangeOf(text, 'client.proxies'))
    const isStandard = client.header.toLowerCase() === 'forwarded'
    return (connection, header) => {
      const sender = parsed(connection)
      const isTrusted = !proxies || (sender !== undefined && isWithin(sender, proxies))
      const named = isTrusted ? header(client.header) : undefined
      return parsed(isStandard ? forOf(named) : named) ?? sender
    }
  }
  if ('hops' in client) {
    return (connection, header) => parsed(forwarded(header).at(-client.hops)) ?? parsed(connection)
  }
  const proxies = client.proxies.map((text) => rangeOf(text, 'client.proxies'))
  return (connection, header) => {
    let last = parsed(connection)
    for (const entry of forwarded(header).toReversed()) {
      if (!last || !isWithin(last, proxies)) return last
      const before = parsed(entry)
      if (!before) return last
      last = before
    }
    return last
  }
}

/**
 * Returns the address of the connection. It is unknown if an unnamed proxy nearby forwards requests: otherwise all
 * clients would share the address of the proxy.
 */
function unproxied(connection: string | undefined, header: GetHeader): Address | undefined {
  const sender = parsed(connection)
  return sender && isForwarded(header) && NEAR.includes(sender.range()) ? undefined : sender
}

/** The ranges that proxies of a site usually have. */
const NEAR: readonly string[] = [
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
]

/** Returns the client of the last proxy in the header `Forwarded` (RFC 7239 section 4). Others may be those of the client. */
function forOf(list: string | null | undefined): string | undefined {
  const last = list?.slice(-LONGEST_LIST).split(',').at(-1) ?? ''
  return last
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => /^for=/i.test(pair))
    ?.slice('for='.length)
}

/** Returns the last entries of the header. Several lines of it arrive as one. */
function forwarded(header: GetHeader): string[] {
  const list = (header('x-forwarded-for') ?? '').slice(-LONGEST_LIST)
  return list === '' ? [] : list.split(',').slice(-MOST_ENTRIES)
}

/** The largest number of parsed entries in the cache. */
const MOST_PARSED = 1024
/** Parsed entries by their text, since the requests of one client have the same text. */
const known = new Map<string, Address | undefined>()

/** Parses an address in any spelling: with a port, in brackets, with a zone, IPv4 within IPv6. */
function parsed(entry: string | null | undefined): Address | undefined {
  if (!entry || entry.length > LONGEST_ENTRY) return undefined
  if (known.has(entry)) return known.get(entry)
  if (known.size >= MOST_PARSED) known.clear()
  const address = parse(entry)
  known.set(entry, address)
  return address
}

function parse(entry: string): Address | undefined {
  const text = entry.trim().replaceAll('"', '')
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
  const plain = bracketed ?? (/^[\d.]+:\d{1,5}$/.test(text) ? text.split(':')[0] : text) ?? ''
  const [zoneless = ''] = plain.split('%')
  // Some parsers read numbers in other bases as addresses, and others do not.
  if (!zoneless.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(zoneless)) return undefined
  return ipaddr.isValid(zoneless) ? ipaddr.process(zoneless) : undefined
}

function networks(address: Address): Networks {
  if (address.kind() === 'ipv4') return { own: address.toString(), wide: undefined }
  return { own: prefix(address as Ipaddr.IPv6, 64), wide: prefix(address as Ipaddr.IPv6, 48) }
}

function prefix(address: Ipaddr.IPv6, bits: number): string {
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${bits}`)
  return `${network.toRFC5952String()}/${bits}`
}

function isWithin(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some((range) => address.kind() === range[0].kind() && address.match(range))
}

function rangeOf(text: string, option: string): Range {
  const asRange = ipaddr.isValid(text)
    ? `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`
    : text
  if (ipaddr.isValidCIDR(asRange)) return ipaddr.parseCIDR(asRange)
  throw optionError(
    `limits(): \`${option}\` must have addresses or networks, for example 10.0.0.0/8, got ${JSON.stringify(text.slice(0, 60))}`,
    'limits',
  )
}
