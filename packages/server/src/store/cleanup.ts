import { type Adapter, atomic } from 'latchkey/adapters'
import type { Log } from '../observe/log.ts'

/** Milliseconds between two times. */
const INTERVAL = 10 * 60 * 1000
/** Records of a kind that are removed at once, so that nobody waits long for a lock. */
const BATCH = 500

/**
 * Removes what has expired, every ten minutes and soon after the start; of several instances one does
 * it at a time.
 *
 * @returns how to stop.
 */
export function startCleanup(
  adapter: Adapter,
  log: Log,
  { interval = INTERVAL }: { readonly interval?: number } = {},
): () => Promise<void> {
  const cleanup = adapter[atomic]?.cleanup
  if (!cleanup) return async () => {}
  let stopped = false
  let running: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    try {
      const removed = await removeExpired(adapter, interval, () => stopped)
      if (removed > 0) log.info({ removed }, 'removed expired entries')
    } catch (error) {
      log.warn({ error }, 'could not remove expired entries; the next cleanup tries again')
    }
  }
  const turn = (): void => {
    running ??= sweep().finally(() => {
      running = undefined
    })
  }
  const first = setTimeout(turn, Math.min(interval, 5000)).unref()
  const timer = setInterval(turn, interval).unref()
  return async () => {
    stopped = true
    clearTimeout(first)
    clearInterval(timer)
    await running
  }
}

/** @returns how many were removed; none when another instance is at it. */
async function removeExpired(
  adapter: Adapter,
  interval: number,
  stopped: () => boolean,
): Promise<number> {
  const abilities = adapter[atomic] ?? {}
  const now = new Date()
  const lease = { name: 'latchkey.cleanup', now, expires: new Date(now.getTime() + interval / 2) }
  if (abilities.acquireLease && (await abilities.acquireLease(lease)) === null) return 0
  let removed = 0
  for (;;) {
    if (stopped()) return removed
    const most = (await abilities.cleanup?.({ now, batch: BATCH })) ?? 0
    removed += most
    if (most < BATCH) return removed
  }
}
