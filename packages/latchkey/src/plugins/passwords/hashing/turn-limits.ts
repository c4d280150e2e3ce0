import type { HashPlatform } from './engine/platform.ts'
import type { HashSettings } from './hash-settings.ts'
import type { TurnLimits } from './turns.ts'

/** Returns how much may be hashed at once: as much as the memory, the processors and the thread pool allow. */
export function turnLimitsOf(
  { hash, hashing }: Pick<HashSettings, 'hash' | 'hashing'>,
  { parallel }: Pick<HashPlatform, 'parallel'>,
): TurnLimits {
  const byMemory = Math.floor(hashing.maxMemory / hash.memory)
  const concurrency = hashing.concurrency ?? Math.max(1, Math.min(byMemory, parallel))
  return { ...hashing, concurrency }
}
