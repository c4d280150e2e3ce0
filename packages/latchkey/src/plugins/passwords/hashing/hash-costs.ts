import { MOST_LANES, MOST_PASSES } from './hash-settings.ts'
import type { PhcHash } from './phc.ts'

/** KiB */
const GIBIBYTE = 1_048_576

/** Returns the memory in KiB that a hash takes. */
export function memoryOf(hash: PhcHash): number {
  return hash.type === 'scrypt' ? (2 ** hash.ln * hash.r) / 8 : hash.memory
}

/** Returns whether verifying a hash would take more than any configuration allows. */
export function isTooCostly(hash: PhcHash): boolean {
  if (hash.type === 'scrypt') return memoryOf(hash) > GIBIBYTE / 2 || hash.p > MOST_LANES
  const { memory, passes, parallelism } = hash
  return memory > GIBIBYTE || passes > MOST_PASSES || parallelism > MOST_LANES
}
