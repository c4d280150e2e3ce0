import { type Adapter, atomic } from 'latchkey/adapters'
import type { Log } from '../observe/log.ts'

/** Interval in milliseconds. */
const INTERVAL = 10 * 60 * 1000
/** Maximum number of records per deletion, so that other queries do not wait long for a lock. */
const BATCH = 500

/**
 * Removes expired records soon after the start and then every ten minutes. Only one instance at a time does this.
 *
 * @returns a function that stops it.
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

/** @returns how many were removed; zero if another instance is removing them. */
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
