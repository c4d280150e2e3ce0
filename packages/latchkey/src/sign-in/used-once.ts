import { oncePer } from '../once.ts'
import type { Ports } from '../ports.ts'
import { CLOCK_TOLERANCE } from '../sealing/sealer.ts'
import type { Store } from '../store/store.ts'

/** Remembers what was used, so that it is used once. */
export interface UsedOnce {
  /**
   * Uses a value up. Synchronous, so that of parallel calls exactly one succeeds.
   *
   * @param id unique among everything that is taken: the `jti` of a sealed value, say.
   * @param expiresAt seconds since the epoch, the `exp` of a sealed value: after this nobody asks again.
   * @returns `false` when it was used before.
   */
  take(id: string, expiresAt: number): boolean
  /** Takes back that a value was used: the store that had to say so failed. */
  giveBack(id: string): void
}

/** How many used values are remembered. */
const LIMIT = 10_000

/**
 * A bounded memory of used values. When it is full, what has expired is forgotten, and if nothing
 * has, the value that expires first: a flood of them may bring an old one back, but stops nobody.
 */
export function createUsedOnce(now: Ports['now'], limit: number = LIMIT): UsedOnce {
  /** The end of each used value, seconds since the epoch. */
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

/** @param past seconds since the epoch: what ended until then is not accepted by anybody any more. */
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

/** One memory a world, that is one a process: configurations come and go, some with each request. */
const memoryOf = oncePer(({ now }: Ports) => createUsedOnce(now), new WeakMap<Ports, UsedOnce>())

/** What was used in this process. */
export function usedOnce({ ports }: { readonly ports: Ports }): UsedOnce {
  return memoryOf(ports)
}

/**
 * Uses a sealed value up: once in this process and, where the adapter counts attempts, once in all
 * that share its store.
 *
 * @param claims the `jti` and the `exp` of the value.
 * @returns `false` when it was used before, and when it has no end: nobody could remember it for so long.
 * @throws {AdapterError} when the store does not say.
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
    // Whether the store counted it, it says itself when it is asked again.
    here.giveBack(id)
    throw error
  }
}
