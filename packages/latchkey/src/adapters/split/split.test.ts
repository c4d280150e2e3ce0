import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import { connectRedis, removeKeys, type TestRedis } from '../../../tests/support/redis.ts'
import { type Adapter, atomic } from '../../model/adapter.ts'
import type { AdapterUser } from '../../model/user.ts'
import { type CompleteAdapter, interruptible } from '../../testing/adapter/index.ts'
import { memoryAdapter } from '../memory/index.ts'
import { fromNodeRedis, redisAdapter } from '../redis/index.ts'
import { migrate, type SqlStore, sqlAdapter } from '../sql/index.ts'
import { openNodeSqlite } from '../sql/node-sqlite.ts'
import { pgStore } from '../sql/pg.ts'
import { splitAdapter } from './index.ts'

const run = `latchkey_split_${randomBytes(6).toString('hex')}`
const postgresUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'

const records = true

let redis: TestRedis
let server: pg.Client
let pool: pg.Pool
let postgres: SqlStore
beforeAll(async () => {
  redis = await connectRedis()
  server = new pg.Client(postgresUrl)
  await server.connect()
  await server.query(`CREATE DATABASE ${run}`)
  pool = new pg.Pool({
    connectionString: Object.assign(new URL(postgresUrl), { pathname: run }).href,
  })
  postgres = pgStore(pool)
  await migrate(postgres, { records })
})
afterAll(async () => {
  await removeKeys(redis, run)
  await redis.close()
  await pool.end()
  await server.query(`DROP DATABASE ${run}`)
  await server.end()
})

let stores = 0
const newPrefix = () => `${run}:${++stores}:`
const inRedis = (prefix = newPrefix()) => redisAdapter(fromNodeRedis(redis), { prefix })

const except = {
  'T-DATA-3: a transaction that succeeds stores all of its changes': 'a session is no part of it',
}

function outOfOrder(): Adapter {
  const down = () => Promise.reject(new Error('down'))
  const names = Object.keys(memoryAdapter())
  return Object.fromEntries(names.map((name) => [name, down]))
}

describeAdapter(
  'split (memory, memory)',
  async () => {
    const [users, sessions] = [memoryAdapter(), memoryAdapter()]
    return sideBySide(() => splitAdapter({ users, sessions }))
  },
  {
    except,
    failing: async () => splitAdapter({ users: outOfOrder(), sessions: outOfOrder() }),
    async interruptible() {
      const isChange = (method: string) =>
        /^(?:create|update|delete|link|unlink|use|replace|take)/.test(method)
      const { wrap, interrupt } = interruptible(isChange)
      const [users, sessions] = [wrap(memoryAdapter()), wrap(memoryAdapter())]
      return { ...splitAdapter({ users, sessions }), interrupt }
    },
  },
)

describeAdapter(
  'split (Redis, SQLite)',
  async () => {
    const store = openNodeSqlite(':memory:')
    await migrate(store, { records })
    const prefix = newPrefix()
    const adapter = await sideBySide(() =>
      splitAdapter({ users: sqlAdapter(store, { records }), sessions: inRedis(prefix) }),
    )
    return { ...adapter, [Symbol.asyncDispose]: () => store.close() }
  },
  { except },
)

describeAdapter(
  'split (Redis, PostgreSQL)',
  async () => {
    await pool.query('TRUNCATE "user", record CASCADE')
    const prefix = newPrefix()
    return sideBySide(() =>
      splitAdapter({ users: sqlAdapter(postgres, { records }), sessions: inRedis(prefix) }),
    )
  },
  { except },
)

const ada: AdapterUser = { id: '1', name: 'Ada', email: 'ada@x.example', emailVerified: null }
const expires = new Date('2030-01-01T00:00:00.123Z')
const session = { sessionToken: 's', userId: '1', expires }

/** Opens two memory adapters. The methods in `broken` fail. */
async function open() {
  const broken = new Set<string>()
  const breakable = (part: string, adapter: Adapter) =>
    Object.fromEntries(
      Object.entries(adapter).map(([name, method]) => [
        name,
        async (...args: never[]) => {
          if (broken.has(`${part}.${name}`)) throw new Error(`${part} is gone`)
          return (method as (...args: never[]) => unknown)(...args)
        },
      ]),
    ) as unknown as CompleteAdapter
  const users = breakable('users', memoryAdapter())
  const sessions = breakable('sessions', memoryAdapter())
  const adapter = splitAdapter({ users, sessions }) as CompleteAdapter
  await adapter.createUser(ada)
  return { adapter, users, sessions, broken }
}

describe('the split adapter', () => {
  test('stores only the id of a user beside the sessions', async () => {
    const { adapter, sessions } = await open()
    await adapter.createSession(session)
    const nothing = { name: null, email: null, emailVerified: null, image: null }
    expect(await sessions.getUser('1')).toEqual({ id: '1', ...nothing })
    expect(await sessions.getSessionAndUser('s')).toMatchObject({ session })
    expect(await adapter.getSessionAndUser('s')).toMatchObject({ session, user: ada })
  })

  test('T-SESS-5: ends and cleans up sessions that the store of users still has from before', async () => {
    const users = memoryAdapter() as CompleteAdapter
    await users.createUser(ada)
    await users.createSession({ ...session, sessionToken: 'before' })
    await users.createSession({ ...session, sessionToken: 'over', expires: new Date(0) })
    const split = splitAdapter({ users, sessions: memoryAdapter() }) as CompleteAdapter
    await split.createSession(session)
    expect(await split[atomic].cleanup({ now: new Date(1), batch: 10 })).toBe(1)
    expect(await split[atomic].deleteSessionsByUserId('1')).toBe(2)
    expect(await users[atomic].listSessionsByUserId('1')).toEqual([])
    expect(await split[atomic].listSessionsByUserId('1')).toEqual([])
  })

  test('creates one guest for a user who signs in twice at once', async () => {
    const { adapter } = await open()
    await Promise.all(
      ['a', 'b', 'c'].map((sessionToken) => adapter.createSession({ ...session, sessionToken })),
    )
    expect(await adapter.getSessionAndUser('a')).not.toBeNull()
    expect(await adapter.getSessionAndUser('c')).not.toBeNull()
  })

  test('creates no session for a missing user, and leaves nothing behind', async () => {
    const { adapter, sessions } = await open()
    await expect(adapter.createSession({ ...session, userId: '2' })).rejects.toThrow(
      'the user of this session does not exist',
    )
    expect(await sessions.getUser('2')).toBeNull()
    expect(await sessions.getSessionAndUser('s')).toBeNull()
  })

  test('names the cause if the sessions cannot be stored', async () => {
    const { adapter, broken } = await open()
    broken.add('sessions.createSession')
    await expect(adapter.createSession(session)).rejects.toThrow('sessions is gone')
  })

  test('returns no session whose user was deleted in the other store', async () => {
    const { adapter, users } = await open()
    await adapter.createSession(session)
    await users.deleteUser('1')
    expect(await adapter.getSessionAndUser('s')).toBeNull()
  })

  test.each(['users.getUser', 'sessions.updateUser', 'sessions.deleteUser', 'users.deleteUser'])(
    'T-LINK-8: leaves no usable session after a deletion that fails at %s and is repeated',
    async (where) => {
      const { adapter, sessions, broken } = await open()
      await adapter.createSession(session)
      const token = { identifier: ada.email, token: 't', expires }
      await adapter.createVerificationToken(token)
      broken.add(where)
      await expect(adapter.deleteUser('1')).rejects.toThrow('is gone')
      broken.clear()
      // Either nothing has happened, or nobody is signed in.
      const half = await adapter.getSessionAndUser('s')
      expect(half === null).toBe(where === 'users.deleteUser')
      await adapter.deleteUser('1')
      expect(await adapter.getUser('1')).toBeNull()
      expect(await sessions.getUser('1')).toBeNull()
      expect(await sessions.getSessionAndUser('s')).toBeNull()
      expect(await adapter.useVerificationToken(token)).toBeNull()
    },
  )

  test('T-LINK-8: leaves no usable session after a deletion that fails at its end', async () => {
    const { adapter, users, sessions, broken } = await open()
    await adapter.createSession(session)
    const { deleteUser } = users
    users.deleteUser = async (id) => {
      users.deleteUser = deleteUser
      // The user signs in during the deletion.
      await sessions.createUser({ ...ada, email: null as never })
      await sessions.createSession(session)
      broken.add('sessions.deleteUser')
      return deleteUser(id)
    }
    await expect(adapter.deleteUser('1')).rejects.toThrow('sessions is gone')
    expect(await adapter.getSessionAndUser('s')).toBeNull()
    broken.clear()
    await adapter.deleteUser('1')
    expect(await sessions.getSessionAndUser('s')).toBeNull()
  })

  test('deletes the next owner of an address that an interrupted deletion left behind', async () => {
    const { adapter, sessions, broken } = await open()
    broken.add('sessions.deleteUser')
    await expect(adapter.deleteUser('1')).rejects.toThrow('sessions is gone')
    broken.clear()
    expect(await sessions.getUserByEmail(ada.email)).toMatchObject({ id: '1' })
    await adapter.updateUser({ id: '1', email: 'other@x.example' })
    await adapter.createUser({ ...ada, id: '2' })
    const token = { identifier: ada.email, token: 't', expires }
    await adapter.createVerificationToken(token)
    await adapter.deleteUser('2')
    expect(await adapter.useVerificationToken(token)).toBeNull()
    expect(await adapter.getUser('1')).toMatchObject({ email: 'other@x.example' })
  })

  test('has no sessions in a transaction, since they could not be undone', async () => {
    const adapter = splitAdapter({ users: memoryAdapter(), sessions: memoryAdapter() })
    await adapter[atomic]?.transaction?.(async (inside) => {
      expect(Object.keys(inside)).toEqual(expect.arrayContaining(['createUser', 'linkAccount']))
      for (const name of Object.keys(inside)) expect(name).not.toMatch(/Session|Token|deleteUser/)
    })
    expect.assertions(13)
  })

  test('has the methods that its parts have, and no more', () => {
    const { transaction: _, ...abilities } = memoryAdapter()[atomic] ?? {}
    const plain = { ...memoryAdapter(), [atomic]: abilities }
    expect(splitAdapter({ users: plain, sessions: memoryAdapter() })[atomic]).not.toHaveProperty(
      'transaction',
    )
    expect(splitAdapter({ users: {}, sessions: {} })).toEqual({ [atomic]: {} })
    const { useVerificationToken: _token, ...rest } = memoryAdapter()
    const adapter = splitAdapter({ users: memoryAdapter(), sessions: rest })
    expect(adapter).not.toHaveProperty('useVerificationToken')
    expect(adapter).toHaveProperty('createVerificationToken')
  })

  test('refuses a store of sessions that gives users other ids', async () => {
    const sessions = memoryAdapter()
    const other: Adapter = {
      ...sessions,
      createUser: (user) => sessions.createUser?.({ ...user, id: 'another' }),
    }
    const adapter = splitAdapter({ users: memoryAdapter(), sessions: other }) as CompleteAdapter
    await adapter.createUser(ada)
    await expect(adapter.createSession(session)).rejects.toThrow('must store users under the ids')
  })

  test('cannot delete users if the store of users cannot', async () => {
    const { deleteUser: _, ...users } = memoryAdapter()
    expect(splitAdapter({ users, sessions: memoryAdapter() })).not.toHaveProperty('deleteUser')
    const { createSession: _session, ...tokens } = memoryAdapter()
    expect(splitAdapter({ users: memoryAdapter(), sessions: tokens })).toHaveProperty('deleteUser')
  })

  test('ignores verification tokens if no store has them', async () => {
    const { createVerificationToken: _, ...sessions } = memoryAdapter()
    const adapter = splitAdapter({ users: memoryAdapter(), sessions }) as CompleteAdapter
    await adapter.createUser(ada)
    expect(await adapter.deleteUser('1')).toMatchObject(ada)
  })

  test('refuses a store of sessions that cannot store their user', () => {
    const { createSession } = memoryAdapter()
    const sessions = createSession ? { createSession } : {}
    expect(() => splitAdapter({ users: memoryAdapter(), sessions })).toThrow(
      'the adapter for sessions lacks createUser, getUser',
    )
  })
})
