import type { IncomingHttpHeaders } from 'node:http'
import { isHost } from '../options.ts'

/** Why a request is refused: its address cannot be read, or its host is not one of the service. */
export type OriginRefusal = 'unusable' | 'unknown'

/** A public origin, such as `https://login.example.com:8443`, and its host with the port, `login.example.com:8443`. */
export interface PublicOrigin {
  readonly origin: string
  readonly host: string
}

/** Returns the public origin of a request. */
export type OriginRule = (
  headers: IncomingHttpHeaders,
) => PublicOrigin | { readonly refused: OriginRefusal }

/**
 * Returns the rule for a configured origin, which ignores the headers of the request.
 *
 * @param origin in the form of the URL parser.
 */
export function fixedOrigin(origin: string): OriginRule {
  const answer = { origin, host: new URL(origin).host }
  return () => answer
}

/**
 * Returns the rule that reads the origin from the headers of the proxy or the browser. A header counts only if it names
 * exactly one host or scheme; a list means that a client has added a value.
 *
 * @param hosts the accepted hosts in lower case; `true` for all.
 */
export function trustedOrigin(hosts: true | readonly string[]): OriginRule {
  return (headers) => {
    const host = String(headers['x-forwarded-host'] ?? headers.host ?? '').toLowerCase()
    const scheme = String(headers['x-forwarded-proto'] ?? 'http').toLowerCase()
    if (!isHost(host) || (scheme !== 'http' && scheme !== 'https')) return { refused: 'unusable' }
    const url = new URL(`${scheme}://${host}`)
    if (hosts !== true && !hosts.includes(host) && !hosts.includes(url.host))
      return { refused: 'unknown' }
    return { origin: url.origin, host: url.host }
  }
}
