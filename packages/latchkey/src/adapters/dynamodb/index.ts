import { type Adapter, AdapterConflict, type AtomicAbilities, atomic } from '../../model/adapter.ts'
import { checkClient, checkNames, type Mistaken } from '../expected.ts'
import { counterNotIncreased, missing } from '../problems.ts'
import { given } from '../records.ts'
import { attempts, lease } from './abilities.ts'
import { cleanup } from './cleanup.ts'
import type { DynamoDBClient } from './client.ts'
import { fromItem, toItem } from './items.ts'
import { guardKeys, tokenKey } from './keys.ts'
import {
  accountPlaces,
  authenticatorPlaces,
  find,
  findByEmail,
  findUser,
  insertOwned,
  listOwned,
  removeFound,
  type Store,
  Superseded,
  sessionPlaces,
} from './owned.ts'
import { recordAbilities } from './records.ts'
import { ABSENT, type IndexLayout, Table } from './table.ts'
import { createUser, deleteUser, listUsers, updateUser } from './users.ts'

export type { DynamoDBClient } from './client.ts'
export type { IndexLayout } from './table.ts'

export interface DynamoDBAdapterOptions {
  /** Name of the table. */
  readonly tableName: string
  /** Name of the partition key. @default 'pk' */
  readonly partitionKey?: string | undefined
  /** Name of the sort key. @default 'sk' */
  readonly sortKey?: string | undefined
  /**
   * The index of another adapter: its name and the names of its keys.
   *
   * The adapter looks there for items that it does not find otherwise, and new items get the keys of the index.
   *
   * @default none
   */
  readonly index?: IndexLayout | undefined
  /**
   * Whether the endpoint has transactions.
   *
   * Amazon's has. Some endpoints that replace it, for example dynalite, have none.
   *
   * @default true
   */
  readonly transactions?: boolean | undefined
}

const OPTIONS = [
  'tableName',
  'partitionKey',
  'sortKey',
  'index',
  'transactions',
] as const satisfies (keyof DynamoDBAdapterOptions)[]

const MISTAKEN: readonly Mistaken[] = [
  {
    what: 'a DynamoDBClient',
    has: ['send'],
    lacks: 'get',
    write: 'dynamoDBAdapter(DynamoDBDocument.from(client), { tableName })',
  },
]

/**
 * Creates an adapter that stores everything in one table of DynamoDB.
 *
 * @param client a `DynamoDBDocument`.
 */
export function dynamoDBAdapter(client: DynamoDBClient, options: DynamoDBAdapterOptions): Adapter {
  const methods = ['get', 'put', 'update', 'delete', 'query', 'scan', 'transactWrite']
  checkClient('dynamoDBAdapter', client, 'a DynamoDBDocument', methods, MISTAKEN)
  checkNames('dynamoDBAdapter', options, OPTIONS)
  const { tableName, partitionKey = 'pk', sortKey = 'sk', index, transactions = true } = options
  const keyNames = [partitionKey, sortKey, ...(index ? [index.partitionKey, index.sortKey] : [])]
  const table = new Table(client, { tableName, partitionKey, sortKey }, transactions)
  const store: Store = { table, shape: { keyNames }, index }
  return {
    createUser: (user) => createUser(store, user),
    getUser: async (id) => (await findUser(store, id))?.record ?? null,
    getUserByEmail: async (address) => (await findByEmail(store, address))?.record ?? null,
    async getUserByAccount(key) {
      const account = await find(store, 'account', accountPlaces(key))
      const owner = account && (await findUser(store, account.record.userId))
      return owner?.record ?? null
    },
    updateUser: (changes) => updateUser(store, changes),
    deleteUser: (id) => deleteUser(store, id),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    [atomic]: abilities(store),
  }
}

function accountMethods(store: Store): Adapter {
  return {
    linkAccount: (account) => insertOwned(store, 'account', accountPlaces(account), account),
    async unlinkAccount(key) {
      const found = await find(store, 'account', accountPlaces(key))
      if (!found) return undefined
      const { type, providerAccountId, userId } = found.record
      const passkey =
        type === 'webauthn'
          ? await find(store, 'authenticator', authenticatorPlaces(providerAccountId))
          : undefined
      await removeFound(store, passkey?.record.userId === userId ? [found, passkey] : [found])
      return found.record
    },
    getAccount: async (providerAccountId, provider) =>
      (await find(store, 'account', accountPlaces({ provider, providerAccountId })))?.record ??
      null,
  }
}

function sessionMethods(store: Store): Adapter {
  const { table, shape } = store
  return {
    createSession: (session) =>
      insertOwned(store, 'session', sessionPlaces(session.sessionToken), session),
    async getSessionAndUser(sessionToken) {
      const session = await find(store, 'session', sessionPlaces(sessionToken))
      const user = session && (await findUser(store, session.record.userId))
      return user ? { session: session.record, user: user.record } : null
    },
    async updateSession(changes) {
      const found = await find(store, 'session', sessionPlaces(changes.sessionToken))
      if (!found) return null
      const { type: _, ...members } = toItem('session', given(changes))
      // The guard first: DynamoDB must not remove it before the item that it guards.
      if (changes.expires && found.guarded) {
        const { expires, expiresExactly } = members
        await table.update(found.guard, { expires, expiresExactly })
      }
      const item = await table.update(found.key, members)
      return item && fromItem('session', item, shape)
    },
    async deleteSession(sessionToken) {
      const found = await find(store, 'session', sessionPlaces(sessionToken))
      const removed = found && (await table.remove(found.key))
      if (!found || !removed) return null
      if (found.guarded) await table.remove(found.guard)
      return fromItem('session', removed, shape)
    },
  }
}

function tokenMethods({ table, shape }: Store): Adapter {
  return {
    async createVerificationToken({ identifier, token, expires }) {
      const record = { identifier, token, expires }
      const key = await tokenKey(identifier, token)
      if (!(await table.put(key, toItem('verificationToken', record), ABSENT))) {
        throw new AdapterConflict('verificationToken')
      }
      return { ...record, expires: new Date(expires) }
    },
    async useVerificationToken({ identifier, token }) {
      // The link of a mail may lack the address. The token alone finds nothing.
      if (identifier === undefined) return null
      const item = await table.remove(await tokenKey(identifier, token))
      const taken = item && fromItem('verificationToken', item, shape)
      return taken && { identifier, token, expires: taken.expires }
    },
  }
}

function authenticatorMethods(store: Store): Adapter {
  const { table, shape } = store
  return {
    createAuthenticator: (authenticator) => {
      const places = authenticatorPlaces(authenticator.credentialID)
      return insertOwned(store, 'authenticator', places, authenticator)
    },
    getAuthenticator: async (credentialID) =>
      (await find(store, 'authenticator', authenticatorPlaces(credentialID)))?.record ?? null,
    listAuthenticatorsByUserId: (userId) => listOwned(store, 'authenticator', userId),
    async updateAuthenticatorCounter(credentialID, counter) {
      const found = await find(store, 'authenticator', authenticatorPlaces(credentialID))
      if (!found) throw missing('authenticator')
      // The counter must grow, or stay 0: authenticators without a counter always send 0.
      const condition = counter === 0 ? '#counter = :counter' : '#counter < :counter'
      const item = await table.update(found.key, { counter }, { condition, values: { counter } })
      if (!item) throw counterNotIncreased()
      return fromItem('authenticator', item, shape)
    },
  }
}

function abilities(store: Store): AtomicAbilities {
  const { table } = store
  return {
    async renameSession(from, to) {
      const found = await find(store, 'session', sessionPlaces(from))
      if (!found) return false
      const renamed = { ...found.record, sessionToken: to }
      try {
        await insertOwned(store, 'session', sessionPlaces(to), renamed, [
          table.removing(found.key, { condition: 'attribute_exists(#partition)' }),
          ...(found.guarded ? [table.removing(found.guard)] : []),
        ])
        return true
      } catch (error) {
        if (error instanceof Superseded) return false
        throw error
      }
    },
    async updateAccount(changes) {
      const found = await find(store, 'account', accountPlaces(changes))
      if (!found) return false
      return (await table.update(found.key, toItem('account', given(changes)))) !== null
    },
    countAttempt: (attempt) => attempts(table, attempt),
    acquireLease: (wanted) => lease(table, wanted),
    cleanup: (options) => cleanup(store, options),
    listSessionsByUserId: (userId) => listOwned(store, 'session', userId),
    listAccountsByUserId: (userId) => listOwned(store, 'account', userId),
    async deleteSessionsByUserId(userId, except) {
      let ended = 0
      for (const { sessionToken } of await listOwned(store, 'session', userId)) {
        if (sessionToken === except) continue
        const found = await find(store, 'session', sessionPlaces(sessionToken))
        if (!found || !(await table.remove(found.key))) continue
        await table.remove(await guardKeys.session(sessionToken))
        ended++
      }
      return ended
    },
    listUsers: (options) => listUsers(store, options),
    ...recordAbilities(table),
  }
}
