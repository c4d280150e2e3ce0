import type { Latchkey } from 'latchkey'
import type { Log } from '../observe/log.ts'

/** Milliseconds between two times. */
const INTERVAL = 60_000

/**
 * Has plugins clean up and repair, every minute; of several instances one does it at a time.
 *
 * @returns how to stop.
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
