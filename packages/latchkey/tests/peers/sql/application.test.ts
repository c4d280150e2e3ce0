import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import { migrate, type Naming, type SqlStore, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { atomic } from '../../../src/model/adapter.ts'
import type { CompleteAdapter } from '../../../src/testing/adapter/index.ts'
import { engines } from './engines.ts'

const ada = { id: 'ada', email: 'ada@x.example', emailVerified: null }
const bob = { id: 'bob', email: 'bob@x.example', emailVerified: null }
const now = new Date('2030-01-01T00:00:00.000Z')
const expires = new Date('2030-01-02T00:00:00.000Z')

type Database = SqlStore['db']

for (const engine of await engines()) {
  describe(`an application's own transaction on ${engine.name}`, () => {
    async function open(naming?: Naming) {
      const opened = await engine.open()
      await migrate(opened.store, { naming })
      const current = new AsyncLocalStorage<Database>()
      const transaction = () => current.getStore()
      const adapter = sqlAdapter(opened.store, { transaction, naming }) as CompleteAdapter
      /** Does all of it, and then fails if it is to be undone. */
      const together = (work: () => Promise<unknown>, undone = false) =>
        opened.store.db.transaction().execute((bound) =>
          current.run(bound, async () => {
            await work()
            if (undone) throw new Error('undone')
          }),
        )
      const alone = (work: () => Promise<unknown>) => current.exit(work)
      return {
        adapter,
        together,
        alone,
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      }
    }

    test('includes the writes of Latchkey, and undoes them', async () => {
      await using it = await open()
      const { adapter, together } = it
      const write = async () => {
        await adapter.createUser(ada)
        await adapter.createSession({ sessionToken: 's', userId: 'ada', expires })
        // It sees what it wrote itself.
        expect((await adapter.getSessionAndUser('s'))?.user.id).toBe('ada')
        await adapter[atomic].renameSession('s', 't')
      }
      await expect(together(write, true)).rejects.toThrow('undone')
      expect(await adapter.getUser('ada')).toBeNull()
      await together(write)
      expect((await adapter.getSessionAndUser('t'))?.user.id).toBe('ada')
    })

    test('contains the transactions of Latchkey', async () => {
      await using it = await open()
      const { adapter, together } = it
      const write = () =>
        adapter[atomic].transaction(async (inside) => {
          await inside.createUser?.(ada)
          await inside.createUser?.(bob)
        })
      await expect(together(write, true)).rejects.toThrow('undone')
      expect(await adapter.getUser('bob')).toBeNull()
      await adapter.createUser(ada)
      await together(async () => adapter.deleteUser('ada'))
      expect(await adapter.getUser('ada')).toBeNull()
    })

    test('continues without a failed transaction of Latchkey', async () => {
      await using it = await open()
      const { adapter, together } = it
      await adapter.createUser(ada)
      const failing = () =>
        adapter[atomic].transaction(async (inside) => {
          await inside.createUser?.(bob)
          await inside.createUser?.({ ...ada, id: 'other' })
        })
      await together(async () => {
        await adapter.createSession({ sessionToken: 's', userId: 'ada', expires })
        await expect(adapter[atomic].transaction(failing)).rejects.toMatchObject({
          conflict: 'user.email',
        })
        expect(await adapter.getUser('bob')).toBeNull()
        await adapter[atomic].transaction(async (inside) =>
          inside.updateUser?.({ ...ada, name: 'A' }),
        )
      })
      expect(await adapter.getUserByEmail(bob.email)).toBeNull()
      expect((await adapter.getSessionAndUser('s'))?.user.name).toBe('A')
    })

    const stays = engine.name !== 'SQLite'
    test('keeps members that another call has added meanwhile', async () => {
      const rest: Naming = { user: { rest: 'more' } }
      await using it = await open(rest)
      const { adapter, together, alone } = it
      await adapter.createUser(ada)
      await together(async () => {
        await adapter.getUser('ada')
        const addHat = async () => adapter.updateUser({ id: 'ada', hat: 'theirs' } as never)
        // SQLite has one connection: another would wait.
        await (stays ? alone(addHat) : addHat())
        await adapter.updateUser({ id: 'ada', shoe: 'ours' } as never)
      })
      expect(await adapter.getUser('ada')).toMatchObject({ hat: 'theirs', shoe: 'ours' })
    })

    test(`${stays ? 'does not include' : 'includes'} counted attempts`, async () => {
      await using it = await open()
      const { adapter, together } = it
      const attempt = { key: 'k', limit: 1, now, expires }
      const write = async () => expect(await adapter[atomic].countAttempt(attempt)).toBe(true)
      await expect(together(write, true)).rejects.toThrow('undone')
      expect(await adapter[atomic].countAttempt(attempt)).toBe(!stays)
    })
  })

  test(`ids of users on ${engine.name} are generated by a function of the application`, async () => {
    await using opened = await engine.open()
    let made = 0
    const naming = { generateId: () => `user_${++made}` }
    await migrate(opened.store, { naming })
    const adapter = sqlAdapter(opened.store, { naming }) as CompleteAdapter
    expect((await adapter.createUser(ada)).id).toBe('user_1')
    expect((await adapter.createUser(bob)).id).toBe('user_2')
    expect((await adapter.getUserByEmail(bob.email))?.id).toBe('user_2')
    await adapter.updateUser({ id: 'user_2', name: 'Bob' })
    expect(await adapter.getUser('user_2')).toMatchObject({ name: 'Bob', email: bob.email })
    expect(made).toBe(2)
  })

  test.each([undefined, '', 7, Promise.resolve('id')])(
    `an id on ${engine.name} from that function must not be %j`,
    async (id) => {
      await using opened = await engine.open()
      await migrate(opened.store)
      const naming = { generateId: () => id as string }
      const adapter = sqlAdapter(opened.store, { naming }) as CompleteAdapter
      await expect(async () => adapter.createUser(ada)).rejects.toThrow(
        'must return a string that is not empty, got ',
      )
      expect(await adapter.getUserByEmail(ada.email)).toBeNull()
    },
  )
}
