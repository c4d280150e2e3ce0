import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { createFingerprints } from '../revocations/fingerprints.ts'

const name = () => randomBytes(16).toString('base64url')
const HOUR = 3600

describe('names of ended sessions', () => {
  test('are all found, and no others, in any number', () => {
    const names = Array.from({ length: 50_000 }, name)
    const ended = createFingerprints()
    for (const each of names) ended.add(each, HOUR)
    for (const each of names) ended.add(each, HOUR)
    expect(ended.size).toBe(names.length)
    expect(names.every((each) => ended.has(each))).toBe(true)
    expect(Array.from({ length: 50_000 }, name).filter((each) => ended.has(each))).toEqual([])
  })

  test('are removed when their last cookie expired, and not earlier', () => {
    const [early, late] = [Array.from({ length: 3000 }, name), Array.from({ length: 100 }, name)]
    const ended = createFingerprints()
    for (const each of early) ended.add(each, HOUR)
    for (const each of late) ended.add(each, 3 * HOUR)
    // One that is ended again is remembered for as long as the later one says.
    ended.add(early[0] ?? '', 3 * HOUR)
    ended.add(early[0] ?? '', HOUR)
    ended.forget(HOUR - 60)
    expect(ended.size).toBe(3100)
    ended.forget(2 * HOUR)
    expect(ended.size).toBe(101)
    expect([early[0] ?? '', ...late].every((each) => ended.has(each))).toBe(true)
    expect(early.slice(1).some((each) => ended.has(each))).toBe(false)
  })

  test('list their first four bytes in order, each once', () => {
    const ended = createFingerprints()
    const names = ['_____wAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAA', 'AAAAAAEAAAAAAAAAAAAAAA']
    for (const each of names) ended.add(each, HOUR)
    expect([...ended.prefixes()]).toEqual([0, 0xffffffff])
  })

  test('PERF-5: take at most 50 MB for a million', async () => {
    const inUse = memory()
    const before = await inUse()
    const ended = createFingerprints()
    for (let part = 0; part < 100; part++) {
      const drawn = randomBytes(16 * 10_000)
      for (let at = 0; at < drawn.length; at += 16)
        ended.add(drawn.toString('base64url', at, at + 16), HOUR)
    }
    const used = (await inUse()) - before
    expect(ended.size).toBe(1_000_000)
    expect(used).toBeGreaterThan(8_000_000)
    expect(used).toBeLessThan(50_000_000)
  })
})

/** Bytes by which two readings of the same memory may differ. */
const NOISE = 100_000

/** Returns a function that reads the bytes in use, after collections that free nothing more of earlier tests. */
function memory(): () => Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const read = (): number => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  return async () => {
    for (let before = read(); ; ) {
      await turn()
      const now = read()
      if (now > before - NOISE) return now
      before = now
    }
  }
}
