import type { PendingRequest } from './pending-request.ts'

/** A response that a server can write directly. */
export interface PlainAnswer {
  readonly status: number
  /** Headers by their lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of `Set-Cookie`. */
  readonly cookies: readonly string[]
  readonly body: string | null
}

/** A response, and the public error code if it redirects to an error page. */
export interface DirectAnswer {
  /** A `Response` if the body is binary, or if only that class can validate the response. */
  readonly answer: PlainAnswer | Response
  readonly error?: string | undefined
}

/** Handles a request without a body. */
export type DirectHandler = (request: PendingRequest) => Promise<DirectAnswer>

const handlers = new WeakMap<object, DirectHandler>()

/** Registers a direct handler, which returns the same responses without `Request` and `Response`. */
export function offerDirect(handler: object, direct: DirectHandler): void {
  handlers.set(handler, direct)
}

/** Returns the direct handler of a handler, if it has one. */
export function directOf(handler: object): DirectHandler | undefined {
  return handlers.get(handler)
}
