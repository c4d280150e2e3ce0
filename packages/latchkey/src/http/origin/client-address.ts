const address = Symbol.for('latchkey.client-address')

/** A request with the address of its client. */
type Addressed = Request & { [address]?: string | undefined }

/**
 * Stores the address of the client with a request, and returns the same request. The address comes from the connection
 * of the server, never from a header that anybody can send.
 *
 * @param from an IP address; without it, nothing is stored.
 */
export function withClientAddress(request: Request, from: string | undefined): Request {
  if (from !== undefined) (request as Addressed)[address] = from
  return request
}

/** Returns the address of the client, if the server has stored it. */
export function clientAddress(request: Request): string | undefined {
  return (request as Addressed)[address]
}

/**
 * Returns the address of the client if no proxies are configured; `undefined` if a proxy in a local network forwards
 * requests, since the address would be that of the proxy.
 */
export function unproxiedAddress(request: Request): string | undefined {
  const from = clientAddress(request)
  const isProxied = isForwarded((name) => request.headers.get(name))
  return from !== undefined && isProxied && isNear(from) ? undefined : from
}

/** Headers of proxies. Many proxies send only one of them. */
const OF_PROXIES = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-forwarded-proto',
  'x-forwarded-host',
  'via',
]

/** Returns whether a header shows that a proxy forwarded the request. */
export function isForwarded(header: (name: string) => string | null | undefined): boolean {
  return OF_PROXIES.some((name) => typeof header(name) === 'string')
}

/** Networks that proxies of a site use: loopback, private, link-local and carrier-grade NAT. */
const NEAR =
  /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:::1$|fe[89ab]|f[cd])/

function isNear(address: string): boolean {
  return NEAR.test(address.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, ''))
}

/** Copies the address of the client to a request that replaces another one, and returns that request. */
export function sentBySame(request: Request, original: Request): Request {
  return withClientAddress(request, clientAddress(original))
}
