import { excerpt } from '../../base/encoding/excerpt.ts'
import type { Arrived, HeaderReader } from '../pending-request.ts'

/**
 * Returns the origin at which a browser shows the site, if it differs from the origin that the site uses; otherwise
 * `undefined`.
 *
 * Only the `Origin` of a request from a page of the site itself counts (Fetch Metadata, `Sec-Fetch-Site`).
 */
export function shownElsewhere(headers: HeaderReader, origin: string): string | undefined {
  const shown = headers.get('origin')
  const isOwn = headers.get('sec-fetch-site') === 'same-origin'
  return isOwn && shown && shown !== 'null' && shown !== origin ? shown : undefined
}

/** Returns the warning. Anybody can send such a request, so it does not recommend the value to set. */
export function addressUnlike(shown: string, origin: string): string {
  return `browsers show this site at ${JSON.stringify(excerpt(shown))}, but the site uses ${origin}, so forms may be rejected and links may be wrong; set AUTH_URL to the URL that visitors use, or have the proxy forward its host and protocol`
}

/** Headers that proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'via']

/** Returns whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/**
 * Returns the origin of a request that came to this machine without a proxy, if it differs from the origin that the
 * site uses; otherwise `undefined`.
 */
export function requestedElsewhere({ url, headers }: Arrived, origin: string): string | undefined {
  if (url.startsWith(`${origin}/`)) return undefined
  const requested = new URL(url)
  const isDirect = FORWARDED.every((name) => !headers.has(name))
  return isDirect && isLoopback(requested.hostname) && requested.origin !== origin
    ? requested.origin
    : undefined
}

/** Returns the warning. */
export function differentAddress(requested: string, origin: string): string {
  return `a request came to ${requested}, but the site uses ${origin} (AUTH_URL) for links, redirects and cookies; for development, set AUTH_URL=${requested}, or let the development server that forwards requests keep the header Host`
}
