import { oncePer } from '../base/once.ts'
import type { Ports } from '../base/ports.ts'
import { CLOCK_TOLERANCE } from '../protocols/sealing/sealer.ts'
import type { Store } from '../store/store.ts'

/** Remembers used values, so that each can be used only once. */
export interface UsedOnce {
  /**
   * Marks a value as used. Synchronous, so that only one of many parallel calls succeeds.
   *
   * @param id unique among all values, for example the `jti` of a sealed value.
   * @param expiresAt the `exp` of a sealed value, seconds since the epoch.
   * @returns `false` if it was used before.
   */
  take(id: string, expiresAt: number): boolean
  /** Undoes {@link take} after a failure of the store. */
  giveBack(id: string): void
}

/** Most values in memory. */
const LIMIT = 10_000

/**
 * Creates a bounded memory of used values. When it is full, it removes the expired values or, if there are none, the
 * value that expires first. A flood of values can therefore make an old one usable again, but cannot block new ones.
 */
export function createUsedOnce(now: Ports['now'], limit: number = LIMIT): UsedOnce {
  /** The expiry of each used value, seconds since the epoch. */
  const used = new Map<string, number>()
  return {
    take(id, expiresAt) {
      if (used.has(id)) return false
      if (used.size >= limit) makeRoom(used, now() / 1000 - CLOCK_TOLERANCE)
      used.set(id, expiresAt)
      return true
    },
    giveBack: (id) => void used.delete(id),
  }
}

/** @param past seconds since the epoch; values that expired before are refused anyway. */
function makeRoom(used: Map<string, number>, past: number): void {
  const before = used.size
  let first = ''
  let earliest = Number.POSITIVE_INFINITY
  for (const [id, end] of used) {
    if (end <= past) used.delete(id)
    else if (end < earliest) [first, earliest] = [id, end]
  }
  if (used.size === before) used.delete(first)
}

/** One memory for each process, and not for each configuration: some applications create a configuration per request. */
const memoryOf = oncePer(({ now }: Ports) => createUsedOnce(now), new WeakMap<Ports, UsedOnce>())

/** Returns the memory of this process. */
export function usedOnce({ ports }: { readonly ports: Ports }): UsedOnce {
  return memoryOf(ports)
}

/**
 * Marks a sealed value as used: in this process and, if the adapter counts attempts, in all processes with this store.
 *
 * @param claims the `jti` and the `exp` of the value.
 * @returns `false` if it was used before, or has no expiry.
 * @throws {AdapterError} if the store fails.
 */
export async function useOnce(
  { ports, store }: { readonly ports: Ports; readonly store: Store | undefined },
  { jti, exp }: { readonly jti?: unknown; readonly exp?: unknown },
): Promise<boolean> {
  const [id, expiresAt] = [String(jti), Number(exp)]
  if (!Number.isFinite(expiresAt)) return false
  const here = usedOnce({ ports })
  if (!here.take(id, expiresAt)) return false
  if (!store?.countAttempt) return true
  try {
    return await store.countAttempt({
      key: `latchkey.used:${id}`,
      limit: 1,
      now: new Date(ports.now()),
      expires: new Date((expiresAt + CLOCK_TOLERANCE) * 1000),
    })
  } catch (error) {
    // The next call reads the store, which knows whether it counted this one.
    here.giveBack(id)
    throw error
  }
}
