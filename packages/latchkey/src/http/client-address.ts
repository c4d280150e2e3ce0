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

/** Copies the address of the client to a request that replaces another one, and returns that request. */
export function sentBySame(request: Request, original: Request): Request {
  return withClientAddress(request, clientAddress(original))
}
