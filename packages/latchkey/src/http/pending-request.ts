/** Headers that are read by name, in lower case. */
export type HeaderReader = Pick<Headers, 'get' | 'has'>

/** A request whose `Request` is made on first use: most answers need only what is here. */
export class PendingRequest {
  readonly method: string
  /** Absolute and normalized, as that of a `Request`. */
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

/** A request as it arrives at the core. */
export type Arrived = Request | PendingRequest

/** Returns the request as one of the web. */
export function requestOf(arrived: Arrived): Request {
  return arrived instanceof PendingRequest ? arrived.original : arrived
}
