import { setTimeout as pause } from 'node:timers/promises'
import { type Adapter, AdapterConflict, atomic } from 'latchkey/adapters'
import { expect, test } from 'vitest'
import { guarded, type StoreUse, usingStore } from './store-use.ts'

const ada = { id: 'ada', email: 'ada@example.test', emailVerified: null }

/** An adapter whose calls take some milliseconds each; of `never` they never end. */
function slowAdapter(milliseconds: number | 'never'): Adapter {
  const wait = () => (milliseconds === 'never' ? new Promise<never>(() => {}) : pause(milliseconds))
  return {
    async getUser() {
      await wait()
      return ada
    },
    [atomic]: { transaction: async (work) => work(slowAdapter(milliseconds)) },
  }
}

/** Uses an adapter in the course of a request. @returns also how long that took, in seconds. */
async function use(
  seconds: number,
  adapter: Adapter,
  work: (adapter: Adapter) => Promise<unknown>,
): Promise<{ use: StoreUse; error: unknown; took: number }> {
  const begun = performance.now()
  let error: unknown
  const used = await usingStore(seconds, async () => {
    await work(guarded(adapter)).catch((thrown: unknown) => {
      error = thrown
    })
  })
  return { use: used, error, took: (performance.now() - begun) / 1000 }
}

test('all calls of a request share one time limit', async () => {
  const {
    use: used,
    error,
    took,
  } = await use(0.3, slowAdapter(100), async (adapter) => {
    for (let call = 0; call < 20; call++) await adapter.getUser?.('ada')
  })
  expect(String(error)).toMatch(/no answer within 0\.[1-3] s|time limit .+ is exceeded/)
  expect(used).toMatchObject({ failed: true })
  expect(took).toBeLessThan(1)
})

test('a call that never ends takes no more than the limit, and neither do later ones', async () => {
  const { took } = await use(0.3, slowAdapter('never'), async (adapter) => {
    for (let call = 0; call < 20; call++) await Promise.allSettled([adapter.getUser?.('ada')])
    await Promise.allSettled(Array.from({ length: 20 }, () => adapter.getUser?.('ada')))
  })
  expect(took).toBeLessThan(1)
})

test('simultaneous calls do not count twice', async () => {
  const { use: used } = await use(10, slowAdapter(200), async (adapter) => {
    await Promise.all(Array.from({ length: 20 }, () => adapter.getUser?.('ada')))
  })
  expect(used.failed).toBe(false)
  expect(used.left).toBeGreaterThan(8000)
})

test('the time between two calls does not count', async () => {
  const { error } = await use(0.2, slowAdapter(1), async (adapter) => {
    await adapter.getUser?.('ada')
    await pause(400)
    await adapter.getUser?.('ada')
  })
  expect(error).toBeUndefined()
})

test('calls in a transaction share the time of the transaction', async () => {
  const asked: string[] = []
  const { error, took } = await use(0.3, slowAdapter(100), async (adapter) => {
    await adapter[atomic]?.transaction?.(async (inside) => {
      for (let call = 0; call < 20; call++) {
        await inside.getUser?.('ada')
        asked.push('ada')
      }
    })
  })
  expect(String(error)).toMatch(/no answer within|time limit .+ is exceeded/)
  expect(took).toBeLessThan(1)
  await pause(300)
  // What nobody waits for any more is not gone on with.
  expect(asked.length).toBeLessThan(5)
})

test('a conflict is no failure of the store', async () => {
  const adapter = {
    createUser() {
      throw new AdapterConflict('user.email')
    },
  }
  const { use: used, error } = await use(1, adapter, async (it) => it.createUser?.(ada))
  expect(error).toMatchObject({ conflict: 'user.email' })
  expect(used.failed).toBe(false)
})

test('an adapter keeps its properties: a class, frozen, with and without abilities', async () => {
  class Own implements Adapter {
    readonly #users = new Map([['ada', ada]])
    getUser(id: string) {
      return this.#users.get(id) ?? null
    }
  }
  const own = guarded(Object.freeze(new Own()))
  expect(own.createUser).toBeUndefined()
  expect(own[atomic]).toBeUndefined()
  expect('getUser' in own).toBe(true)
  // Outside of a request there is no time to keep.
  expect(await own.getUser?.('ada')).toBe(ada)
  const { use: used } = await use(1, own, async (adapter) => {
    expect(await adapter.getUser?.('ada')).toBe(ada)
  })
  expect(used.failed).toBe(false)
})
