import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { type Adapter, atomic } from '../model/adapter.ts'
import type { Logger } from '../options/redacting-logger.ts'
import { createStore } from './store.ts'

function logging(): { logger: Logger; errors: Error[] } {
  const errors: Error[] = []
  return { errors, logger: { error: (error) => void errors.push(error), warn() {}, debug() {} } }
}

describe('the store', () => {
  test('names the method that an adapter lacks', async () => {
    const { logger } = logging()
    await expect(createStore({}, logger).deleteUser('x')).rejects.toMatchObject({
      type: 'MissingAdapterMethods',
      message: 'the adapter has no method deleteUser; add it, or use another adapter',
      cause: { method: 'deleteUser' },
    })
  })

  test.for([new Error('gone'), 'gone', undefined])(
    'makes an AdapterError of an error of a method, and logs it: %s',
    async (thrown) => {
      const { logger, errors } = logging()
      const store = createStore(
        {
          getUser: () => {
            throw thrown
          },
        },
        logger,
      )
      await expect(store.getUser('x')).rejects.toMatchObject({
        type: 'AdapterError',
        cause: { method: 'getUser' },
      })
      expect(errors.map(({ message }) => message)).toEqual([String(thrown).replace('Error: ', '')])
    },
  )

  test('names the missing table, for foreign adapters and with the message of built-in ones', async () => {
    const { logger } = logging()
    const gone = Object.assign(new Error('relation "users" does not exist'), { code: '42P01' })
    const thrown = [
      [gone, 'the table users does not exist; create the tables that the documentation'],
      [new Error('the table users does not exist; run it', { cause: gone }), 'exist; run it'],
    ] as const
    for (const [error, message] of thrown) {
      const store = createStore({ getUser: () => Promise.reject(error) }, logger)
      await expect(store.getUser('x')).rejects.toThrow(message)
    }
  })

  test('names Node.js in a failure at the edge if the adapter needs it', async () => {
    vi.stubGlobal('EdgeRuntime', 'edge-runtime')
    onTestFinished(() => void vi.unstubAllGlobals())
    const { logger, errors } = logging()
    const thrown = new Error("The edge runtime does not support Node.js 'net' module")
    const store = createStore({ getSessionAndUser: () => Promise.reject(thrown) }, logger)
    await expect(store.getSessionAndUser('x')).rejects.toMatchObject({ type: 'AdapterError' })
    expect(errors[0]?.message).toContain(thrown.message)
    expect(errors[0]?.message).toContain('adapter.getSessionAndUser, in the edge runtime')
    expect(errors[0]?.message).toContain('`splitConfig(config)`')
    expect(errors[0]?.message).toContain('docs/how-to/run-at-the-edge.md')
    expect(errors[0]?.cause).toMatchObject({ method: 'getSessionAndUser', cause: thrown })
  })

  test('PAIR-1: a failed deletion stays a failure, also if the adapter then finds no user', async () => {
    const { logger } = logging()
    const away = async () => {
      throw new Error('the database is away')
    }
    // The adapter for pg returns no user if the query fails.
    const store = createStore({ deleteUser: away, getUser: () => null }, logger)
    await expect(store.deleteUser('ada')).rejects.toThrow('the database is away')
    const sessions = { deleteSession: away, getSessionAndUser: away }
    await expect(createStore(sessions, logger).deleteSession('x')).rejects.toThrow('away')
  })

  test.for(['9007199254740993', '007', '1e3', '0x1', ' 1', ''])(
    'PAIR-2: never converts an id that is not a plain number: %j',
    async (id) => {
      const asked: unknown[] = []
      const store = createStore(
        {
          getUserByEmail: (email) => ({ id: 1 as never, email, emailVerified: null }),
          getUser: (given) => {
            asked.push(given)
            return null
          },
        },
        logging().logger,
      )
      expect(await store.getUserByEmail('ada@example.com')).toMatchObject({ id: '1' })
      await store.getUser('1')
      await store.getUser(id)
      expect(asked).toEqual([1, id])
    },
  )

  test('PAIR-2: calls an adapter with ids as text once, with the same arguments', async () => {
    const asked: unknown[] = []
    const getUser = (id: string) => {
      asked.push(id)
      return { id, email: '', emailVerified: null }
    }
    const store = createStore({ getUser }, logging().logger)
    await store.getUser('f0a1')
    await store.getUser('f0a1')
    expect(asked).toEqual(['f0a1', 'f0a1'])
  })

  test('calls methods on the adapter itself, and looks them up each time', async () => {
    const adapter: Adapter & { name: string } = {
      name: 'first',
      getUser() {
        return { id: this.name, email: '', emailVerified: null }
      },
    }
    const store = createStore(adapter, logging().logger)
    expect((await store.getUser('x'))?.id).toBe('first')
    adapter.getUser = () => null
    expect(await store.getUser('x')).toBeNull()
  })

  test('returns no user whose address differs from the requested one', async () => {
    const found = { id: '1', email: 'adA@example.com', emailVerified: null }
    const store = createStore({ getUserByEmail: () => found }, logging().logger)
    expect(await store.getUserByEmail('ada@example.com')).toBe(found)
    expect(await store.getUserByEmail('áda@example.com')).toBeNull()
  })

  test('has transactions if the adapter has them, and names the method that failed inside', async () => {
    const { logger, errors } = logging()
    expect(createStore({}, logger).inTransaction).toBeUndefined()
    const inside: Adapter = { deleteUser: () => Promise.reject(new Error('locked')) }
    const store = createStore({ [atomic]: { transaction: async (work) => work(inside) } }, logger)
    await expect(store.inTransaction?.((each) => each.deleteUser('x'))).rejects.toMatchObject({
      cause: { method: 'deleteUser' },
    })
    const broken = createStore(
      { [atomic]: { transaction: () => Promise.reject(new Error('no more connections')) } },
      logger,
    )
    await expect(broken.inTransaction?.(async () => 1)).rejects.toMatchObject({
      type: 'AdapterError',
      cause: { method: 'transaction' },
    })
    expect(errors.map(({ message }) => message)).toEqual(['locked', 'no more connections'])
  })
})

describe('abilities of a store', () => {
  const record = { kind: 'k', key: 'a', data: {}, version: 1, createdAt: new Date(0) }

  test('fail as methods do, and are logged without their arguments', async () => {
    const { logger, errors } = logging()
    const logged: unknown[] = []
    const debug = (what: string, detail?: () => unknown) => void logged.push(what, detail?.())
    const gone = () => Promise.reject(new Error('gone'))
    const adapter: Adapter = { [atomic]: { renameSession: gone, getRecord: gone } }
    const store = createStore(adapter, { ...logger, debug })
    await expect(store.atomic.renameSession?.('secret', 'next')).rejects.toMatchObject({
      type: 'AdapterError',
      cause: { method: 'renameSession' },
    })
    await expect(store.atomic.getRecord?.(record)).rejects.toMatchObject({
      cause: { method: 'getRecord' },
    })
    expect(errors.map(({ message }) => message)).toEqual(['gone', 'gone'])
    expect(logged).toContain('adapter_getRecord')
    expect(JSON.stringify(logged)).not.toContain('secret')
    expect(store.atomic).not.toHaveProperty('listUsers')
  })

  test('are called on their object', async () => {
    const abilities = { count: 3, acquireLease: () => 0, cleanup: async () => 0 }
    abilities.acquireLease = function (this: typeof abilities) {
      return this.count
    }
    const store = createStore({ [atomic]: abilities }, logging().logger)
    const lease = { name: 'n', now: new Date(0), expires: new Date(1) }
    expect(await store.atomic.acquireLease?.(lease)).toBe(3)
  })

  test('for records are those of the separate store, also within a transaction', async () => {
    const [users, records] = [memoryAdapter(), memoryAdapter()]
    const store = createStore(users, logging().logger, records)
    await store.inTransaction?.(async (inside) => {
      await inside.createUser({ id: '1', email: 'ada@x.example', emailVerified: null })
      expect(await inside.atomic.createRecord?.({ ...record, userId: '1' }, new Date(0))).toBe(true)
    })
    expect(await store.atomic.getRecord?.(record)).toEqual({ ...record, userId: '1' })
    expect(await records[atomic]?.getRecord?.(record)).not.toBeNull()
    expect(await users[atomic]?.getRecord?.(record)).toBeNull()
  })

  test('T-LINK-8: for deleting a user and cleaning up reach the separate records', async () => {
    const [users, records] = [memoryAdapter(), memoryAdapter()]
    const store = createStore(users, logging().logger, records)
    await store.createUser({ id: '1', email: 'ada@x.example', emailVerified: null })
    await store.atomic.createRecord?.({ ...record, userId: '1' }, new Date(0))
    await store.deleteUser('1')
    expect(await store.atomic.getRecord?.(record)).toBeNull()
    await store.atomic.createRecord?.({ ...record, expires: new Date(1) }, new Date(0))
    expect(await store.atomic.cleanup?.({ now: new Date(2), batch: 5 })).toBe(1)
    expect(await store.atomic.getRecord?.(record)).toBeNull()
  })

  test('forget a user whose records cannot be deleted, and accept a second deletion', async () => {
    const [users, records] = [memoryAdapter(), memoryAdapter()]
    let down = true
    const failing: Adapter = {
      ...records,
      deleteUser: async (id) => {
        if (down) throw new Error('down')
        return records.deleteUser?.(id)
      },
    }
    const store = createStore(users, logging().logger, failing)
    await store.createUser({ id: '1', email: 'ada@x.example', emailVerified: null })
    await store.atomic.createRecord?.({ ...record, userId: '1' }, new Date(0))
    await expect(store.deleteUser('1')).rejects.toMatchObject({ cause: { method: 'deleteUser' } })
    expect(await store.getUser('1')).toBeNull()
    down = false
    await store.deleteUser('1')
    expect(await store.atomic.getRecord?.(record)).toBeNull()
  })
})

describe('simultaneous work of one process', () => {
  test('T-OTV-1: takes a token once, also from an adapter that finds first and removes then', async () => {
    const { logger } = logging()
    const open = new Set(['t'])
    const adapter: Adapter = {
      async useVerificationToken({ identifier, token }) {
        const found = open.has(token)
        await new Promise((resolve) => setImmediate(resolve))
        open.delete(token)
        return found ? { identifier, token, expires: new Date(0) } : null
      },
    }
    // Two configurations with one adapter, as a function of the request makes them.
    const stores = [createStore(adapter, logger), createStore(adapter, logger)] as const
    const key = { identifier: 'a@x.example', token: 't' }
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stores[index % 2 ? 1 : 0].useVerificationToken(key)),
    )
    expect(taken.filter((each) => each !== null)).toHaveLength(1)
  })

  test('on one thing runs in sequence, other work does not wait, and a failure blocks nothing', async () => {
    const store = createStore({}, logging().logger)
    const order: string[] = []
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const first = store.inTurn('a', async () => {
      await gate
      order.push('first')
      throw new Error('failed')
    })
    const second = store.inTurn('a', async () => order.push('second'))
    await store.inTurn('b', async () => order.push('other'))
    open()
    await expect(first).rejects.toThrow('failed')
    await second
    expect(order).toEqual(['other', 'first', 'second'])
  })

  test('T-ACC-47: work waits at most ten seconds for earlier work with the same key that never ends', async () => {
    const store = createStore({}, logging().logger)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      void store.inTurn('a', () => new Promise(() => {}))
      const done = vi.fn<() => void>()
      const later = store.inTurn('a', async () => done())
      await vi.advanceTimersByTimeAsync(9999)
      expect(done).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      await later
      expect(done).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  test('counts no attempt with an invalid date as its end', async () => {
    const store = createStore({ [atomic]: { countAttempt: () => true } }, logging().logger)
    const attempt = { key: 'k', limit: 1, now: new Date(0) }
    await expect(store.countAttempt?.({ ...attempt, expires: new Date(1) })).resolves.toBe(true)
    await expect(
      store.countAttempt?.({ ...attempt, expires: new Date(Number.NaN) }),
    ).rejects.toMatchObject({ type: 'AdapterError' })
  })
})
