import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemPorts } from './ports.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The platform's bytes as it gave them, and the memory that it wrote them to. */
function watchPlatform() {
  const drawn: { readonly given: Uint8Array; readonly memory: Uint8Array }[] = []
  const platform = crypto.getRandomValues.bind(crypto)
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((memory) => {
    platform(memory)
    if (memory instanceof Uint8Array) drawn.push({ given: memory.slice(), memory })
    return memory
  })
  return drawn
}

/** Draws until the platform is asked; what is left of earlier draws is not of this test. */
function drawFresh(length: number, drawn: readonly unknown[]): Uint8Array {
  for (let draws = 0; draws < 10_000; draws++) {
    const bytes = systemPorts.random(length)
    if (drawn.length > 0) return bytes
  }
  throw new Error('the platform was never asked')
}

describe('random bytes of the default ports', () => {
  test('come from the platform, in sequence, and none is returned twice', () => {
    const drawn = watchPlatform()
    const first = drawFresh(32, drawn)
    const second = systemPorts.random(16)
    expect(drawn).toHaveLength(1)
    expect(first).toEqual(drawn[0]?.given.slice(0, 32))
    expect(second).toEqual(drawn[0]?.given.slice(32, 48))
  })

  test('are cleared in the pool when they are returned', () => {
    const drawn = watchPlatform()
    const bytes = drawFresh(32, drawn)
    expect(bytes.some((byte) => byte !== 0)).toBe(true)
    expect([...(drawn[0]?.memory.slice(0, 32) ?? [])]).toEqual(Array(32).fill(0))
    expect(drawn[0]?.memory.slice(32)).toEqual(drawn[0]?.given.slice(32))
  })

  test('have the requested length, also at the end of the pool and above its size', () => {
    const drawn = watchPlatform()
    drawFresh(1000, drawn)
    const lengths = [1000, 1000, 1000, 1000, 96, 1, 4096, 4097, 10_000]
    expect(lengths.map((length) => systemPorts.random(length).length)).toEqual(lengths)
    for (const { given } of drawn) expect(given.some((byte) => byte !== 0)).toBe(true)
  })
})
