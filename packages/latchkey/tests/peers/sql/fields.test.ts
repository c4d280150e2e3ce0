import { describe, expect, test } from 'vitest'
import { checkSchema, migrate, type Naming, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import type { AdapterUser } from '../../../src/model/user.ts'
import type { CompleteAdapter } from '../../../src/testing/adapter/index.ts'
import { expectApart } from '../../contracts/apart.ts'
import { engines } from './engines.ts'

const ada = { id: 'ada', email: 'ada@x.example', emailVerified: null }

/** Names of an application's own, and fields that it has besides ours. */
const naming: Naming = {
  prefix: 'auth_',
  user: {
    table: 'people',
    columns: {
      email: 'mail_address',
      role: { type: 'text' },
      phone: { name: 'phone_number', type: 'key' },
      since: { type: 'instant' },
      admin: { type: 'boolean' },
      settings: { type: 'json' },
    },
  },
  session: { columns: { device: 'device_name' } },
}

const settings = {
  theme: 'dark',
  list: [1, 'two', null, { 'a\0b': 'a\0b' }],
  'nul\0': { '\uE000': '' },
}
const since = new Date('2026-01-01T00:00:00.123Z')

for (const engine of await engines()) {
  describe(`fields of an application on ${engine.name}`, () => {
    test('are stored and returned, under the names of the application', async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store, { naming })
      expect(await checkSchema(store, { naming })).toEqual([])
      expect(await checkSchema(store)).not.toEqual([])
      const told: string[] = []
      const adapter = sqlAdapter(store, {
        naming,
        unknownFields: (table, field) => void told.push(`${table}.${field}`),
      })
      const own = { role: 'admin', phone: '+1', since, admin: true, settings }
      const whole = { ...ada, name: null, image: null, ...own }
      const given = { ...ada, ...own, shoe: 43 } as AdapterUser
      expect(await adapter.createUser?.(given)).toEqual(whole)
      expect(await adapter.getUserByEmail?.(ada.email)).toEqual(whole)
      expect(
        await adapter.updateUser?.({ id: 'ada', role: 'none', shoe: 44 } as { id: string }),
      ).toEqual({
        ...whole,
        role: 'none',
      })
      const session = { sessionToken: 's', userId: 'ada', expires: since, device: 'phone' }
      await adapter.createSession?.(session)
      expect((await adapter.getSessionAndUser?.('s'))?.session).toEqual(session)
      await adapter.createUser?.({ ...ada, id: 'bob', email: 'bob@x.example' })
      expect(await adapter.getUser?.('bob')).toMatchObject({ role: null, settings: null })
      expect(told).toEqual(['user.shoe'])
      const taken = { ...ada, id: 'eve' }
      await expect(async () => adapter.createUser?.(taken)).rejects.toMatchObject({
        conflict: 'user.email',
      })
    })

    test('T-DATA-5: are separate for two sets of tables in one database', async () => {
      await using opened = await engine.open()
      const { store } = opened
      const [one, other] = await Promise.all(
        [undefined, { prefix: 'second_' }].map(async (naming) => {
          expect(await migrate(store, { naming })).toEqual([1])
          return sqlAdapter(store, { naming }) as CompleteAdapter
        }),
      )
      if (!one || !other) throw new Error('there are two')
      await expectApart(one, other)
    })

    test('ids of the database replace those that the library proposed', async () => {
      await using opened = await engine.open()
      const { store } = opened
      const counted: Naming = { ids: 'serial' }
      await migrate(store, { naming: counted })
      const adapter = sqlAdapter(store, { naming: counted })
      const first = await adapter.createUser?.(ada)
      const second = await adapter.createUser?.({ ...ada, email: 'bob@x.example' })
      expect([first?.id, second?.id]).toEqual(['1', '2'])
      expect(await adapter.getUser?.('2')).toMatchObject({ email: 'bob@x.example' })
      for (const id of [
        '0',
        '01',
        '2 ',
        ' 2',
        '2.0',
        '2e0',
        '0x2',
        '-1',
        '99999999999',
        '9223372036854775807',
        '9223372036854775808',
        'ada',
        '',
      ]) {
        expect(await adapter.getUser?.(id)).toBeNull()
        expect(await adapter.deleteUser?.(id)).toBeNull()
      }
      const orphan = { sessionToken: 's', userId: 'ada', expires: since }
      await expect(async () => adapter.createSession?.(orphan)).rejects.toThrow('cannot be stored')
    })

    test('that are unknown are stored in a column for the rest, if there is one', async () => {
      await using opened = await engine.open()
      const { store } = opened
      const more: Naming = {
        user: { columns: { role: { type: 'text' } }, rest: 'more' },
        account: { rest: 'extra' },
      }
      await migrate(store, { naming: more })
      expect(await checkSchema(store, { naming: more })).toEqual([])
      const adapter = sqlAdapter(store, { naming: more, unknownFields: 'error' })
      const shoe = { size: 43, 'not-before-policy': null }
      const given = { ...ada, name: null, image: null, role: 'admin', shoe, more: 'or less' }
      expect(await adapter.createUser?.(given)).toEqual(given)
      expect(await adapter.getUser?.('ada')).toEqual(given)
      const changes = { id: 'ada', role: 'none', hat: ['\ud83c\udfa9', 'x\ud83c'] }
      // Half a character is none in a column of text, either.
      const after = { ...given, ...changes, hat: ['\ud83c\udfa9', 'x\ufffd'] }
      expect(await adapter.updateUser?.(changes)).toEqual(after)
      await adapter.updateUser?.({ id: 'ada', name: 'Ada' })
      expect(await adapter.getUserByEmail?.(ada.email)).toEqual({ ...after, name: 'Ada' })

      const key = { provider: 'acme', providerAccountId: '7' }
      const token = { ext_expires_in: 3599, ['__proto__']: { polluted: true }, 'x\ud83c\0': '\0' }
      await adapter.linkAccount?.({ ...key, userId: 'ada', type: 'oauth', ...token } as never)
      const account = await adapter.getAccount?.('7', 'acme')
      const same = { ext_expires_in: 3599, access_token: null, 'x\ufffd\0': '\0' }
      expect(account).toMatchObject({ ...key, ...same })
      expect(Object.getPrototypeOf(account)).toBe(Object.prototype)
      await adapter.createUser?.({ ...ada, id: 'bob', email: 'bob@x.example' })
      expect(await adapter.getUser?.('bob')).not.toHaveProperty('more')
      const lost = Array.from({ length: 5 }, (_, index) =>
        adapter.updateUser?.({ id: 'bob', [`field${index}`]: index }),
      )
      await Promise.all(lost)
      expect(await adapter.getUser?.('bob')).toMatchObject({ field0: 0, field2: 2, field4: 4 })
    })
  })
}

describe('a naming', () => {
  test.each(['a.b', 'a"b', 'a`b', 'a b', '', 'a;b', "a'b"])(
    'is refused with a table called %j',
    async (table) => {
      const [engine] = await engines()
      if (!engine) throw new Error('no SQLite')
      await using opened = await engine.open()
      const { store } = opened
      expect(() => sqlAdapter(store, { naming: { user: { table } } })).toThrow(
        'invalid name of a table or column',
      )
      expect(() => sqlAdapter(store, { naming: { schema: table } })).toThrow(
        'invalid name of a table or column',
      )
      expect(() => sqlAdapter(store, { naming: { user: { columns: { id: table } } } })).toThrow(
        'invalid name of a table or column',
      )
      expect(() => sqlAdapter(store, { naming: table as 'pg' })).toThrow('unknown naming')
    },
  )

  test.each<[what: string, naming: object, message: string]>([
    [
      'a misspelt resource',
      { users: { table: 'people' } },
      'unknown member users of `naming`; expected one of: user, ',
    ],
    ['one table twice', { user: { table: 'account' } }, 'two tables have the name account'],
    [
      'one column twice',
      { user: { columns: { email: 'name' } } },
      'two fields have the column name of the table user',
    ],
    [
      'a type that there is not',
      { user: { columns: { email: { type: 'varchar' } } } },
      'the column email of the table user cannot have the type varchar',
    ],
    [
      'dates in a type that there is not',
      { instants: 'year' },
      'the column emailVerified of the table user cannot have the type year',
    ],
    ['a layout that is a word of the language', { preset: 'constructor' }, 'unknown naming'],
  ])('is refused with %s', async (_, naming, message) => {
    for (const engine of await engines()) {
      await using opened = await engine.open()
      expect(() => sqlAdapter(opened.store, { naming })).toThrow(message)
    }
  })
})
