import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Minimum rate of a request body in bytes per second, after the grace period. */
const LEAST_RATE = 500

/** Time limits for slow clients, in milliseconds. */
export interface Patience {
  /** Before a body must arrive at the minimum rate. */
  readonly grace: number
  /** For a client that reads nothing of an answer. */
  readonly answer: number
  /** Interval between two checks of all requests. */
  readonly check: number
}

/** A request whose body has not fully arrived, or whose answer has not fully been read. */
interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes that the connection had received when the request began. */
  readonly bytesBefore: number
  /** Milliseconds in which the service was ready to receive the body. */
  waited: number
  isAnswering: boolean
}

const reasons = new WeakMap<ServerResponse, string>()

/** Returns the reason for which the service closed the connection of an answer, as a short code for the log. */
export function reasonOfEnd(response: ServerResponse): string | undefined {
  return reasons.get(response)
}

/**
 * Closes connections of slow clients: with 408 if a body takes longer than the grace period and one second for each 500
 * bytes, and without an answer if the client reads nothing of the answer for some time.
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
      // Node.js measures the time since the client last read a part of the answer.
      response.setTimeout(answer, () => {
        reasons.set(response, 'slow-reader')
        socket.destroy()
      })
    }
    // If the service has not read the received data, the client is not slow.
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

/** Refuses a request whose body arrives too slowly. If it has an answer already, the connection is only closed. */
function end({ request: { socket }, response }: Pending): void {
  reasons.set(response, 'slow-body')
  // An answer without a socket waits for the previous answer, and must not be written into the middle of that.
  if (!response.headersSent && response.socket) {
    response.statusCode = 408
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  }
  socket.destroySoon()
}
