import { inspect } from 'node:util'
import { createNodeEngines } from '@surrealdb/node'
import { atomic } from 'latchkey/adapters'
import { recordStoreAdapter, surrealClient, surrealSchema } from 'latchkey/adapters/record-store'
import { Surreal } from 'surrealdb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  describeAdapter,
  sideBySide,
} from '../../../packages/latchkey/tests/contracts/adapter-contract.ts'

// The engine runs within this process, and waits for it.

let surreal: Surreal
beforeAll(async () => {
  surreal = new Surreal({ engines: createNodeEngines() })
  await surreal.connect('mem://')
})
afterAll(async () => {
  await surreal.close()
})

let databases = 0
/** A client on a database with our tables and nothing in them. */
async function open(prefix = 'nextauth_') {
  await surreal.use({ namespace: 'latchkey', database: `test${++databases}` })
  for (const statement of surrealSchema({ prefix })) await surreal.query(statement)
  return surrealClient(surreal, { prefix })
}

describeAdapter(
  'SurrealDB',
  async () => {
    const client = await open()
    return sideBySide(() => recordStoreAdapter(client, { records: true }))
  },
  { without: ['transaction'] },
)

const expires = new Date('2030-01-01T00:00:00.123Z')
const ada = { id: '1', name: 'Ada', email: 'ada@x.example', emailVerified: null }

describe('in SurrealDB', () => {
  test('links are links, dates are dates, and the schema may be defined twice', async () => {
    const adapter = recordStoreAdapter(await open('auth`s_'))
    await adapter.createUser?.(ada)
    await adapter.createSession?.({ sessionToken: 's', userId: '1', expires })
    for (const statement of surrealSchema({ prefix: 'auth`s_' })) await surreal.query(statement)
    const [rows] = await surreal.query<[unknown]>(
      'SELECT VALUE [session.user.email, type::is_datetime(session.expires), user.name] FROM `auth\\`s_users_sessions`',
    )
    expect(rows).toEqual([['ada@x.example', true, 'Ada']])
  })

  test('a list or an object in a record is replaced, not merged', async () => {
    const adapter = recordStoreAdapter(await open())
    await adapter.createUser?.({ ...ada, rights: { read: true }, tags: [] } as typeof ada)
    const rights = { write: true }
    await adapter.updateUser?.({ id: '1', rights } as { id: string })
    expect(await adapter.getUser?.('1')).toEqual({ ...ada, image: null, rights, tags: [] })
  })

  test('nothing is found by an empty id', async () => {
    const adapter = recordStoreAdapter(await open())
    await adapter.createUser?.(ada)
    expect(await adapter.listAuthenticatorsByUserId?.('')).toEqual([])
    expect(await adapter.deleteUser?.('')).toBeNull()
    expect(await adapter[atomic]?.listUsers?.({ limit: 9, after: '' })).toMatchObject({
      next: null,
    })
    await expect(
      adapter.createSession?.({ sessionToken: 's', userId: '', expires }),
    ).rejects.toThrow('does not exist')
  })

  test('the error of a conflict has no values', async () => {
    const adapter = recordStoreAdapter(await open())
    await adapter.createUser?.(ada)
    const error = await Promise.resolve(adapter.createUser?.({ ...ada, id: '2' })).catch(
      (why) => why,
    )
    expect(error).toMatchObject({ conflict: 'user.email' })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('ada@')
  })

  test('T-SESS-5: a session that an index misses for a moment is ended nevertheless', async () => {
    await open()
    let looks = 0
    const adapter = recordStoreAdapter(
      surrealClient({
        query: async (statement, bindings) =>
          /^SELECT.*sessionToken/.test(statement) && ++looks % 3 !== 0
            ? [[]]
            : surreal.query(statement, bindings),
      }),
    )
    await adapter.createUser?.(ada)
    await adapter.createSession?.({ sessionToken: 's', userId: '1', expires })
    looks = 0
    expect(await adapter.deleteSession?.('s')).toMatchObject({ sessionToken: 's' })
    expect(await adapter.getSessionAndUser?.('s')).toBeNull()
  })

  test('a failure of the database is an error', async () => {
    const client = surrealClient({
      query: async () => {
        throw new Error('There was a problem with the database')
      },
    })
    await expect(client.get('users', '1')).rejects.toThrow('a problem')
  })
})
