import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Bytes of a body that a client sends in a second at least, once the grace period is over. */
const LEAST_RATE = 500

/** Milliseconds that slow clients are given. */
export interface Patience {
  /** For a body, before it has to come at the minimum rate. */
  readonly grace: number
  /** For a client that takes nothing of an answer. */
  readonly answer: number
  /** Between two looks at all requests. */
  readonly check: number
}

/** A request whose body has not arrived, or whose answer has not been taken. */
interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What the connection had read when the request came. */
  readonly bytesBefore: number
  /** Milliseconds in which the body could have arrived. */
  waited: number
  isAnswering: boolean
}

const reasons = new WeakMap<ServerResponse, string>()

/** Returns why the connection of an answer was ended here, in a word for the log. */
export function reasonOfEnd(response: ServerResponse): string | undefined {
  return reasons.get(response)
}

/**
 * Ends connections whose clients are too slow: with 408 if a body takes longer than the grace period and a second
 * for each 500 bytes of it, and without an answer if nothing of an answer is taken for some time.
 */
export function guardAgainstSlowClients(server: Server, { grace, answer, check }: Patience): void {
  const all = new Set<Pending>()

  const look = (pending: Pending): void => {
    const { request, response } = pending
    const { socket } = request
    if (socket.destroyed || (request.complete && response.writableFinished)) {
      all.delete(pending)
      return
    }
    if (response.headersSent && !response.writableFinished && !pending.isAnswering) {
      pending.isAnswering = true
      // Node.js counts from the last time at which the client took a part of it.
      response.setTimeout(answer, () => {
        reasons.set(response, 'slow-reader')
        socket.destroy()
      })
    }
    // If it has not been read, that is no fault of the client.
    if (request.complete || request.readableLength >= request.readableHighWaterMark) return
    pending.waited += check
    const bytes = socket.bytesRead - pending.bytesBefore
    if (pending.waited > grace + (bytes * 1000) / LEAST_RATE) end(pending)
  }

  const timer = setInterval(() => {
    for (const pending of all) look(pending)
  }, check).unref()
  server.once('close', () => clearInterval(timer))

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const bytesBefore = request.socket.bytesRead
    const pending = { request, response, bytesBefore, waited: 0, isAnswering: false }
    all.add(pending)
    response.on('close', () => request.complete && all.delete(pending))
  }
  server.on('request', begin).on('checkContinue', begin)
}

/** Refuses a request whose body comes too slowly; whoever has been answered already is not told. */
function end({ request: { socket }, response }: Pending): void {
  reasons.set(response, 'slow-body')
  // An answer without a socket waits for the one before it, in whose middle this must not be.
  if (!response.headersSent && response.socket) {
    response.statusCode = 408
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  }
  socket.destroySoon()
}
