import { type Arrived, PendingRequest } from '../pending-request.ts'
import { sentBySame } from './client-address.ts'
import { compileHosts } from './host-list.ts'

/**
 * Returns the public origin of the site.
 *
 * @param configured takes precedence over the request.
 * @param trustsHeaders whether the headers of a proxy determine the origin; with a list, only for these hosts.
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
  // If the headers form no valid URL, the URL of the request counts.
  if (!URL.canParse(origin) || !/^https?:/.test(origin)) return own
  const claimed = new URL(origin).origin
  return trustsHeaders === true || compileHosts(trustsHeaders)(claimed) ? claimed : own
}

/** Maximum length of a host name, a colon and a port (RFC 1035 section 2.3.4). */
const HOST_LIMIT = 253 + 6

function first(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

/** Returns the origin of a URL that is already normalized and absolute. */
function originOf({ url }: Pick<Arrived, 'url'>): string {
  return url.slice(0, url.indexOf('/', url.indexOf('://') + 3))
}

/** Returns the request with another origin in its URL. */
export function atOrigin(request: Request, origin: string): Request {
  const own = originOf(request)
  if (own === origin) return request
  return sentBySame(new Request(origin + request.url.slice(own.length), request), request)
}

/** The same for a pending request. */
export function pendingAtOrigin(request: PendingRequest, origin: string): PendingRequest {
  const { method, url, headers } = request
  const own = originOf(request)
  if (own === origin) return request
  const make = (): Request => atOrigin(request.original, origin)
  return new PendingRequest(method, origin + url.slice(own.length), headers, make)
}
