import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { atomic } from '../model/adapter.ts'
import type { RecordAbilities } from '../model/record.ts'
import { createRecords } from '../store/records.ts'
import { createWorld } from '../testing/world.ts'
import { acquireLease } from './lease.ts'

/** Several processes on one store. */
function processes(count: number) {
  const store = memoryAdapter()[atomic] as Required<RecordAbilities>
  const clock = createWorld({})
  return {
    clock,
    all: Array.from({ length: count }, (_, seed) => {
      const ports = { now: clock.now, random: () => new Uint8Array(16).fill(seed) }
      const services = { records: createRecords(store, ports), ports }
      return (milliseconds: number) => acquireLease('a name', milliseconds, services)
    }),
  }
}

describe('a lease', () => {
  test('goes to one of many, and is free after its release', async () => {
    const { all, clock } = processes(50)
    const got = (await Promise.all(all.map((acquire) => acquire(1000)))).filter((each) => each)
    expect(got).toHaveLength(1)
    await got[0]?.release()
    clock.advance(0.001)
    expect(await all[7]?.(1000)).not.toBeNull()
  })

  test('expires by itself, and its holder is notified', async () => {
    const { all, clock } = processes(2)
    const first = await all[0]?.(1000)
    clock.advance(0.9)
    expect(await first?.extend(1000)).toBe(true)
    clock.advance(0.9)
    expect(await all[1]?.(1000)).toBeNull()
    clock.advance(0.2)
    const second = await all[1]?.(1000)
    expect(second).not.toBeNull()
    expect(await first?.extend(1000)).toBe(false)
    await first?.release()
    expect(await all[0]?.(1000)).toBeNull()
  })
})
