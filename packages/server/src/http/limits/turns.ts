import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Maximum number of waiting requests on one connection. Browsers, and almost all proxies, send a request only after the
 * answer to the previous one.
 */
const MOST_WAITING = 127

/** Maximum number of characters in the headers of waiting requests: four times the limit for one request. */
const LONGEST_WAITING = 256 * 1024

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Number of characters in the headers. */
  readonly length: number
}

/** The requests of one connection. */
interface Line {
  /** The answer that is not finished yet. */
  response: ServerResponse
  readonly waiting: Waiting[]
  /** Number of characters in the headers of all waiting requests. */
  length: number
  /**
   * Whether more requests arrived than may wait. They get no answer, and the connection is closed after the last
   * waiting request.
   */
  isFull: boolean
}

/** Handles one request of each connection at a time. */
export interface Turns {
  readonly listener: RequestListener
  /** From now on, closes each connection after the answer to its last request. */
  end(): void
}

/**
 * Returns a listener that passes on one request of each connection at a time, in the order of their arrival (RFC 9112
 * section 9.3.2). A connection that sends a thousand requests at once gets no more time than any other.
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

/** Closes the connection after this answer if no request waits. */
function closeAfter({ response, waiting }: Line): void {
  if (waiting.length === 0 && !response.headersSent) response.setHeader('connection', 'close')
}
