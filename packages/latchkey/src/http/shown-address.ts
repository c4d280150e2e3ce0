import { excerpt } from '../encoding/excerpt.ts'

/**
 * The origin under which a browser shows the site, where that is another one than the site takes for
 * its own; `undefined` while nothing says so.
 *
 * Told by requests that a page of the site itself sent (Fetch Metadata, `Sec-Fetch-Site`), in `Origin`.
 */
export function shownElsewhere(headers: Headers, origin: string): string | undefined {
  const shown = headers.get('origin')
  const isOwn = headers.get('sec-fetch-site') === 'same-origin'
  return isOwn && shown && shown !== 'null' && shown !== origin ? shown : undefined
}

/** What the operator is told of it, once. Anybody can make such a request, so it is no advice what to set. */
export function addressUnlike(shown: string, origin: string): string {
  return `a page of this site says that its address is ${JSON.stringify(excerpt(shown))}, but the site takes ${origin} for its own, so forms may be refused and visitors led astray; set AUTH_URL to the address that visitors see, or have the proxy send it along`
}
