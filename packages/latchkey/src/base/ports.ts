/** The clock, network, randomness and console that the core uses. Replace them to repeat a run exactly. */
export interface Ports {
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds from any starting point that never decrease. */
  monotonic(): number
  /** Returns `length` bytes from a cryptographic generator. */
  random(length: number): Uint8Array<ArrayBuffer>
  /** The destination of log lines if the application has no logger. */
  readonly console: Pick<Console, 'error' | 'warn' | 'log'>
  /**
   * The costs of new argon2id hashes, in place of the configured ones. Without argon2, those of scrypt are small, too. Only the
   * test kit sets it. Memory is in KiB.
   */
  readonly hashCosts?:
    | { readonly memory: number; readonly passes: number; readonly parallelism: number }
    | undefined
}

/** Number of bytes to draw at once: drawing sixteen bytes takes almost as long as drawing thousands. */
const POOL = 4096

/** The ports of the platform. */
export const systemPorts: Ports = Object.freeze({
  fetch: (input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init),
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: pooledRandom(),
  console: globalThis.console,
})

/** Returns a generator that returns each byte only once and then deletes it from its pool. */
function pooledRandom(): Ports['random'] {
  let pool = new Uint8Array(0)
  let at = 0
  return (length) => {
    if (length > POOL) return crypto.getRandomValues(new Uint8Array(length))
    if (at + length > pool.length) {
      // Drawn at the first use: some runtimes have no randomness while modules are loaded.
      pool = crypto.getRandomValues(new Uint8Array(POOL))
      at = 0
    }
    const bytes = pool.slice(at, at + length)
    pool.fill(0, at, at + length)
    at += length
    return bytes
  }
}

/** Returns whether this is the edge runtime of Next.js, which has no Node.js. */
export function isEdgeRuntime(): boolean {
  return 'EdgeRuntime' in globalThis
}
