import { excerpt } from '../encoding/excerpt.ts'
import type { Arrived, HeaderReader } from './pending-request.ts'

/**
 * The origin under which a browser shows the site, where that is another one than the site takes for
 * its own; `undefined` while nothing says so.
 *
 * Told by requests that a page of the site itself sent (Fetch Metadata, `Sec-Fetch-Site`), in `Origin`.
 */
export function shownElsewhere(headers: HeaderReader, origin: string): string | undefined {
  const shown = headers.get('origin')
  const isOwn = headers.get('sec-fetch-site') === 'same-origin'
  return isOwn && shown && shown !== 'null' && shown !== origin ? shown : undefined
}

/** What the operator is told of it, once. Anybody can make such a request, so it is no advice what to set. */
export function addressUnlike(shown: string, origin: string): string {
  return `a page of this site says that its address is ${JSON.stringify(excerpt(shown))}, but the site takes ${origin} for its own, so forms may be refused and links may be wrong; set AUTH_URL to the address that visitors see, or have the proxy send it along`
}

/** Headers by which proxies say that they stand in front. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'via']

/** Returns whether a host is this machine, as people and tools write it. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/**
 * Returns the origin on this machine that a request came to without a proxy, if it is not the one that the site
 * takes for its own; else `undefined`.
 */
export function askedElsewhere({ url, headers }: Arrived, origin: string): string | undefined {
  if (url.startsWith(`${origin}/`)) return undefined
  const asked = new URL(url)
  const isDirect = FORWARDED.every((name) => !headers.has(name))
  return isDirect && isLoopback(asked.hostname) && asked.origin !== origin
    ? asked.origin
    : undefined
}

/** What the operator is told of it, once. */
export function notAsked(asked: string, origin: string): string {
  return `a request came to ${asked}, but the address of the site is ${origin}: links, redirects and cookies are made for the latter; while you develop, set AUTH_URL=${asked}`
}
