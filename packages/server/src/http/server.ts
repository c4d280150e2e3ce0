import { createServer, type Server } from 'node:http'
import type { Log } from '../observe/log.ts'
import { limitNetworks } from './network-limit.ts'
import { guardAgainstSlowClients, type Patience } from './slow-clients.ts'

/** Longest line of headers that is read, in bytes: long sessions are spread over several cookies. */
const LONGEST_HEADERS = 64 * 1024

/** Most requests of one connection. */
const MOST_REQUESTS = 10_000

/** Milliseconds in which refused connections are counted before they are logged again. */
const LOG_PAUSE = 60_000

/** Milliseconds that a client may take. */
export interface ServerTimes extends Patience {
  /** For the headers of a request. */
  readonly headers: number
  /** For a whole request. */
  readonly request: number
  /** Between two requests of a connection. */
  readonly idle: number
}

const TIMES: ServerTimes = {
  headers: 15_000,
  request: 60_000,
  // Longer than the minute of common balancers: none sends a request on a connection that is just closing.
  idle: 65_000,
  grace: 10_000,
  answer: 30_000,
  check: 1000,
}

/** How many connections there may be. */
export interface ConnectionLimits {
  /** A connection beyond them is accepted and closed. */
  readonly maxConnections: number
  /** Addresses and networks without a limit of their own. */
  readonly trustedProxies: readonly string[]
}

/** Creates the server of the service, with limits for connections and for slow clients. */
export function createLimitedServer(
  { maxConnections, trustedProxies }: ConnectionLimits,
  log: Log,
  times: ServerTimes = TIMES,
): Server {
  const server = createServer({
    maxHeaderSize: LONGEST_HEADERS,
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.idle,
    connectionsCheckingInterval: times.check,
  })
  server.maxRequestsPerSocket = MOST_REQUESTS
  server.maxConnections = maxConnections
  const logDrops = (message: string): (() => void) => dropCounter(server, log, message)
  server.on('drop', logDrops('too many connections'))
  limitNetworks(server, trustedProxies, logDrops('too many connections of one network'))
  guardAgainstSlowClients(server, times)
  return server
}

/**
 * Returns a function that counts connections that were closed since there are too many. The first is logged at once,
 * and then their number once a minute.
 */
function dropCounter(server: Server, log: Log, message: string): () => void {
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    timer = undefined
    if (dropped === 0) return
    log.warn({ dropped, maxConnections: server.maxConnections }, message)
    dropped = 0
    timer = setTimeout(tell, LOG_PAUSE).unref()
  }
  server.once('close', () => {
    clearTimeout(timer)
    tell()
    clearTimeout(timer)
  })
  return () => {
    dropped += 1
    if (!timer) tell()
  }
}
