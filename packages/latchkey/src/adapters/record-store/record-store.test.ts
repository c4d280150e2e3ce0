import { describe, expect, test } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import { createMailbox } from '../../entries/testing.ts'
import { type Adapter, AdapterConflict, atomic } from '../../model/adapter.ts'
import type { AdapterUser } from '../../model/user.ts'
import { validate } from '../../option-checks/validate.ts'
import { type CompleteAdapter, interruptible } from '../../testing/adapter/index.ts'
import {
  type CollectionName,
  collections,
  DuplicateRecord,
  type Fields,
  type RecordStoreClient,
  recordStoreAdapter,
  type StoredRecord,
} from './index.ts'

/** A record store in this process. Each call is atomic, after a short delay. */
function inMemory() {
  const store = new Map<CollectionName, Map<string, StoredRecord>>()
  let last = 0
  const all = (name: CollectionName) => {
    const records = store.get(name) ?? new Map<string, StoredRecord>()
    store.set(name, records)
    return records
  }
  const fits = (record: Fields, where: Fields) =>
    Object.entries(where).every(([member, value]) => record[member] === value)
  const put = (name: CollectionName, record: StoredRecord): StoredRecord => {
    const { unique } = collections[name]
    const key = unique.map((member) => record[member])
    const taken = [...all(name).values()].some(
      (each) =>
        each.id !== record.id && key.every((value, index) => value === each[unique[index] ?? '']),
    )
    if (taken && !key.includes(null) && !key.includes(undefined)) throw new DuplicateRecord(name)
    all(name).set(record.id, structuredClone(record))
    return structuredClone(record)
  }
  const later = () => new Promise((resolve) => setImmediate(resolve))
  const client = {
    async create(name, { id = `${name}-${++last}`, ...fields }) {
      await later()
      if (all(name).has(String(id))) throw new DuplicateRecord(name)
      return put(name, { ...fields, id: String(id) })
    },
    async get(name, id) {
      await later()
      return structuredClone(all(name).get(id)) ?? null
    },
    async query(name, where) {
      await later()
      return structuredClone([...all(name).values()].filter((record) => fits(record, where)))
    },
    async update(name, id, changes, expected = {}) {
      await later()
      const before = all(name).get(id)
      return before && fits(before, expected) ? put(name, { ...before, ...changes }) : null
    },
    async delete(name, id) {
      await later()
      const before = all(name).get(id) ?? null
      all(name).delete(id)
      return before
    },
    async takeOnce(name, where) {
      await later()
      const found = [...all(name).values()].find((record) => fits(record, where)) ?? null
      if (found) all(name).delete(found.id)
      return found
    },
    async expired(name, before, limit) {
      await later()
      const over = (record: StoredRecord) =>
        record['expires'] instanceof Date && record['expires'] < before
      return [...all(name).values()].filter(over).slice(0, limit)
    },
    async page(name, { limit, after = '' }) {
      await later()
      const ids = [...all(name).keys()].toSorted().filter((id) => id > after)
      return ids.slice(0, limit).flatMap((id) => all(name).get(id) ?? [])
    },
  } satisfies RecordStoreClient
  /** The stored records, by collection. */
  const stored = (): Partial<Record<CollectionName, StoredRecord[]>> =>
    Object.fromEntries(
      [...store]
        .filter(([, records]) => records.size > 0)
        .map(([name, records]) => [name, [...records.values()]]),
    )
  return { client, stored }
}

const without = ['transaction'] as const
function outOfOrder(): RecordStoreClient {
  const down = () => Promise.reject(new Error('down'))
  const { client } = inMemory()
  return Object.fromEntries(Object.keys(client).map((name) => [name, down])) as never
}

const openTwo = async () => {
  const { client } = inMemory()
  return sideBySide(() => recordStoreAdapter(client, { records: true }))
}

describeAdapter('record store', openTwo, {
  without,
  failing: async () => recordStoreAdapter(outOfOrder(), { records: true }),
  async interruptible() {
    const changes = ['create', 'update', 'delete', 'takeOnce']
    const { wrap, interrupt } = interruptible((method) => changes.includes(method))
    return { ...recordStoreAdapter(wrap(inMemory().client), { records: true }), interrupt }
  },
})

/** A client with only the required methods. */
function small({ create, get, query, update, delete: remove }: RecordStoreClient) {
  return { create, get, query, update, delete: remove }
}

describeAdapter(
  'record store, without taking once',
  async () => recordStoreAdapter(small(inMemory().client)),
  {
    without: [
      'transaction',
      'createRecord',
      'createVerificationToken',
      'useVerificationToken',
      'renameSession',
      'updateAccount',
      'countAttempt',
      'acquireLease',
      'cleanup',
      'deleteSessionsByUserId',
      'listUsers',
    ],
  },
)

const ada: AdapterUser = { id: '1', name: 'Ada', email: 'ada@x.example', emailVerified: null }
const expires = new Date('2030-01-01T00:00:00.123Z')
const session = { sessionToken: 's', userId: '1', expires }
const account = { userId: '1', type: 'oauth', provider: 'acme', providerAccountId: '7' } as const

function open() {
  const { client, stored } = inMemory()
  const adapter = recordStoreAdapter(client) as CompleteAdapter
  return { client, stored, adapter, atomic: adapter[atomic] }
}

describe('in a record store', () => {
  test('records are in six collections, and link to each other', async () => {
    const { adapter, stored } = open()
    await adapter.createUser(ada)
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    await adapter.createVerificationToken({ identifier: 'a', token: 't', expires })
    const { userId: _, ...bare } = account
    expect(stored()).toEqual({
      users: [ada],
      accounts: [{ ...bare, id: 'accounts-1', user: '1' }],
      users_accounts: [{ id: 'users_accounts-2', user: '1', account: 'accounts-1' }],
      sessions: [{ id: 'sessions-3', sessionToken: 's', expires, user: '1' }],
      users_sessions: [{ id: 'users_sessions-4', user: '1', session: 'sessions-3' }],
      verificationTokens: [{ id: 'verificationTokens-5', identifier: 'a', token: 't', expires }],
    })
  })

  test('T-DATA-1: e-mail sign-in is refused if the store cannot take a value once', () => {
    const { provider: mail } = createMailbox()
    const fault = (adapter: Adapter) =>
      validate({ providers: [], trustHost: true, secret: 'x'.repeat(32), adapter }, [mail]).fault
    expect(fault(recordStoreAdapter(small(inMemory().client)))?.type).toBe('MissingAdapterMethods')
    expect(fault(recordStoreAdapter(inMemory().client))).toBeUndefined()
  })

  test('T-LINK-8: nothing is left of a deleted user, account or session', async () => {
    const { adapter, stored, atomic } = open()
    await adapter.createUser(ada)
    await adapter.linkAccount(account)
    await adapter.unlinkAccount(account)
    await adapter.createSession(session)
    await adapter.deleteSession('s')
    expect(Object.keys(stored())).toEqual(['users'])
    await adapter.createSession(session)
    await atomic.deleteSessionsByUserId('1')
    expect(Object.keys(stored())).toEqual(['users'])
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    await adapter.createVerificationToken({ identifier: ada.email, token: 't', expires })
    await adapter.deleteUser('1')
    expect(stored()).toEqual({})
  })

  test('T-LINK-8: an interrupted deletion is completed by another one', async () => {
    const { client, stored, adapter } = open()
    await adapter.createUser(ada)
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    const { query } = client
    client.query = async (name, where) => {
      if (name === 'sessions') throw new Error('the store is gone')
      return query(name, where)
    }
    await expect(adapter.deleteUser('1')).rejects.toThrow('the store is gone')
    client.query = query
    expect(await adapter.getSessionAndUser('s')).toBeNull()
    expect(await adapter.getUserByAccount(account)).toBeNull()
    await adapter.deleteUser('1')
    expect(stored()).toEqual({})
  })

  test('accounts of a deleted user do not block a new user', async () => {
    const { client, adapter } = open()
    await adapter.createUser(ada)
    await adapter.linkAccount(account)
    await client.delete('users', '1')
    await adapter.createUser({ ...ada, id: '2' })
    await adapter.linkAccount({ ...account, userId: '2' })
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: '2' })
  })

  test('a store that ignores case does not find another user', async () => {
    const { client, adapter } = open()
    await adapter.createUser(ada)
    await adapter.createSession(session)
    await adapter.createVerificationToken({ identifier: 'a', token: 't', expires })
    const { query, takeOnce } = client
    const folded = (where: Fields): Fields =>
      Object.fromEntries(
        Object.entries(where).map(([name, value]) => [name, String(value).toLowerCase()]),
      )
    client.query = (name, where) => query(name, folded(where))
    client.takeOnce = (name, where) => takeOnce(name, folded(where))
    expect(await adapter.getUserByEmail('ADA@x.example')).toBeNull()
    expect(await adapter.getSessionAndUser('S')).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: 'A', token: 't' })).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: 'a', token: 't' })).not.toBeNull()
  })

  test('a duplicate that the store reports is a conflict, and another failure is not', async () => {
    const { client, adapter } = open()
    await adapter.createUser(ada)
    client.query = async () => []
    await adapter.linkAccount(account)
    await expect(adapter.linkAccount(account)).rejects.toThrow(AdapterConflict)
    client.create = async () => {
      throw new Error('the store is gone')
    }
    await expect(adapter.linkAccount(account)).rejects.toThrow('the store is gone')
  })

  test('an update without members changes nothing, also for missing rows', async () => {
    const { adapter, atomic } = open()
    const user = await adapter.createUser(ada)
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    expect(await adapter.updateUser({ id: '1' })).toEqual(user)
    expect(await adapter.updateSession({ sessionToken: 's' })).toEqual(session)
    expect(await adapter.updateSession({ sessionToken: 'none' })).toBeNull()
    const { provider } = account
    expect(await atomic.updateAccount({ provider, providerAccountId: '7' })).toBe(true)
    expect(await atomic.updateAccount({ provider, providerAccountId: '8' })).toBe(false)
  })

  test('a failure while attempts are counted is reported', async () => {
    const { client, atomic } = open()
    client.create = async () => {
      throw new Error('the store is gone')
    }
    const now = new Date('2029-12-31T00:00:00.000Z')
    await expect(atomic.countAttempt({ key: 'k', limit: 2, now, expires })).rejects.toThrow('gone')
  })

  test('cleaning up removes expired attempts, and no lease', async () => {
    const { atomic, stored } = open()
    const now = new Date('2029-12-31T00:00:00.000Z')
    await atomic.countAttempt({ key: 'k', limit: 2, now, expires })
    await atomic.acquireLease({ name: 'l', now, expires })
    expect(await atomic.cleanup({ now: new Date(expires.getTime() + 1), batch: 9 })).toBe(1)
    expect(stored().counters).toMatchObject([{ key: 'lease:l' }])
  })
})

test('creating an adapter sends no request to the store', () => {
  const never = () => {
    throw new Error('it was asked')
  }
  const client = { create: never, get: never, query: never, update: never, delete: never }
  expect(recordStoreAdapter(client)).toHaveProperty('createUser')
})
