/**
 * The site's own address as browsers see it.
 *
 * @param configured wins over whatever a request says.
 * @param trustsHeaders may a proxy in front say what the browser asked for?
 */
export function publicOrigin(
  request: Request,
  configured: string | undefined,
  trustsHeaders: boolean,
): string {
  if (configured !== undefined) return configured
  const own = new URL(request.url).origin
  if (!trustsHeaders) return own
  const host = first(request.headers.get('x-forwarded-host'))
  const scheme = first(request.headers.get('x-forwarded-proto'))
  if (!host && !scheme) return own
  const [ownScheme, ownHost] = own.split('://')
  const origin = `${scheme ?? ownScheme}://${host ?? ownHost}`
  // A header that makes no address is not worth more than what the runtime saw.
  return URL.canParse(origin) && /^https?:/.test(origin) ? new URL(origin).origin : own
}

function first(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

/** The request as if it had been sent to that address. */
export function atOrigin(request: Request, origin: string): Request {
  const url = new URL(request.url)
  if (url.origin === origin) return request
  return new Request(origin + url.pathname + url.search, request)
}
