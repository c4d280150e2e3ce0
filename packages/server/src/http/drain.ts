import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

/** Times of a shutdown. */
export interface DrainTimes {
  /** Seconds in which connections are still accepted. */
  readonly delay: number
  /** Seconds until open connections are closed, counted from the beginning. */
  readonly timeout: number
}

/** Minimum time in milliseconds in which connections are still accepted, since clients have already sent requests. */
const ON_THE_WAY = 300
/** Milliseconds that a new connection has to send its request. */
const GRACE = 300
/** Maximum number of connections that can wait to be accepted, unless `listen` is called with another number. */
const BACKLOG = 511

/**
 * Accepts connections for some time, then closes the server and waits for open requests.
 *
 * @returns whether all requests ended within the time.
 */
export async function drainServer(
  server: Server,
  { delay, timeout }: DrainTimes,
): Promise<boolean> {
  const end = performance.now() + timeout * 1000
  // The close resets connections that wait to be accepted, and the data that was sent through them is lost.
  await pause(Math.min(Math.max(delay * 1000, ON_THE_WAY), timeout * 1000))
  return closeServer(server, end)
}

/** Accepts the connections that wait. On Unix, the event loop accepts one of them in each turn. */
async function letIn(server: Server, end: number): Promise<void> {
  let found = true
  const find = (): void => void (found = true)
  server.on('connection', find)
  for (let turns = 0; turns < BACKLOG && found && performance.now() < end; turns++) {
    found = false
    await turn()
  }
  server.off('connection', find)
}

async function closeServer(server: Server, end: number): Promise<boolean> {
  let inTime = true
  const closed = once(server, 'close')
  // Waiting connections are accepted first. An accepted connection may not have sent its request yet, so only the
  // network server is closed here; an HTTP server would also close connections without a request.
  await letIn(server, end)
  NetServer.prototype.close.call(server)
  const closing = performance.now()
  const closeIdle = async (): Promise<void> => {
    if (performance.now() - closing < GRACE) return
    // After a turn in which the process was slow, timers run before received data is read.
    await turn()
    await turn()
    server.closeIdleConnections()
  }
  // A connection with keep-alive becomes idle when its last request ends.
  const sweep = setInterval(() => void closeIdle(), 50)
  const cut = setTimeout(
    () => {
      inTime = false
      server.closeAllConnections()
    },
    Math.max(0, end - performance.now()),
  )
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
  return inTime
}
