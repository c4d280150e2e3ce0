/** All that the core asks of the world. Replace them to repeat a run exactly. */
export interface Ports {
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds that never go back, from any beginning. */
  monotonic(): number
  /** `length` bytes from a cryptographic generator. */
  random(length: number): Uint8Array<ArrayBuffer>
  /** Where a log goes that the application does not take itself. */
  readonly console: Pick<Console, 'error' | 'warn' | 'log'>
}

/** Bytes drawn at once: asking the platform for sixteen costs almost as much as asking for thousands. */
const POOL = 4096

/** The real world. */
export const systemPorts: Ports = Object.freeze({
  fetch: (input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init),
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: pooledRandom(),
  console: globalThis.console,
})

/** Each byte is handed out once and wiped from the pool. */
function pooledRandom(): Ports['random'] {
  let pool = new Uint8Array(0)
  let at = 0
  return (length) => {
    if (length > POOL) return crypto.getRandomValues(new Uint8Array(length))
    if (at + length > pool.length) {
      // Drawn on first use: some runtimes give no randomness while modules are loaded.
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
