import { describe, expect, test, vi } from 'vitest'
import type { Log } from '../observe/log.ts'
import { startUpkeep } from './upkeep.ts'

describe('upkeep', () => {
  test('goes on after a failure, and never runs twice at a time', async () => {
    const warn = vi.fn()
    let [begun, running, most] = [0, 0, 0]
    const maintain = async () => {
      begun++
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 15))
      running--
      if (begun === 1) throw new Error('of a test')
    }
    const stop = startUpkeep({ maintain }, { warn } as unknown as Log, { interval: 5 })
    await expect.poll(() => begun).toBeGreaterThan(2)
    await stop()
    const then = begun
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect({ most, running, begun, warned: warn.mock.calls.length }).toEqual({
      most: 1,
      running: 0,
      begun: then,
      warned: 1,
    })
  })
})
