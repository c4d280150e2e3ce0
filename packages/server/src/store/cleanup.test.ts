import { setTimeout as pause } from 'node:timers/promises'
import { type Adapter, atomic } from 'latchkey/adapters'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { describe, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { startCleanup } from './cleanup.ts'

const quiet = { level: 'info', format: 'json', secrets: new Set<string>() } as const

function logInto(lines: string[]) {
  return createLog({
    ...quiet,
    stream: {
      write(line: string) {
        lines.push(line)
      },
    },
  })
}

/** An adapter with sessions that are over, and one that is not. */
async function littered(count: number): Promise<Adapter> {
  const adapter = memoryAdapter()
  await adapter.createUser?.({ id: 'u', email: 'a@x.example', emailVerified: null })
  for (let index = 0; index < count; index++) {
    await adapter.createSession?.({
      sessionToken: `over-${index}`,
      userId: 'u',
      expires: new Date(index),
    })
  }
  await adapter.createSession?.({
    sessionToken: 'open',
    userId: 'u',
    expires: new Date(Date.now() + 60_000),
  })
  return adapter
}

async function left(adapter: Adapter): Promise<string[]> {
  const sessions = (await adapter[atomic]?.listSessionsByUserId?.('u')) ?? []
  return sessions.map(({ sessionToken }) => sessionToken)
}

describe('an expired row', () => {
  test('is removed in batches, and no other row', async () => {
    const adapter = await littered(1201)
    const lines: string[] = []
    const stop = startCleanup(adapter, logInto(lines), { interval: 20 })
    await expect.poll(() => left(adapter)).toEqual(['open'])
    await stop()
    expect(lines.join('')).toContain('"removed":1201')
  })

  test('is left to the instance that has the lease', async () => {
    const adapter = await littered(3)
    const now = new Date()
    const expires = new Date(now.getTime() + 60_000)
    await adapter[atomic]?.acquireLease?.({ name: 'latchkey.cleanup', now, expires })
    const stop = startCleanup(adapter, logInto([]), { interval: 10 })
    await pause(100)
    await stop()
    expect(await left(adapter)).toHaveLength(4)
  })

  test('is removed at the next time if the store does not answer', async () => {
    const adapter = await littered(3)
    const { cleanup } = adapter[atomic] ?? {}
    let calls = 0
    const failing: Adapter = {
      ...adapter,
      [atomic]: {
        cleanup: (options) => {
          if (calls++ === 0) throw new Error('down')
          return cleanup?.(options) ?? 0
        },
      },
    }
    const lines: string[] = []
    const stop = startCleanup(failing, logInto(lines), { interval: 10 })
    await expect.poll(() => left(adapter)).toEqual(['open'])
    await stop()
    expect(lines[0]).toContain('could not remove')
  })

  test('stays if the adapter cannot remove it', async () => {
    const { [atomic]: abilities, ...plain } = await littered(1)
    const lines: string[] = []
    const stop = startCleanup(plain, logInto(lines), { interval: 1 })
    await pause(20)
    await stop()
    expect(lines).toEqual([])
    expect(await abilities?.listSessionsByUserId?.('u')).toHaveLength(2)
  })

  test('is not searched for after the stop', async () => {
    const adapter = await littered(0)
    let calls = 0
    const counting: Adapter = { ...adapter, [atomic]: { cleanup: () => calls++ } }
    const stop = startCleanup(counting, logInto([]), { interval: 5 })
    await expect.poll(() => calls).toBeGreaterThan(0)
    await stop()
    const before = calls
    await pause(50)
    expect(calls).toBe(before)
  })

  test('is searched for once at a time, and the stop waits for the end', async () => {
    const adapter = await littered(0)
    let [running, most, ended] = [0, 0, 0]
    const slow: Adapter = {
      ...adapter,
      [atomic]: {
        cleanup: async () => {
          most = Math.max(most, ++running)
          await pause(40)
          running--
          ended++
          return 0
        },
      },
    }
    const stop = startCleanup(slow, logInto([]), { interval: 5 })
    await expect.poll(() => ended).toBeGreaterThan(1)
    await stop()
    expect([most, running]).toEqual([1, 0])
  })
})
