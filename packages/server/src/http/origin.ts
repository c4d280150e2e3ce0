import type { IncomingHttpHeaders } from 'node:http'
import { isHost } from '../options.ts'

/** Why a request is refused: its address cannot be read, or its host is not one of the service. */
export type OriginRefusal = 'unusable' | 'unknown'

/** Returns the public origin of a request, such as `https://login.example.com`. */
export type OriginRule = (
  headers: IncomingHttpHeaders,
) => { readonly origin: string } | { readonly refused: OriginRefusal }

/** Returns the rule for a configured origin, which ignores the headers of the request. */
export function fixedOrigin(origin: string): OriginRule {
  const answer = { origin }
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
    const { origin, host: plain } = new URL(`${scheme}://${host}`)
    if (hosts !== true && !hosts.includes(host) && !hosts.includes(plain))
      return { refused: 'unknown' }
    return { origin }
  }
}
