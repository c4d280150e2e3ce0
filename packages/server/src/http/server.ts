import { createServer, type Server } from 'node:http'
import type { Log } from '../observe/log.ts'
import { limitNetworks } from './limits/network-limit.ts'
import { guardAgainstSlowClients, type Patience } from './limits/slow-clients.ts'

/** Maximum length of all headers in bytes: long sessions use several cookies. */
const LONGEST_HEADERS = 64 * 1024

/** Maximum number of requests on one connection. */
const MOST_REQUESTS = 10_000

/** Milliseconds between two log lines about refused connections. */
const LOG_PAUSE = 60_000

/** Time limits for clients, in milliseconds. */
export interface ServerTimes extends Patience {
  /** To send the headers of a request. */
  readonly headers: number
  /** To send a whole request. */
  readonly request: number
  /** Between two requests of a connection. */
  readonly idle: number
}

const TIMES: ServerTimes = {
  headers: 15_000,
  request: 60_000,
  // More than the 60 seconds of common load balancers, so that none sends a request on a connection that is being
  // closed.
  idle: 65_000,
  grace: 10_000,
  answer: 30_000,
  check: 1000,
}

/** Limits for the number of connections. */
export interface ConnectionLimits {
  /** The service closes further connections as soon as they are accepted. */
  readonly maxConnections: number
  /** Addresses and networks that have no limit of their own. */
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
 * Returns a function that counts the connections closed because of a limit. The first is logged immediately, then the
 * number once a minute.
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
