import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests of one connection that wait for their turn, at most. No browser and hardly a proxy sends a
 * request before it has the answer to the one before.
 */
const MOST_WAITING = 127

/** Characters of their headers, at most: four times what one request may have. */
const LONGEST_WAITING = 256 * 1024

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Characters of its headers. */
  readonly length: number
}

/** The requests of one connection. */
interface Line {
  /** Under way: what is not answered yet, or whose answer is not sent yet. */
  response: ServerResponse
  readonly waiting: Waiting[]
  /** Characters of the headers of those that wait. */
  length: number
  /** More came than may wait: they are not answered, and the connection ends with the last that may. */
  isFull: boolean
}

/** One request of each connection at a time. */
export interface Turns {
  readonly listener: RequestListener
  /** From now on each connection ends with the answer to the last request that it sent. */
  end(): void
}

/**
 * Returns a listener that hands on one request of each connection at a time, in the order in which
 * they came (RFC 9112 section 9.3.2), so that a connection that sends a thousand at once is served
 * like any other one.
 */
export function createTurns(handle: RequestListener): Turns {
  const lines = new Map<Socket, Line>()
  let ending = false

  function begin(line: Line, request: IncomingMessage): void {
    const { response } = line
    if (ending || line.isFull) closeAfter(line)
    response.on('close', () => {
      const next = line.waiting.shift()
      if (!next || request.socket.destroyed) return void lines.delete(request.socket)
      line.length -= next.length
      line.response = next.response
      begin(line, next.request)
    })
    handle(request, response)
  }

  return {
    listener(request, response) {
      const line = lines.get(request.socket)
      if (!line) {
        const first: Line = { response, waiting: [], length: 0, isFull: false }
        lines.set(request.socket, first)
        begin(first, request)
        return
      }
      const length = request.rawHeaders.reduce((sum, part) => sum + part.length, 0)
      line.isFull ||= line.waiting.length === MOST_WAITING || line.length + length > LONGEST_WAITING
      if (line.isFull) return
      line.length += length
      line.waiting.push({ request, response, length })
    },
    end() {
      ending = true
      for (const line of lines.values()) closeAfter(line)
    },
  }
}

/** Lets the connection end with this answer, if no request waits behind it. */
function closeAfter({ response, waiting }: Line): void {
  if (waiting.length === 0 && !response.headersSent) response.setHeader('connection', 'close')
}
