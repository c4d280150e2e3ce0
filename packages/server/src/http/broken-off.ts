import type { IncomingMessage } from 'node:http'

const errors = new WeakSet<object>()

/** Remembers the error of a request body whose sender closed the connection. */
export function noteBrokenOff(request: IncomingMessage): void {
  request.once('error', (error) => errors.add(error))
}

/**
 * Whether this is that error. It compares objects, since a database that closes the connection causes the same code.
 */
export function isBrokenOff(thrown: unknown): boolean {
  return errors.has(thrown as object)
}
