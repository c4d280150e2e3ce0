const address = Symbol.for('latchkey.client-address')

/** A request whose sender is known. */
type Addressed = Request & { [address]?: string | undefined }

/**
 * Notes from which address a request came: what the server's connection says, and never a header that
 * anybody can send. Returns the same request.
 *
 * @param from an IP address; nothing is noted without one.
 */
export function withClientAddress(request: Request, from: string | undefined): Request {
  if (from !== undefined) (request as Addressed)[address] = from
  return request
}

/** From which address a request came, if the server said so. */
export function clientAddress(request: Request): string | undefined {
  return (request as Addressed)[address]
}

/** A request that stands for another one came from where that did. Returns the one that stands for it. */
export function sentBySame(request: Request, original: Request): Request {
  return withClientAddress(request, clientAddress(original))
}
