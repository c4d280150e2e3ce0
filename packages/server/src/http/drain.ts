import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

/** How long a server takes to end. */
export interface DrainTimes {
  /** Seconds in which connections are still accepted. */
  readonly delay: number
  /** Seconds after which everything that is still open is cut off, counted from the beginning. */
  readonly timeout: number
}

/** Milliseconds in which connections are accepted in any case: requests are on their way to us. */
const ON_THE_WAY = 300
/** Milliseconds in which whoever was just let in sends the request. */
const GRACE = 300
/** The most connections that can wait to be accepted, unless `listen` is given another number. */
const BACKLOG = 511

/**
 * Goes on for a while, stops accepting connections, and waits for open requests.
 *
 * @returns whether every request could end within the time.
 */
export async function drainServer(
  server: Server,
  { delay, timeout }: DrainTimes,
): Promise<boolean> {
  const end = performance.now() + timeout * 1000
  // A connection that waits to be accepted is reset by the close, and so is what was sent through it.
  await pause(Math.min(Math.max(delay * 1000, ON_THE_WAY), timeout * 1000))
  return closeServer(server, end)
}

/** Lets in the connections that wait. On Unix, the event loop accepts one of them in each turn. */
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
  // Whoever waits to be let in is let in first; and whoever is in may not have asked yet, so that the
  // closing of an HTTP server, which cuts off who asks for nothing, comes later.
  await letIn(server, end)
  NetServer.prototype.close.call(server)
  const closing = performance.now()
  const closeIdle = async (): Promise<void> => {
    if (performance.now() - closing < GRACE) return
    // After a turn in which this process was slow, timers run before what has arrived is read.
    await turn()
    await turn()
    server.closeIdleConnections()
  }
  // A connection that is kept alive becomes idle when its last request ends.
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
