/** All that the core asks of the world. Replace them to repeat a run exactly. */
export interface Ports {
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  now(): number
  /** `length` bytes from a cryptographic generator. */
  random(length: number): Uint8Array<ArrayBuffer>
}

/** The real world. */
export const systemPorts: Ports = Object.freeze({
  fetch: (input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init),
  now: () => Date.now(),
  random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
})
