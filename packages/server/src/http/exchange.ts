import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../observe/log.ts'
import { isBrokenOff, noteBrokenOff } from './broken-off.ts'
import { reasonOfEnd } from './slow-clients.ts'

/** What is said about a request once it is answered. */
export interface Exchange {
  readonly id: string
  readonly method: string
  /** Never with a query; segments that could be a secret are left out. */
  readonly path: string
  /** Whether the request named the host that it is answered for. */
  ownHost: boolean
  /** What it was about: an action of the library, or the name of a page. */
  outcome: string
  /** The public error code that the visitor is shown, if any. */
  error?: string
}

const LONGEST_SEGMENT = 24
/** A shorter one with a digit in it may be a token, too, if it has as many characters as this. */
const SHORTEST_TOKEN = 16
const TOKEN = RegExp(`^(?=.*\\d).{${SHORTEST_TOKEN},}$`)
const LONGEST_PATH = 120

/** Notes that a request failed. One that was broken off has its line as it is, and is no fault of ours. */
export function failed(exchange: Exchange, thrown: unknown, log: Log): void {
  exchange.outcome = 'failed'
  if (isBrokenOff(thrown)) return
  log.error({ id: exchange.id, error: thrown }, 'request failed')
}

/** Follows a request until its connection is done with it, and logs one line. */
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

/** A path as it may be logged: nothing long enough to be a token, and not much of it. */
export function loggablePath(path: string): string {
  if (path.length < SHORTEST_TOKEN) return path
  const short = path
    .split('/')
    .map((segment) => (segment.length > LONGEST_SEGMENT || TOKEN.test(segment) ? '…' : segment))
    .join('/')
  return short.length > LONGEST_PATH ? `${short.slice(0, LONGEST_PATH)}…` : short
}
