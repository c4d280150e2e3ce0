/** Headers that are read by name, in lower case. */
export type HeaderReader = Pick<Headers, 'get' | 'has'>

/** A request that creates its `Request` on first use, since most responses do not need one. */
export class PendingRequest {
  readonly method: string
  /** The absolute and normalized URL, as in a `Request`. */
  readonly url: string
  readonly headers: HeaderReader
  readonly #make: () => Request
  #original: Request | undefined

  constructor(method: string, url: string, headers: HeaderReader, make: () => Request) {
    this.method = method
    this.url = url
    this.headers = headers
    this.#make = make
  }

  get original(): Request {
    this.#original ??= this.#make()
    return this.#original
  }
}

/** A request that the core receives. */
export type Arrived = Request | PendingRequest

/** Returns the web `Request`. */
export function requestOf(arrived: Arrived): Request {
  return arrived instanceof PendingRequest ? arrived.original : arrived
}
