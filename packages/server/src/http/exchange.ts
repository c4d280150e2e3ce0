import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../observe/log.ts'
import { isBrokenOff, noteBrokenOff } from './broken-off.ts'
import { reasonOfEnd } from './limits/slow-clients.ts'

/** What the log says about a request. */
export interface Exchange {
  readonly id: string
  readonly method: string
  /** Without the query, and without segments that could be a secret. */
  readonly path: string
  /** Whether the request named the host of the public origin. */
  ownHost: boolean
  /** The action of the library, or the name of a page. */
  outcome: string
  /** The public error code on the page for the visitor, if any. */
  error?: string
}

const LONGEST_SEGMENT = 24
/** A shorter segment that has a digit may also be a token if it has at least this many characters. */
const SHORTEST_TOKEN = 16
const TOKEN = RegExp(`^(?=.*\\d).{${SHORTEST_TOKEN},}$`)
const LONGEST_PATH = 120

/**
 * Logs that a request failed. If the client closed the connection, the line of the request is enough, since the service
 * did not fail.
 */
export function failed(exchange: Exchange, thrown: unknown, log: Log): void {
  exchange.outcome = 'failed'
  if (isBrokenOff(thrown)) return
  log.error({ id: exchange.id, error: thrown }, 'request failed')
}

/** Waits until the answer is sent or the connection is closed, and logs one line. */
export function follow(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  log: Log,
): Exchange {
  const begun = performance.now()
  const exchange: Exchange = {
    id: randomUUID(),
    method: request.method ?? '',
    path: loggablePath(path),
    ownHost: true,
    outcome: 'none',
  }
  noteBrokenOff(request)
  response.on('close', () => {
    const { id, method, path, outcome, error } = exchange
    const status = response.statusCode
    const line = {
      id,
      method,
      path,
      status,
      outcome: response.writableFinished ? outcome : (reasonOfEnd(response) ?? 'aborted'),
      ...(error !== undefined && { error }),
      ms: Math.round((performance.now() - begun) * 10) / 10,
    }
    if (status >= 500) log.requests.error(line, 'request')
    else log.requests.info(line, 'request')
  })
  return exchange
}

/** Returns a path for the log: shortened, and without segments that may be a token. */
export function loggablePath(path: string): string {
  if (path.length < SHORTEST_TOKEN) return path
  const short = path
    .split('/')
    .map((segment) => (segment.length > LONGEST_SEGMENT || TOKEN.test(segment) ? '…' : segment))
    .join('/')
  return short.length > LONGEST_PATH ? `${short.slice(0, LONGEST_PATH)}…` : short
}
