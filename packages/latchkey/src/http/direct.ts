import type { PendingRequest } from './pending-request.ts'

/** An answer that a server can write as it is. */
export interface PlainAnswer {
  readonly status: number
  /** By their lower-case names; without cookies. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of `Set-Cookie`. */
  readonly cookies: readonly string[]
  readonly body: string | null
}

/** An answer, and the public error code if it leads to a page that shows one. */
export interface DirectAnswer {
  /** A `Response` for bytes, and if only that class can tell whether the answer may be sent, and how. */
  readonly answer: PlainAnswer | Response
  readonly error?: string | undefined
}

/** Answers a request without a body. */
export type DirectHandler = (request: PendingRequest) => Promise<DirectAnswer>

const handlers = new WeakMap<object, DirectHandler>()

/** Notes that a handler has a direct way, which gives the same answers without the classes of the web. */
export function offerDirect(handler: object, direct: DirectHandler): void {
  handlers.set(handler, direct)
}

/** Returns the direct way of a handler, if it has one. */
export function directOf(handler: object): DirectHandler | undefined {
  return handlers.get(handler)
}
