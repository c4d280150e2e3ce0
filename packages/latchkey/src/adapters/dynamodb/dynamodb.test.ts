import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import {
  startDynamoDB,
  type TestDynamoDB,
  withTransactions,
} from '../../../tests/support/dynamodb.ts'
import { AdapterConflict, atomic } from '../../model/adapter.ts'
import type { AdapterUser } from '../../model/user.ts'
import { type CompleteAdapter, interruptible } from '../../testing/adapter/index.ts'
import { type DynamoDBClient, dynamoDBAdapter } from './index.ts'

// The emulator checks requests strictly, and needs seconds for some rules.

let database: TestDynamoDB
beforeAll(async () => {
  database = await startDynamoDB()
})
afterAll(() => database[Symbol.asyncDispose]())

const index = { name: 'GSI1', partitionKey: 'GSI1PK', sortKey: 'GSI1SK' }

const isChange = (method: string) => ['put', 'update', 'delete', 'transactWrite'].includes(method)

const without = ['transaction'] as const
describeAdapter(
  'DynamoDB (one write after the other)',
  async () => {
    const tableName = await database.createTable()
    return sideBySide(() => dynamoDBAdapter(database.client, { tableName, transactions: false }))
  },
  {
    without,
    failing: async () => dynamoDBAdapter(database.client, { tableName: 'not-there' }),
  },
)
describeAdapter(
  'DynamoDB (transactions, and the index of another adapter)',
  async () => {
    const tableName = await database.createTable({ indexed: true })
    const client = withTransactions(database.client)
    return sideBySide(() => dynamoDBAdapter(client, { tableName, index }))
  },
  {
    without,
    async interruptible() {
      const { wrap, interrupt } = interruptible(isChange)
      const tableName = await database.createTable({ indexed: true })
      const client = wrap(withTransactions(database.client))
      return { ...dynamoDBAdapter(client, { tableName, index }), interrupt }
    },
  },
)

const ada: AdapterUser = { id: '1', name: 'Ada', email: 'ada@x.example', emailVerified: null }
const expires = new Date('2030-01-01T00:00:00.123Z')
const session = { sessionToken: 's', userId: '1', expires }
const account = { userId: '1', type: 'oauth', provider: 'acme', providerAccountId: '7' } as const
const passkey = {
  userId: '1',
  providerAccountId: 'c',
  credentialID: 'c',
  credentialPublicKey: 'key',
  counter: 0,
  credentialDeviceType: 'singleDevice',
  credentialBackedUp: false,
}

async function open({ indexed = false, transactions = true } = {}) {
  const tableName = await database.createTable({ indexed })
  /** The calls that fail. */
  const broken = new Set<string>()
  const client = withTransactions(database.client)
  const breakable = new Proxy(client, {
    get: (target, name: keyof DynamoDBClient) => {
      if (!broken.has(name)) return target[name]
      return async () => {
        throw new Error('the network is gone')
      }
    },
  })
  const options = { tableName, transactions, ...(indexed ? { index } : {}) }
  const adapter = dynamoDBAdapter(breakable, options) as CompleteAdapter
  const items = async () => (await client.scan({ TableName: tableName } as never)).Items ?? []
  const put = (item: object) => database.client.put({ TableName: tableName, Item: { ...item } })
  return { adapter, atomic: adapter[atomic], items, put, broken }
}

describe('in DynamoDB', () => {
  test('items have the layout of the adapter for @auth/core, with guards beside them', async () => {
    const { adapter, items } = await open({ indexed: true })
    await adapter.createUser(ada)
    await adapter.linkAccount(account)
    await adapter.linkAccount({ ...account, provider: 'a#b', providerAccountId: 'c#d' })
    await adapter.createSession(session)
    await adapter.createVerificationToken({ identifier: 'a@x.example', token: 't', expires })
    const all = (await items()).map(({ pk, sk, GSI1PK, GSI1SK, type }) =>
      [pk, sk, GSI1PK ?? '-', GSI1SK ?? '-', type ?? '-'].join(' '),
    )
    expect(all.toSorted()).toEqual(
      [
        'USER#1 USER#1 USER#ada@x.example USER#ada@x.example USER',
        'EMAIL#ada@x.example EMAIL#ada@x.example - - -',
        'USER#1 ACCOUNT#acme#7 ACCOUNT#acme ACCOUNT#7 oauth',
        'ACCOUNTKEY#acme#7 ACCOUNTKEY#acme#7 - - -',
        'USER#1 ACCOUNT#a%23b#c#d ACCOUNT#a#b ACCOUNT#c#d oauth',
        'ACCOUNTKEY#a%23b#c#d ACCOUNTKEY#a%23b#c#d - - -',
        'USER#1 SESSION#s SESSION#s SESSION#s SESSION',
        'SESSIONKEY#s SESSIONKEY#s - - -',
        'VT#a@x.example VT#t - - VT',
      ].toSorted(),
    )
  })

  test('items have their expiry in whole seconds, guards included', async () => {
    const { adapter, items } = await open()
    await adapter.createUser(ada)
    await adapter.createSession(session)
    await adapter.createVerificationToken({ identifier: 'a', token: 't', expires })
    await adapter.updateSession({ sessionToken: 's', expires: new Date(1_900_000_000_001) })
    const all = (await items()).filter(({ expires }) => expires !== undefined)
    expect(
      Object.fromEntries(all.map(({ pk, sk, expires }) => [[pk, sk].join(' '), expires])),
    ).toEqual({
      'USER#1 SESSION#s': 1_900_000_001,
      'SESSIONKEY#s SESSIONKEY#s': 1_900_000_001,
      'VT#a VT#t': Math.ceil(expires.getTime() / 1000),
    })
  })

  test('T-LINK-8: nothing is left of a deleted user with more items than a page', async () => {
    const { adapter, items } = await open()
    const image = 'A'.repeat(300_000)
    await adapter.createUser(ada)
    for (let index = 0; index < 5; index++) {
      await adapter.linkAccount({ ...account, providerAccountId: `${index}`, id_token: image })
    }
    expect(await adapter[atomic].listAccountsByUserId('1')).toHaveLength(5)
    await adapter.deleteUser('1')
    expect(await items()).toEqual([])
    for (let index = 0; index < 5; index++) {
      await adapter.createUser({ ...ada, id: `${index}`, email: `${index}@x.example`, image })
    }
    const { users } = await adapter[atomic].listUsers({ limit: 9 })
    expect(users.map(({ id }) => id).toSorted()).toEqual(['0', '1', '2', '3', '4'])
  })

  test('a failed write is undone without transactions', async () => {
    const { adapter, items, broken } = await open({ transactions: false })
    await adapter.createUser(ada)
    broken.add('update')
    await expect(adapter.createSession(session)).rejects.toThrow('the network is gone')
    expect(await items()).toHaveLength(2)
  })

  test('a user is not lost if the last write of a change of address fails', async () => {
    const { wrap, interrupt } = interruptible(isChange)
    const tableName = await database.createTable()
    const options = { tableName, transactions: false }
    const adapter = dynamoDBAdapter(wrap(database.client), options) as CompleteAdapter
    await adapter.createUser(ada)
    interrupt({ change: 3, made: false })
    await expect(adapter.updateUser({ id: '1', email: 'new@x.example' })).rejects.toThrow('broke')
    expect((await adapter.getUserByEmail('new@x.example'))?.id).toBe('1')
  })

  test('an update without members changes nothing', async () => {
    const { adapter } = await open()
    const user = await adapter.createUser(ada)
    expect(await adapter.updateUser({ id: '1' })).toEqual(user)
  })

  test('of many simultaneous changes of an address each caller learns the result', async () => {
    const { adapter, items } = await open({ indexed: true })
    await adapter.createUser(ada)
    const addresses = Array.from({ length: 9 }, (_, index) => `${index}@x.example`)
    const changed = await Promise.all(
      addresses.map((email) => adapter.updateUser({ id: '1', email })),
    )
    expect(changed).toHaveLength(9)
    const { email } = (await adapter.getUser('1')) ?? {}
    expect(addresses).toContain(email)
    expect((await items()).map(({ pk }) => String(pk)).toSorted()).toEqual([
      `EMAIL#${email}`,
      'USER#1',
    ])
    expect(await adapter.getUserByEmail(String(email))).toMatchObject({ id: '1' })
  })

  test('no attribute of the table appears in a result', async () => {
    const { adapter } = await open({ indexed: true })
    const created = await adapter.createUser(ada)
    expect(created).toEqual({ ...ada, image: null })
    expect(await adapter.getUser('1')).toEqual(created)
    expect(await adapter.updateUser({ id: '1', name: 'A' })).toEqual({ ...created, name: 'A' })
    expect(await adapter.updateUser({ id: '1', email: 'b@x.example' })).toMatchObject({ name: 'A' })
    expect(await adapter.createSession(session)).toEqual(session)
    expect((await adapter.getSessionAndUser('s'))?.session).toEqual(session)
    expect(await adapter.updateSession({ sessionToken: 's' })).toEqual(session)
    expect(await adapter.deleteSession('s')).toEqual(session)
    await adapter.linkAccount(account)
    expect(Object.keys((await adapter.getAccount('7', 'acme')) ?? {}).toSorted()).toEqual(
      [...Object.keys(account), 'access_token', 'expires_at', 'id_token', 'refresh_token', 'scope']
        .concat('session_state', 'token_type')
        .toSorted(),
    )
  })

  test('a name that ends within a character does no harm', async () => {
    const { adapter } = await open()
    await adapter.createUser({ ...ada, name: 'Ada \u{1F9D1}'.slice(0, 5) })
    expect(await adapter.getUserByEmail(ada.email)).toMatchObject({ name: 'Ada \ufffd' })
  })

  test('a credential id that is longer than a key is found, and no other', async () => {
    const { adapter } = await open({ indexed: true })
    await adapter.createUser(ada)
    const long = `${'A'.repeat(1369)}=`
    for (const credentialID of [long, `${long}=`]) {
      await adapter.linkAccount({ ...account, type: 'webauthn', providerAccountId: credentialID })
      await adapter.createAuthenticator({ ...passkey, credentialID })
    }
    expect(await adapter.getAuthenticator(long)).toMatchObject({ credentialID: long })
    expect(await adapter.getAccount(long, 'acme')).toMatchObject({ providerAccountId: long })
    expect(await adapter.listAuthenticatorsByUserId('1')).toHaveLength(2)
  })

  test('T-LINK-8: nothing is left of a deleted user', async () => {
    const { adapter, items } = await open({ indexed: true })
    await adapter.createUser({ ...ada, email: 'old@x.example' })
    await adapter.updateUser({ id: '1', email: ada.email })
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    await adapter.createAuthenticator(passkey)
    await adapter.createVerificationToken({ identifier: ada.email, token: 't', expires })
    await adapter.deleteUser('1')
    expect(await items()).toEqual([])
  })

  test.each([
    { transactions: true, call: 'delete' },
    { transactions: true, call: 'transactWrite' },
    { transactions: false, call: 'delete' },
  ])(
    'T-LINK-8: a deletion that fails at $call ends all sessions, and a second one completes it',
    async ({ transactions, call }) => {
      const { adapter, items, broken } = await open({ transactions })
      await adapter.createUser(ada)
      await adapter.createSession(session)
      await adapter.linkAccount(account)
      broken.add(call)
      await expect(adapter.deleteUser('1')).rejects.toThrow('the network is gone')
      expect(await adapter.getSessionAndUser('s')).toBeNull()
      expect(await adapter.getUserByAccount(account)).toBeNull()
      expect(await adapter.getUserByEmail(ada.email)).toBeNull()
      broken.clear()
      await expect(adapter.createSession({ ...session, sessionToken: 's2' })).rejects.toThrow(
        'the user of this session does not exist',
      )
      await expect(adapter.updateUser({ id: '1', name: 'A' })).rejects.toThrow(
        'the user to update does not exist',
      )
      await adapter.deleteUser('1')
      expect(await items()).toEqual([])
    },
  )

  test('writes are undone one by one if the table has no transactions', async () => {
    const { adapter, items } = await open({ transactions: false })
    await expect(adapter.createSession(session)).rejects.toThrow(
      'the user of this session does not exist',
    )
    expect(await items()).toEqual([])
    await adapter.createUser(ada)
    await expect(adapter.createUser({ ...ada, email: 'b@x.example' })).rejects.toThrow(
      AdapterConflict,
    )
    expect(await items()).toHaveLength(2)
  })

  test('a conflicting transaction is repeated, for a while', async () => {
    const { adapter } = await open()
    await adapter.createUser(ada)
    const client = withTransactions(database.client)
    const conflict = Object.assign(new Error('cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    })
    let meetings = 2
    const busy: DynamoDBClient = {
      ...client,
      transactWrite: async (input) => {
        if (meetings-- > 0) throw conflict
        return client.transactWrite(input)
      },
    }
    const tableName = await database.createTable()
    const other = dynamoDBAdapter(busy, { tableName }) as CompleteAdapter
    expect(await other.createUser(ada)).toMatchObject(ada)
    meetings = Number.POSITIVE_INFINITY
    await expect(other.createUser({ ...ada, id: '2', email: 'b@x.example' })).rejects.toBe(conflict)
  })
})

test('cleaning up spares items that expire later within the same second', async () => {
  const { adapter, atomic } = await open()
  const now = new Date(expires.getTime() - 1)
  await adapter.createUser(ada)
  await adapter.createSession(session)
  expect(await atomic.cleanup({ now, batch: 9 })).toBe(0)
  expect(await atomic.cleanup({ now: new Date(expires.getTime() + 1), batch: 9 })).toBe(1)
})

test('cleaning up removes expired attempts, and no lease', async () => {
  const { atomic, items } = await open()
  const now = new Date('2029-12-31T00:00:00.000Z')
  await atomic.countAttempt({ key: 'k', limit: 2, now, expires })
  await atomic.acquireLease({ name: 'l', now, expires })
  expect(await atomic.cleanup({ now: expires, batch: 9 })).toBe(0)
  expect(await atomic.cleanup({ now: new Date(expires.getTime() + 1), batch: 9 })).toBe(1)
  expect(await items()).toMatchObject([{ pk: 'LEASE#l', number: 1 }])
})

describe('data of the adapter for @auth/core in DynamoDB', () => {
  const key = (pk: string, sk: string, first: string, second: string) => ({
    pk,
    sk,
    GSI1PK: first,
    GSI1SK: second,
  })
  const peerUser = {
    ...ada,
    ...key('USER#1', 'USER#1', 'USER#ada@x.example', 'USER#ada@x.example'),
    type: 'USER',
    emailVerified: '2026-02-03T04:05:06.789Z',
  }

  async function peer() {
    const opened = await open({ indexed: true })
    await opened.put(peerUser)
    await opened.put({
      ...account,
      ...key('USER#1', 'ACCOUNT#acme#7', 'ACCOUNT#acme', 'ACCOUNT#7'),
      id: 'x',
    })
    await opened.put({
      ...session,
      ...key('USER#1', 'SESSION#s', 'SESSION#s', 'SESSION#s'),
      type: 'SESSION',
      expires: 1_893_456_000,
    })
    await opened.put({
      pk: 'VT#a@x.example',
      sk: 'VT#t',
      type: 'VT',
      identifier: 'a@x.example',
      token: 't',
      expires: 1_893_456_000,
    })
    return opened
  }
  const whole = new Date(1_893_456_000_000)

  test('is read, found through its index', async () => {
    const { adapter, atomic } = await peer()
    const user = { ...ada, image: null, emailVerified: new Date('2026-02-03T04:05:06.789Z') }
    expect(await adapter.getUserByEmail(ada.email)).toEqual(user)
    expect(await adapter.getUserByAccount(account)).toEqual(user)
    const found = { ...session, expires: whole }
    expect(await adapter.getSessionAndUser('s')).toEqual({ session: found, user })
    expect(await atomic.listSessionsByUserId('1')).toEqual([found])
    const token = { identifier: 'a@x.example', token: 't' }
    expect(await adapter.useVerificationToken(token)).toEqual({ ...token, expires: whole })
  })

  test('conflicts with equal new data, and can be changed and removed', async () => {
    const { adapter, atomic, items } = await peer()
    await expect(adapter.createUser({ ...ada, id: '2' })).rejects.toThrow(AdapterConflict)
    await adapter.createUser({ ...ada, id: '2', email: 'b@x.example' })
    await expect(adapter.linkAccount({ ...account, userId: '2' })).rejects.toThrow(AdapterConflict)
    await expect(adapter.updateUser({ id: '2', email: ada.email })).rejects.toThrow(AdapterConflict)
    await adapter.updateSession({ sessionToken: 's', expires })
    expect(await atomic.renameSession('s', 'r')).toBe(true)
    expect((await adapter.getSessionAndUser('r'))?.session).toEqual({
      ...session,
      sessionToken: 'r',
    })
    expect(await adapter.getSessionAndUser('s')).toBeNull()
    await adapter.updateUser({ id: '1', email: 'new@x.example' })
    expect(await adapter.getUserByEmail(ada.email)).toBeNull()
    expect(await adapter.getUserByEmail('new@x.example')).toMatchObject({ id: '1' })
    await adapter.deleteUser('2')
    await adapter.deleteUser('1')
    expect((await items()).map(({ type }) => type)).toEqual(['VT'])
  })

  test('that is changed later keeps whole seconds', async () => {
    const { adapter, put } = await open()
    await adapter.createUser(ada)
    await adapter.createSession(session)
    await put({
      pk: 'USER#1',
      sk: 'SESSION#s',
      type: 'SESSION',
      ...session,
      expires: 1_893_456_000,
      expiresExactly: expires.toISOString(),
    })
    expect((await adapter.getSessionAndUser('s'))?.session.expires).toEqual(whole)
  })
})

test('keys of the table may have other names, and reads are consistent', async () => {
  const seen: unknown[] = []
  const client = new Proxy({} as DynamoDBClient, {
    get: () => async (input: unknown) => {
      seen.push(input)
      return {}
    },
  })
  const adapter = dynamoDBAdapter(client, { tableName: 't', partitionKey: 'PK', sortKey: 'SK' })
  await adapter.getUser?.('1')
  await adapter.createUser?.(ada)
  await adapter.listAuthenticatorsByUserId?.('1')
  await adapter[atomic]?.listUsers?.({ limit: 9 })
  expect(seen).toMatchObject([
    { TableName: 't', Key: { PK: 'USER#1', SK: 'USER#1' }, ConsistentRead: true },
    {
      TransactItems: [
        {
          Put: {
            Item: { PK: 'EMAIL#ada@x.example' },
            ExpressionAttributeNames: { '#partition': 'PK' },
          },
        },
        { Put: { Item: { PK: 'USER#1', SK: 'USER#1', type: 'USER' } } },
      ],
    },
    { ConsistentRead: true, ExpressionAttributeNames: { '#partition': 'PK', '#sort': 'SK' } },
    { ConsistentRead: true },
  ])
})

test('creating an adapter sends no request to the database', () => {
  const client = new Proxy({} as DynamoDBClient, {
    get: () => {
      throw new Error('it was asked')
    },
  })
  expect(dynamoDBAdapter(client, { tableName: 't' })).toHaveProperty('createUser')
})
