import { describe, expect, test, vi } from 'vitest'
import { createJudge, Unreadable } from './judge.ts'
import { createState, type Known } from './state.ts'

interface Snapshot extends Known {
  readonly names: ReadonlySet<string>
}

/** A judge with clocks that the test sets, and the requests that it sent. */
function judging({ stale = 'read' }: { readonly stale?: 'read' | 'refuse' } = {}) {
  let now = 1_000_000
  const state = createState<Snapshot>()
  const refresh = vi.fn(async () => {
    state.snapshot = { asOf: { wall: now, monotonic: now }, isFull: false, names: new Set(ended) }
    return true
  })
  const ended: string[] = []
  const told = vi.fn()
  const judge = createJudge(state, {
    clocks: { now: () => now, monotonic: () => now },
    bound: 1000,
    stale,
    refresh,
    usesTimer: false,
    tellFull: told,
  })
  const truth = vi.fn(async (): Promise<string | undefined> => undefined)
  return {
    state,
    ended,
    refresh,
    truth,
    told,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    ask: (key = 'a') => {
      state.reads++
      return judge.confirm({ key, isHit: ({ names }) => names.has(key), truth })
    },
  }
}

describe('a judge of revocations', () => {
  test('REV-11: asks for one session while it knows nothing, and reads more with the second', async () => {
    const { ask, truth, refresh } = judging()
    expect(await ask()).toBeUndefined()
    expect([truth.mock.calls.length, refresh.mock.calls.length]).toEqual([1, 0])
    await ask()
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  test('REV-13: remembers an active session until another one ends', async () => {
    const { ask, ended, truth, state, refresh } = judging()
    ended.push('a')
    await refresh()
    for (let reads = 0; reads < 3; reads++) expect(await ask()).toBeUndefined()
    expect(truth).toHaveBeenCalledTimes(1)
    state.version++
    state.alive.clear()
    await ask()
    expect(truth).toHaveBeenCalledTimes(2)
  })

  test('REV-13: remembers no session while something new ended', async () => {
    const { ask, ended, truth, state, refresh } = judging()
    ended.push('a')
    await refresh()
    truth.mockImplementationOnce(async () => {
      // The new entry may be this session.
      state.version++
      return undefined
    })
    await ask()
    await ask()
    expect(truth).toHaveBeenCalledTimes(2)
  })

  test('REV-13: remembers forever why a session ended', async () => {
    const { ask, ended, truth, refresh, pass } = judging()
    ended.push('a')
    await refresh()
    truth.mockResolvedValueOnce('sign-out')
    for (let reads = 0; reads < 3; reads++) {
      expect(await ask()).toBe('sign-out')
      pass(5000)
    }
    expect(truth).toHaveBeenCalledTimes(1)
  })

  test('REV-10: reads newer entries if its own are too old, once for all callers', async () => {
    const { ask, refresh, pass, truth } = judging()
    await refresh()
    pass(1001)
    expect(await ask('b')).toBeUndefined()
    expect([refresh.mock.calls.length, truth.mock.calls.length]).toEqual([2, 0])
  })

  test('REV-10: gives no verdict if newer entries cannot be read', async () => {
    const { ask, refresh, pass } = judging()
    await refresh()
    pass(1001)
    refresh.mockResolvedValue(false)
    await expect(ask()).rejects.toThrow(Unreadable)
  })

  test('REV-10: does not wait with `refuse`', async () => {
    const { ask, refresh, pass } = judging({ stale: 'refuse' })
    await refresh()
    pass(1001)
    await expect(ask()).rejects.toThrow(Unreadable)
    expect(refresh).toHaveBeenCalledTimes(2)
    expect(await ask()).toBeUndefined()
  })

  test('REV-11: accepts no response that is older than the bound, and gives up in the end', async () => {
    const { ask, truth, pass } = judging()
    truth.mockImplementation(async () => {
      pass(1001)
      return undefined
    })
    await expect(ask()).rejects.toThrow(Unreadable)
    expect(truth).toHaveBeenCalledTimes(3)
  })

  test('REV-10: gives no verdict after a minute, also with a late result', async () => {
    const { ask, ended, refresh, truth, pass } = judging()
    ended.push('a')
    await refresh()
    truth.mockImplementationOnce(async () => {
      pass(61_000)
      return 'sign-out'
    })
    await expect(ask()).rejects.toThrow(Unreadable)
  })

  test('REV-14: logs once an hour that every session needs a read', async () => {
    const { ask, state, refresh, told, pass } = judging()
    for (const milliseconds of [0, 60_000, 3_600_000]) {
      pass(milliseconds)
      await refresh()
      Object.assign(state.snapshot ?? {}, { isFull: true })
      await ask()
    }
    expect(told).toHaveBeenCalledTimes(2)
  })

  test('fails like its source, and signs nobody out', async () => {
    const { ask, truth } = judging()
    truth.mockRejectedValueOnce(new Error('the store is away'))
    await expect(ask()).rejects.toThrow('the store is away')
    expect(await ask()).toBeUndefined()
  })
})
