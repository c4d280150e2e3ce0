import { describe, expect, test } from 'vitest'
import { nodeRs, scryptOnly } from '../../../../../tests/support/hashers.ts'
import { calibrate } from '../calibrate.ts'
import type { HashPlatform, NativeArgon2 } from '../engine/platform.ts'
import { hashSettingsOf } from '../hash-settings.ts'

/** A machine whose hashes take a known time: this many milliseconds for each MiB and pass. */
function machine(perPass: number): { platform: HashPlatform; monotonic: () => number } {
  let now = 0
  const native: NativeArgon2 = {
    name: 'node',
    async hash(_, { memory, passes }) {
      now += (memory / 1024) * passes * perPass
      return new Uint8Array(32)
    },
  }
  return { platform: { ...nodeRs, argon2: async () => native, parallel: 1 }, monotonic: () => now }
}

describe('calibrating (PW-17)', () => {
  test('finds the most passes with the memory, below the target', async () => {
    const { platform, monotonic } = machine(1)
    const found = await calibrate({ target: 250, memory: 64, monotonic }, platform)
    expect(found).toMatchObject({
      hash: { memory: 65_536, passes: 3, parallelism: 1 },
      milliseconds: 192,
      isAboveTarget: false,
      concurrency: 1,
    })
    expect(found.together).toEqual([
      { signIns: 10, milliseconds: 1920, memory: 65_536, refused: 0 },
      // Those that would wait for longer than 5 seconds are refused.
      { signIns: 100, milliseconds: 27 * 192, memory: 65_536, refused: 73 },
    ])
  })

  test('takes less memory on a slow machine', async () => {
    const { platform, monotonic } = machine(6)
    const { hash, milliseconds } = await calibrate({ monotonic }, platform)
    expect(hash.memory).toBeLessThan(65_536)
    expect(milliseconds).toBeLessThanOrEqual(250)
    expect(() => hashSettingsOf({ hash })).not.toThrow()
  })

  test('returns the weakest parameters that are allowed on a machine that is too slow', async () => {
    const { platform, monotonic } = machine(100)
    expect(await calibrate({ monotonic }, platform)).toMatchObject({
      hash: { memory: 7168, passes: 5 },
      isAboveTarget: true,
      milliseconds: 3500,
    })
  })

  test('measures this machine', async () => {
    const monotonic = () => performance.now()
    const found = await calibrate({ target: 200, memory: 8, monotonic })
    expect(found.engine).toBe('node')
    expect(() => hashSettingsOf({ hash: found.hash })).not.toThrow()
    expect(found.together.map(({ signIns }) => signIns)).toEqual([10, 100])
  })

  test('needs native argon2', async () => {
    const { monotonic } = machine(1)
    await expect(calibrate({ monotonic }, scryptOnly)).rejects.toThrow('@node-rs/argon2')
  })

  test.each([
    [{ target: 0 }, '`target` must be whole milliseconds from 1 to 10000, got 0'],
    [{ memory: 6 }, '`memory` must be whole MiB from 7 to 1024, got 6'],
  ])('refuses %o', async (target, message) => {
    const { monotonic } = machine(1)
    await expect(calibrate({ ...target, monotonic })).rejects.toThrow(message)
  })
})
