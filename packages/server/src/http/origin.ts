import type { IncomingHttpHeaders } from 'node:http'
import { isHost } from '../options.ts'

/** Why a request does not belong here. */
export type OriginRefusal = 'unusable' | 'unknown'

/** The public origin of a request, such as `https://login.example.com`. */
export type OriginRule = (
  headers: IncomingHttpHeaders,
) => { readonly origin: string } | { readonly refused: OriginRefusal }

/** A configured origin: whatever the request says of itself does not matter. */
export function fixedOrigin(origin: string): OriginRule {
  const answer = { origin }
  return () => answer
}

/**
 * The origin that the proxy in front, or the browser, names. Each header counts only if it names
 * exactly one host or scheme: a list means that somebody else has put something in.
 *
 * @param hosts the ones that are answered, in lower case; `true` for all.
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
