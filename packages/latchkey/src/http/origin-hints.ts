import type { HeaderReader } from './pending-request.ts'

/** What Fetch Metadata says of a request that another site has no part in. An unknown word counts as another. */
const sameSite: ReadonlySet<string> = new Set(['same-origin', 'same-site', 'none'])

/**
 * Does the browser say that another site sent this request?
 *
 * Looks at `Sec-Fetch-Site` (Fetch Metadata) and, where it is missing, at `Origin`. A client that
 * sends neither is no browser of a victim; it still needs the CSRF token.
 */
export function isCrossSite(headers: HeaderReader, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return !sameSite.has(site)
  const sender = headers.get('origin')
  if (!sender || sender === 'null') return false
  // The scheme is left out: behind a proxy that ends TLS we may see another one than the browser.
  return !URL.canParse(sender) || new URL(sender).hostname !== new URL(origin).hostname
}

/**
 * The same for what signs a visitor in or out by the cookies alone: a neighbour, another host of the same
 * site, is no page of ours either, nor is a sender that hides who it is, a frame in a sandbox say.
 */
export function isFromElsewhere(headers: HeaderReader, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  const isHidden = !site && headers.get('origin') === 'null'
  return site === 'same-site' || isHidden || isCrossSite(headers, origin)
}

/**
 * Returns whether the browser says that a page of this very origin sent the request, or says nothing at all:
 * for what only our own pages send.
 */
export function isFromOwnPage(headers: HeaderReader, origin: string): boolean {
  return headers.get('sec-fetch-site') !== 'none' && !isFromElsewhere(headers, origin)
}

/** Is this request made ahead of a person's click (Fetch, `Sec-Purpose`)? */
export function isPrefetch(headers: HeaderReader): boolean {
  return ['sec-purpose', 'purpose', 'x-moz'].some((name) =>
    headers.get(name)?.toLowerCase().startsWith('prefetch'),
  )
}

/**
 * Is this request made by the router of Next.js, for data? It follows a redirect to a page, shows
 * nothing of it, and goes there once more if the visitor does.
 */
export function isRouterRequest(headers: HeaderReader): boolean {
  return headers.has('rsc')
}
