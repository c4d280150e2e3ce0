import { describe, expect, test } from 'vitest'
import { CHEAP, hasherOf, PASSWORD } from '../../../../../tests/support/hashers.ts'
import { systemPorts } from '../../../../base/ports.ts'
import { inTurn, type Turn, type TurnLimits } from '../turns.ts'

const LIMITS: TurnLimits = { maxMemory: 100, concurrency: 2, queue: 100, patience: 30 }

/** Work that runs until it is ended, and the order in which it began. */
function createWork(limits: Partial<TurnLimits> = {}) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  let now = 0
  return {
    begun,
    /** @param together whether it comes at once with the one before; otherwise a while later */
    ask(name: string, turn: Partial<Turn> = {}, together = false): Promise<string> {
      if (!together) now += 1000
      const clock = (): number => now
      const work = (): Promise<string> =>
        new Promise((resolve) => {
          begun.push(name)
          ends.set(name, () => resolve(name))
        })
      const asked = inTurn(
        work,
        { memory: 1, ...turn },
        { limits: { ...LIMITS, ...limits }, random: systemPorts.random, clock },
      )
      // Some tests look at it later.
      asked.catch(() => undefined)
      return asked
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      await settled()
    },
    async endAll(): Promise<void> {
      for (let done = 0; done < begun.length; ) {
        done = begun.length
        for (const end of ends.values()) end()
        await settled()
      }
    },
  }
}

/** Lets all promises run that can. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('hashing takes turns (PW-16)', () => {
  test('as many at once as are allowed, and in the order of their arrival', async () => {
    const { ask, begun, end, endAll } = createWork()
    const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name))
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    await end('a')
    await end('c')
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
    await endAll()
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('within the memory that is allowed; what needs more runs alone', async () => {
    const { ask, begun, end, endAll } = createWork()
    void ask('half', { memory: 60 })
    void ask('other half', { memory: 60 })
    void ask('small')
    expect(begun).toEqual(['half'])
    await end('half')
    expect(begun).toEqual(['half', 'other half', 'small'])
    await endAll()
    void ask('a')
    void ask('large', { memory: 1000 })
    expect(begun).not.toContain('large')
    await end('a')
    expect(begun).toContain('large')
    await endAll()
  })

  test('work that throws gives its turn back', async () => {
    const fail = (): Promise<void> => Promise.reject(new Error('no memory'))
    const services = { limits: LIMITS, random: systemPorts.random }
    for (let i = 0; i < 5; i++)
      await expect(inTurn(fail, { memory: 100 }, services)).rejects.toThrow('no memory')
    const { ask, begun, endAll } = createWork()
    void ask('next', { memory: 100 })
    expect(begun).toEqual(['next'])
    await endAll()
  })

  test('a full queue is busy, with a time to come back', async () => {
    const { ask, endAll } = createWork({ queue: 2 })
    const served = ['a', 'b', 'c', 'd'].map((name) => ask(name))
    const refused = await Promise.allSettled(['e', 'f', 'g'].map((name) => ask(name)))
    for (const each of refused) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'busy' } })
      const { headers } = (each as PromiseRejectedResult).reason as { headers: object }
      expect(headers).toEqual({ 'retry-after': expect.stringMatching(/^[123]$/) })
    }
    await endAll()
    expect(await Promise.all(served)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a request that waits too long is refused, and does not run later', async () => {
    const { ask, begun, endAll } = createWork({ patience: 0.01 })
    void ask('a')
    void ask('b')
    await expect(ask('c')).rejects.toMatchObject({ code: 'busy' })
    await endAll()
    expect(begun).toEqual(['a', 'b'])
  })

  test('T-ACC-7: those who come together are served in an order that says nothing about who came first', async () => {
    const places = new Map<string, number>()
    for (let round = 0; round < 300; round++) {
      const { ask, begun, endAll } = createWork({ concurrency: 1 })
      void ask('running')
      for (const name of ['a', 'b', 'c', 'd']) void ask(name, {}, name !== 'a')
      void ask('later')
      await endAll()
      expect([begun[0], begun[5]]).toEqual(['running', 'later'])
      for (const [place, name] of begun.entries()) places.set(name, (places.get(name) ?? 0) + place)
    }
    // Each is in the middle of the four, on average, however early it came.
    for (const name of ['a', 'b', 'c', 'd'])
      expect(Math.abs((places.get(name) ?? 0) / 300 - 2.5)).toBeLessThan(0.4)
  })

  test('a client that is gone leaves the queue', async () => {
    const { ask, begun, end, endAll } = createWork({ queue: 2 })
    const client = new AbortController()
    void ask('a')
    void ask('b')
    const gone = ask('c', { signal: client.signal })
    void ask('d')
    client.abort()
    await expect(gone).rejects.toMatchObject({ code: 'busy' })
    // Its place is free for another.
    void ask('e')
    await expect(ask('f', { signal: client.signal })).rejects.toMatchObject({ code: 'busy' })
    await end('a')
    await end('b')
    expect(begun).toEqual(['a', 'b', 'd', 'e'])
    await endAll()
  })

  test('known browsers go first, at every second turn at most', async () => {
    const { ask, begun, endAll } = createWork({ concurrency: 1 })
    const known = { isKnownBrowser: true }
    void ask('running')
    for (const name of ['a', 'b', 'c']) void ask(name)
    for (const name of ['K', 'L', 'M']) void ask(name, known)
    await endAll()
    expect(begun).toEqual(['running', 'K', 'a', 'L', 'b', 'M', 'c'])
  })

  test('a known browser takes the last place of a full queue', async () => {
    const { ask, begun, endAll } = createWork({ concurrency: 1, queue: 2 })
    void ask('running')
    void ask('a')
    const last = ask('b')
    void ask('K', { isKnownBrowser: true })
    await expect(last).rejects.toMatchObject({ code: 'busy' })
    void ask('L', { isKnownBrowser: true })
    await expect(ask('M', { isKnownBrowser: true })).rejects.toMatchObject({ code: 'busy' })
    await endAll()
    expect(begun).toEqual(['running', 'K', 'L'])
  })
})

test('10,000 sign-ins at once are served or busy, in bounded memory; known browsers get through (T-ACC-9)', async () => {
  const { hash, verify } = hasherOf({
    hash: CHEAP,
    hashing: { queue: 24, maxMemory: 32_768, patience: 60 },
  })
  const stored = await hash(PASSWORD)
  // Without the heap of JavaScript, which V8 frees when it likes.
  const native = (): number => process.memoryUsage.rss() - process.memoryUsage().heapTotal
  async function grown(): Promise<number> {
    const before = native()
    let most = before
    const watch = setInterval(() => (most = Math.max(most, native())), 5)
    const strangers = Array.from({ length: 10_000 }, (_, i) =>
      verify(`guess ${i}`, i % 2 === 0 ? stored : undefined),
    )
    const owners = Array.from({ length: 6 }, () =>
      verify(PASSWORD, stored, { isKnownBrowser: true }),
    )
    const [others, known] = await Promise.all([
      Promise.allSettled(strangers),
      Promise.allSettled(owners),
    ])
    clearInterval(watch)
    expect(known).toEqual(owners.map(() => ({ status: 'fulfilled', value: true })))
    const served = others.filter(({ status }) => status === 'fulfilled')
    expect(served.length).toBeGreaterThan(0)
    expect(served).toEqual(served.map(() => ({ status: 'fulfilled', value: false })))
    for (const each of others)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'busy' })
    return most - before
  }
  // V8 may give back its heap meanwhile, and the system has it a moment later.
  const grew = Math.min(await grown(), await grown(), await grown())
  // `maxMemory` and 64 MiB (ACC-16).
  expect(grew).toBeLessThanOrEqual((32 + 64) * 1024 * 1024)
})
