import { loadOnce } from '../../../entries/plugin.ts'
import type { HashPlatform } from '../hashing/engine/platform.ts'

/** Loads what computes the hashes, which an application needs only when somebody signs in. */
export const loadEngine: () => Promise<HashPlatform> = loadOnce(
  async () => (await import('#password-engine')).platform,
)

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Compares two hashes in a time that depends on their length only. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

/** Iterations of PBKDF2 beyond which a hash is refused. */
export const MOST_ITERATIONS = 5_000_000
