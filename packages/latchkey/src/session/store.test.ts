import { describe, expect, test } from 'vitest'
import { type Adapter, atomic } from '../model/adapter.ts'
import type { Logger } from '../options/redacting-logger.ts'
import { createStore } from './store.ts'

function logging(): { logger: Logger; errors: Error[] } {
  const errors: Error[] = []
  return { errors, logger: { error: (error) => void errors.push(error), warn() {}, debug() {} } }
}

describe('the store', () => {
  test('says which method an adapter lacks', async () => {
    const { logger } = logging()
    await expect(createStore({}, logger).deleteUser('x')).rejects.toMatchObject({
      type: 'MissingAdapterMethods',
      message: 'the adapter has no method deleteUser',
      cause: { method: 'deleteUser' },
    })
  })

  test.for([new Error('gone'), 'gone', undefined])(
    'makes an AdapterError of what a method throws, and logs it: %s',
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

  test('finds nobody whose address is another one than asked for', async () => {
    const found = { id: '1', email: 'adA@example.com', emailVerified: null }
    const store = createStore({ getUserByEmail: () => found }, logging().logger)
    expect(await store.getUserByEmail('ada@example.com')).toBe(found)
    expect(await store.getUserByEmail('áda@example.com')).toBeNull()
  })

  test('has transactions where the adapter has, and tells a failure of theirs apart', async () => {
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
