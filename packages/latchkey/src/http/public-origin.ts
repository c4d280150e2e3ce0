import { sentBySame } from './client-address.ts'
import { compileHosts } from './host-list.ts'
import { type Arrived, PendingRequest } from './pending-request.ts'

/**
 * The site's own address as browsers see it.
 *
 * @param configured wins over whatever a request says.
 * @param trustsHeaders may a proxy in front say what the browser asked for? With a list of hosts,
 *   only one of these.
 */
export function publicOrigin(
  request: Arrived,
  configured: string | undefined,
  trustsHeaders: boolean | readonly string[],
): string {
  if (configured !== undefined) return configured
  const own = originOf(request)
  if (!trustsHeaders) return own
  const host = first(request.headers.get('x-forwarded-host'))
  const scheme = first(request.headers.get('x-forwarded-proto'))
  if (!host && !scheme) return own
  if (host && host.length > HOST_LIMIT) return own
  const [ownScheme, ownHost] = own.split('://')
  const origin = `${scheme ?? ownScheme}://${host ?? ownHost}`
  // A header that makes no address is not worth more than what the runtime saw.
  if (!URL.canParse(origin) || !/^https?:/.test(origin)) return own
  const claimed = new URL(origin).origin
  return trustsHeaders === true || compileHosts(trustsHeaders)(claimed) ? claimed : own
}

/** Characters of the longest host name, a colon and a port (RFC 1035 section 2.3.4). */
const HOST_LIMIT = 253 + 6

function first(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

/** A request's URL is normalized and absolute already, so that its origin can be cut off. */
function originOf({ url }: Pick<Arrived, 'url'>): string {
  return url.slice(0, url.indexOf('/', url.indexOf('://') + 3))
}

/** The request as if it had been sent to that address. */
export function atOrigin(request: Request, origin: string): Request {
  const own = originOf(request)
  if (own === origin) return request
  return sentBySame(new Request(origin + request.url.slice(own.length), request), request)
}

/** The same of a request that is no `Request` yet. */
export function pendingAtOrigin(request: PendingRequest, origin: string): PendingRequest {
  const { method, url, headers } = request
  const own = originOf(request)
  if (own === origin) return request
  const make = (): Request => atOrigin(request.original, origin)
  return new PendingRequest(method, origin + url.slice(own.length), headers, make)
}
