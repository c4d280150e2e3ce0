import { expect, test, vi } from 'vitest'
import { migrate, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { nodeSqliteStore, openDatabase } from '../../../src/adapters/sql/node-sqlite-store.ts'
import { type Adapter, type AtomicAbilities, atomic } from '../../../src/model/adapter.ts'

const now = new Date('2030-01-01T00:00:00.123Z')
const later = new Date('2030-01-02T00:00:00.123Z')
const muchLater = new Date('2030-01-03T00:00:00.123Z')
const before = new Date('2029-01-01T00:00:00.123Z')

const userId = 'ada'
const passkey = { provider: 'passkey', providerAccountId: 'credential' }
const account = { provider: 'acme', providerAccountId: 'subject' }
const record = { kind: 'kind', key: 'key', userId, data: {}, version: 1, createdAt: now }

type Call = (adapter: Required<Adapter>, abilities: Required<AtomicAbilities>) => unknown

/** Calls in the order in which they run, each with the first words of its statements. */
const calls: readonly (readonly [name: string, statements: string, call: Call])[] = [
  [
    'createUser',
    'insert',
    (adapter) => adapter.createUser({ id: userId, email: 'ada@x.example', emailVerified: null }),
  ],
  ['getUser', 'select', (adapter) => adapter.getUser(userId)],
  ['getUserByEmail', 'select', (adapter) => adapter.getUserByEmail('ada@x.example')],
  ['updateUser', 'update', (adapter) => adapter.updateUser({ id: userId, name: 'Ada' })],
  ['linkAccount', 'insert', (adapter) => adapter.linkAccount({ userId, type: 'oidc', ...account })],
  [
    'linkAccount of a passkey',
    'insert',
    (adapter) => adapter.linkAccount({ userId, type: 'webauthn', ...passkey }),
  ],
  ['getUserByAccount', 'select', (adapter) => adapter.getUserByAccount(account)],
  ['getAccount', 'select', (adapter) => adapter.getAccount('subject', 'acme')],
  ['updateAccount', 'update', (_, { updateAccount }) => updateAccount({ ...account, scope: 'a' })],
  ['listAccountsByUserId', 'select', (_, abilities) => abilities.listAccountsByUserId(userId)],
  [
    'createSession',
    'insert',
    (adapter) => adapter.createSession({ sessionToken: 'old', userId, expires: later }),
  ],
  ['getSessionAndUser', 'select', (adapter) => adapter.getSessionAndUser('old')],
  [
    'updateSession',
    'update',
    (adapter) => adapter.updateSession({ sessionToken: 'old', expires: later }),
  ],
  ['renameSession', 'update', (_, { renameSession }) => renameSession('old', 'new')],
  ['listSessionsByUserId', 'select', (_, abilities) => abilities.listSessionsByUserId(userId)],
  ['deleteSession', 'delete', (adapter) => adapter.deleteSession('new')],
  ['deleteSessionsByUserId', 'delete', (_, abilities) => abilities.deleteSessionsByUserId(userId)],
  [
    'createVerificationToken',
    'insert',
    (adapter) => adapter.createVerificationToken({ identifier: 'a', token: 'b', expires: later }),
  ],
  [
    'useVerificationToken',
    'delete',
    (adapter) => adapter.useVerificationToken({ identifier: 'a', token: 'b' }),
  ],
  [
    'createAuthenticator',
    'insert',
    (adapter) =>
      adapter.createAuthenticator({
        userId,
        providerAccountId: 'credential',
        credentialID: 'credential',
        credentialPublicKey: 'key',
        counter: 0,
        credentialDeviceType: 'singleDevice',
        credentialBackedUp: false,
      }),
  ],
  ['getAuthenticator', 'select', (adapter) => adapter.getAuthenticator('credential')],
  ['listAuthenticatorsByUserId', 'select', (adapter) => adapter.listAuthenticatorsByUserId(userId)],
  [
    'updateAuthenticatorCounter',
    'update',
    (adapter) => adapter.updateAuthenticatorCounter('credential', 1),
  ],
  [
    'countAttempt',
    'select insert',
    (_, { countAttempt }) => countAttempt({ key: 'k', limit: 1, now, expires: later }),
  ],
  [
    'countAttempt above the limit',
    'select',
    (_, { countAttempt }) => countAttempt({ key: 'k', limit: 1, now, expires: later }),
  ],
  [
    'countAttempt after an expired one',
    'select update',
    (_, { countAttempt }) => countAttempt({ key: 'k', limit: 1, now: later, expires: muchLater }),
  ],
  [
    'acquireLease',
    'select insert',
    (_, { acquireLease }) => acquireLease({ name: 'lease', now, expires: later }),
  ],
  [
    'acquireLease of a held lease',
    'select',
    (_, { acquireLease }) => acquireLease({ name: 'lease', now, expires: later }),
  ],
  [
    'acquireLease of an expired lease',
    'select update',
    (_, { acquireLease }) => acquireLease({ name: 'lease', now: later, expires: muchLater }),
  ],
  [
    'createRecord',
    'insert',
    (_, { createRecord }) => createRecord({ ...record, expires: before }, now),
  ],
  [
    'createRecord over an expired one',
    'insert',
    (_, abilities) => abilities.createRecord(record, now),
  ],
  [
    'createRecord of an existing key',
    'insert',
    (_, abilities) => abilities.createRecord(record, now),
  ],
  ['getRecord', 'select', (_, { getRecord }) => getRecord(record)],
  ['replaceRecord', 'update', (_, { replaceRecord }) => replaceRecord({ ...record, version: 2 })],
  ['listRecords', 'select', (_, { listRecords }) => listRecords({ kind: 'kind', limit: 5 })],
  ['takeRecord', 'delete', (_, { takeRecord }) => takeRecord(record)],
  ['cleanup', 'with with with', (_, { cleanup }) => cleanup({ now, batch: 10 })],
  ['listUsers', 'select', (_, { listUsers }) => listUsers({ limit: 5 })],
  ['unlinkAccount', 'select delete', (adapter) => adapter.unlinkAccount(account)],
  [
    'unlinkAccount of a passkey',
    'select begin delete delete commit',
    (adapter) => adapter.unlinkAccount(passkey),
  ],
  ['unlinkAccount of no account', 'select', (adapter) => adapter.unlinkAccount(account)],
  [
    'deleteUser',
    'select begin delete delete delete delete delete delete commit',
    (adapter) => adapter.deleteUser(userId),
  ],
  ['deleteUser of no user', 'select delete', (adapter) => adapter.deleteUser(userId)],
]

test('the SQL adapter sends these statements to SQLite for each operation', async () => {
  const database = openDatabase(':memory:')
  const store = nodeSqliteStore(database)
  const sent: string[] = []
  // Only of this database: other tests in the process may still have theirs open.
  const { prepare } = database
  vi.spyOn(database, 'prepare').mockImplementation((sql) => {
    const statement = prepare.call(database, sql)
    for (const name of ['all', 'run'] as const) {
      const original = statement[name]
      vi.spyOn(statement, name).mockImplementation((...values: unknown[]) => {
        sent.push(sql)
        return Reflect.apply(original, statement, values)
      })
    }
    return statement
  })
  await migrate(store, { records: true })
  const exec = vi.spyOn(database, 'exec')
  const adapter = sqlAdapter(store, { records: true }) as Required<Adapter>
  const abilities = adapter[atomic] as Required<AtomicAbilities>
  const counted: Record<string, string> = {}
  for (const [name, , call] of calls) {
    sent.length = 0
    await call(adapter, abilities)
    counted[name] = sent.map((text) => text.split(' ')[0]).join(' ')
  }
  // Otherwise some statements were not counted.
  expect(exec).not.toHaveBeenCalled()
  await store.close()
  expect(counted).toEqual(Object.fromEntries(calls.map(([name, statements]) => [name, statements])))
})
