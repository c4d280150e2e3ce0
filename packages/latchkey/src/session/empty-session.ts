import type { Logger } from '../options/redacting-logger.ts'

const told = new WeakSet<Logger>()

/** Warns, once for each configuration, that the `session` callback returned `undefined`, so that nobody is signed in. */
export function warnOfEmptySession(logger: Logger): void {
  if (told.has(logger)) return
  told.add(logger)
  logger.warn('session-missing', '`callbacks.session` returned undefined; return the session')
}
