import type { IncomingMessage } from 'node:http'

const errors = new WeakSet<object>()

/** Remembers the error with which reading the body fails when its sender goes away. */
export function noteBrokenOff(request: IncomingMessage): void {
  request.once('error', (error) => errors.add(error))
}

/** Is it the error itself? Its code is no sign: a database that hangs up gives the same. */
export function isBrokenOff(thrown: unknown): boolean {
  return errors.has(thrown as object)
}
