import { describe, expect, test } from 'vitest'
import { describeAdapter } from '../../../tests/contracts/adapter-contract.ts'
import { atomic } from '../../model/adapter.ts'
import { memoryAdapter } from './index.ts'

describeAdapter('memory', async () => memoryAdapter())

describe('the memory adapter', () => {
  test('keeps members of a user that it does not know', async () => {
    const adapter = memoryAdapter()
    const user = { id: '1', email: 'a@x.example', emailVerified: null, role: 'admin', tags: ['a'] }
    await adapter.createUser?.(user)
    user.tags.push('b')
    expect(await adapter.getUser?.('1')).toMatchObject({ role: 'admin', tags: ['a'] })
  })

  test('makes other calls wait until a transaction has ended', async () => {
    const adapter = memoryAdapter()
    const order: string[] = []
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const running = adapter[atomic]?.transaction?.(async (inside) => {
      await inside.createUser?.({ id: '1', email: 'a@x.example', emailVerified: null })
      await gate
      order.push('transaction')
    })
    const outside = Promise.resolve(adapter.getUser?.('1')).then((user) => {
      order.push('read')
      return user
    })
    open()
    await running
    expect(await outside).toMatchObject({ id: '1' })
    expect(order).toEqual(['transaction', 'read'])
  })

  test('shares nothing between two adapters', async () => {
    const [one, two] = [memoryAdapter(), memoryAdapter()]
    await one.createUser?.({ id: '1', email: 'a@x.example', emailVerified: null })
    expect(await two.getUser?.('1')).toBeNull()
  })
})
