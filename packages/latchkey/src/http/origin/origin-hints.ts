import type { HeaderReader } from '../pending-request.ts'

/** The values of `Sec-Fetch-Site` for requests without another site. Unknown values count as another site. */
const sameSite: ReadonlySet<string> = new Set(['same-origin', 'same-site', 'none'])

/**
 * Returns whether the browser reports that another site sent the request.
 *
 * Checks `Sec-Fetch-Site` (Fetch Metadata), or `Origin` without it. A client that sends neither is not the browser of a
 * victim; it still needs the CSRF token.
 */
export function isCrossSite(headers: HeaderReader, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return !sameSite.has(site)
  const sender = headers.get('origin')
  if (!sender || sender === 'null') return false
  // Without the scheme, which may differ from the browser's behind a proxy that terminates TLS.
  return !URL.canParse(sender) || new URL(sender).hostname !== new URL(origin).hostname
}

/**
 * A stricter check for requests that sign in or out only by cookies: also true for another host of the same site, and
 * for an opaque origin, for example of a sandboxed frame.
 */
export function isFromElsewhere(headers: HeaderReader, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  const isHidden = !site && headers.get('origin') === 'null'
  return site === 'same-site' || isHidden || isCrossSite(headers, origin)
}

/**
 * Returns whether a page of this origin sent the request, or the browser reports nothing. For requests that only the
 * built-in pages send.
 */
export function isFromOwnPage(headers: HeaderReader, origin: string): boolean {
  return headers.get('sec-fetch-site') !== 'none' && !isFromElsewhere(headers, origin)
}

/**
 * Returns whether a page of this origin has the link that was followed. Unlike a form, a link needs no token, so an address that
 * was typed or came in a mail does not count either. Without `Sec-Fetch-Site`, `Referer` decides.
 */
export function isLinkOfOwnPage(headers: HeaderReader, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const sender = headers.get('referer')
  // Without the scheme, as above.
  return sender !== null && URL.canParse(sender) && new URL(sender).host === new URL(origin).host
}

/** Returns whether the browser will show the response as a page, and says so (Fetch Metadata). */
export function isPageVisit(headers: HeaderReader): boolean {
  return (
    headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  )
}

/** Returns whether the request is a prefetch before a click (Fetch, `Sec-Purpose`). */
export function isPrefetch(headers: HeaderReader): boolean {
  return ['sec-purpose', 'purpose', 'x-moz'].some((name) =>
    headers.get(name)?.toLowerCase().startsWith('prefetch'),
  )
}

/**
 * Returns whether the router of Next.js sent the request for data. It follows redirects without showing the page, and
 * requests the page again if the visitor opens it.
 */
export function isRouterRequest(headers: HeaderReader): boolean {
  return headers.has('rsc')
}
