import { expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import { atomic } from '../../src/model/adapter.ts'

const record = { kind: 'k', key: 'a', userId: '1', data: {}, version: 1, createdAt: new Date(0) }

test('T-LINK-8: an application deletes a user together with the records beside the adapter', async () => {
  const [adapter, records] = [memoryAdapter(), memoryAdapter()]
  const config = { providers: [], adapter, records, secret: 'x'.repeat(32), trustHost: true }
  const latchkey = createLatchkey(config)
  await latchkey.adapter?.createUser?.({ id: '1', email: 'ada@x.example', emailVerified: null })
  await latchkey.adapter?.[atomic]?.createRecord?.(record, new Date(0))
  expect(await records[atomic]?.getRecord?.(record)).not.toBeNull()
  await latchkey.adapter?.deleteUser?.('1')
  expect(await adapter.getUser?.('1')).toBeNull()
  expect(await records[atomic]?.getRecord?.(record)).toBeNull()
})

test('T-LINK-8: plugins learn of a user whom the application deleted', async () => {
  const adapter = memoryAdapter()
  const told: [string, unknown][] = []
  const mourns = definePlugin({
    name: 'mourns',
    setUp: () => ({
      onUserDelete: async (userId) => void told.push([userId, await adapter.getUser?.(userId)]),
    }),
  })
  const config = { providers: [], adapter, secret: 'x'.repeat(32), trustHost: true }
  const latchkey = createLatchkey({ ...config, plugins: [mourns] })
  await adapter.createUser?.({ id: '1', email: 'ada@x.example', emailVerified: null })
  await latchkey.adapter?.deleteUser?.('1')
  expect(told).toEqual([['1', null]])
})

test('the adapter of an instance has the methods of the given one, and is missing if none was given', () => {
  const config = { providers: [], secret: 'x'.repeat(32), trustHost: true }
  const { createAuthenticator: _, ...adapter } = memoryAdapter()
  const latchkey = createLatchkey({ ...config, adapter })
  expect(latchkey.adapter).not.toHaveProperty('createAuthenticator')
  expect(latchkey.adapter).toHaveProperty('deleteUser')
  expect(createLatchkey(config).adapter).toBeUndefined()
  expect(createLatchkey(() => ({ ...config, adapter })).adapter).toBeUndefined()
})
