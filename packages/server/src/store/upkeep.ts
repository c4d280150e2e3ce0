import type { Latchkey } from 'latchkey'
import type { Log } from '../observe/log.ts'

/** Interval in milliseconds. */
const INTERVAL = 60_000

/**
 * Runs the clean-up of plugins every minute. Only one instance at a time does this.
 *
 * @returns a function that stops it.
 */
export function startUpkeep(
  auth: Pick<Latchkey, 'maintain'>,
  log: Log,
  { interval = INTERVAL }: { readonly interval?: number } = {},
): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= auth
      .maintain()
      .catch((error: unknown) => {
        log.warn({ error }, 'plugins could not clean up; the next cleanup tries again')
      })
      .finally(() => {
        running = undefined
      })
  }, interval).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
