import type { AdapterAccount } from '../../model/account.ts'
import {
  type Adapter,
  AdapterConflict,
  type AtomicAbilities,
  atomic,
  type ConflictKind,
} from '../../model/adapter.ts'
import type { AdapterAuthenticator } from '../../model/authenticator.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import { checkClient, checkNames, type Mistaken } from '../expected.ts'
import { checkPage, pageOf } from '../paging.ts'
import { checkCounter, missing, ownerMissing } from '../problems.ts'
import { given, toRecord } from '../records.ts'
import { recordsOnNeed } from '../records-on-need.ts'
import {
  DuplicateRecord,
  type Fields,
  type RecordStoreClient,
  type StoredRecord,
} from './client.ts'
import { attempts, lease } from './counters.ts'
import { recordAbilities } from './records.ts'

export {
  type Collection,
  type CollectionName,
  collections,
  DuplicateRecord,
  type Fields,
  type RecordStoreClient,
  type StoredRecord,
} from './client.ts'
export { type SurrealLike, surrealClient, surrealSchema } from './surrealdb.ts'

/** Options of `recordStoreAdapter`. */
export interface RecordStoreOptions {
  /**
   * Whether the store has the collection `records`, which plugins need.
   *
   * @default as the plugins need
   */
  readonly records?: boolean | undefined
}

const MISTAKEN: readonly Mistaken[] = [
  {
    what: 'a client of surrealdb',
    has: ['signin', 'query'],
    write: 'recordStoreAdapter(surrealClient(client))',
  },
]

/**
 * Creates an adapter that stores everything in linked collections of records: `users`, `accounts`, `sessions`,
 * `verificationTokens`, `authenticators`, and the links `users_accounts` and `users_sessions`.
 */
export function recordStoreAdapter(
  client: RecordStoreClient,
  options: RecordStoreOptions = {},
): Adapter {
  const methods = ['create', 'get', 'query', 'update', 'delete']
  checkClient('recordStoreAdapter', client, 'a client of a record store', methods, MISTAKEN)
  checkNames('recordStoreAdapter', options, ['records'])
  const { records } = options
  const create = (wanted: boolean): Adapter =>
    adapterOf(client, wanted && client.takeOnce !== undefined)
  return records === undefined ? recordsOnNeed(create) : create(records)
}

function adapterOf(client: RecordStoreClient, hasRecords: boolean): Adapter {
  return {
    ...userMethods(client, hasRecords),
    ...accountMethods(client),
    ...sessionMethods(client),
    ...tokenMethods(client),
    ...authenticatorMethods(client),
    [atomic]: {
      ...listing(client),
      ...(client.takeOnce ? atomicAbilities(client, hasRecords) : {}),
      ...(hasRecords ? recordAbilities(client) : {}),
    },
  }
}

/** Records of a user link to the user. Latchkey calls the link `userId`. */
const decode = {
  user: (record: StoredRecord): AdapterUser => toRecord('user', record),
  account: (record: StoredRecord): AdapterAccount => toRecord('account', owned(record)),
  session: (record: StoredRecord): AdapterSession => toRecord('session', owned(record)),
  authenticator: (record: StoredRecord): AdapterAuthenticator =>
    toRecord('authenticator', owned(record)),
}

function owned(stored: StoredRecord): object {
  const { id: _, user: userId, ...record } = stored
  return { ...record, userId }
}

function linked(resource: object): Fields {
  const { userId: user, ...record } = given(resource) as Fields
  return user === undefined ? record : { ...record, user }
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** Returns the record with exactly these members: some stores ignore case or trailing blanks. */
async function find(
  client: RecordStoreClient,
  collection: Parameters<RecordStoreClient['query']>[0],
  where: Fields,
): Promise<StoredRecord | undefined> {
  const members = Object.entries(where)
  const found = await client.query(collection, where)
  return found.find((record) => members.every(([name, value]) => record[name] === value))
}

function findAccount(
  client: RecordStoreClient,
  { provider, providerAccountId }: AccountKey,
): Promise<StoredRecord | undefined> {
  return find(client, 'accounts', { provider, providerAccountId })
}

/** @throws AdapterConflict if the record exists. */
async function orConflict<Result>(
  conflict: ConflictKind,
  insert: () => Promise<Result>,
): Promise<Result> {
  try {
    return await insert()
  } catch (cause) {
    if (cause instanceof DuplicateRecord) throw new AdapterConflict(conflict, { cause })
    throw cause
  }
}

function userMethods(client: RecordStoreClient, hasRecords: boolean): Adapter {
  const getUser = async (id: string): Promise<AdapterUser | null> => {
    const found = await client.get('users', id)
    return found && decode.user(found)
  }
  return {
    async createUser(user) {
      if (await client.get('users', user.id)) throw new AdapterConflict('user')
      return decode.user(
        await orConflict('user.email', () => client.create('users', given({ ...user }))),
      )
    },
    getUser,
    async getUserByEmail(email) {
      const found = await find(client, 'users', { email })
      return found ? decode.user(found) : null
    },
    async getUserByAccount(key) {
      const account = await findAccount(client, key)
      return account ? getUser(String(account['user'])) : null
    },
    async updateUser({ id, ...changes }) {
      const fields = given(changes)
      const updated = await orConflict('user.email', () =>
        Object.keys(fields).length > 0
          ? client.update('users', id, fields)
          : client.get('users', id),
      )
      if (!updated) throw missing('user')
      return decode.user(updated)
    },
    async deleteUser(id) {
      const deleted = await deleteUser(client, id)
      if (hasRecords) await removeAll(client, 'records', { userId: id })
      return deleted
    },
  }
}

/**
 * Deletes a user before the user's records, so that nothing leads to the user. If it fails in between, another call
 * completes it.
 */
async function deleteUser(client: RecordStoreClient, id: string): Promise<AdapterUser | null> {
  const user = await client.get('users', id)
  if (typeof user?.['email'] === 'string') {
    await removeAll(client, 'verificationTokens', { identifier: user['email'] })
  }
  const deleted = await client.delete('users', id)
  for (const collection of [
    'sessions',
    'users_sessions',
    'accounts',
    'users_accounts',
    'authenticators',
  ] as const) {
    await removeAll(client, collection, { user: id })
  }
  return deleted && decode.user(deleted)
}

async function removeAll(
  client: RecordStoreClient,
  collection: Parameters<RecordStoreClient['query']>[0],
  where: Fields,
): Promise<void> {
  for (const { id } of await client.query(collection, where)) await client.delete(collection, id)
}

/** The records of a user, and the collection of their links, which other adapters read. */
const ownedBy = {
  accounts: { conflict: 'account', link: { collection: 'users_accounts', member: 'account' } },
  sessions: { conflict: 'session', link: { collection: 'users_sessions', member: 'session' } },
  authenticators: { conflict: 'authenticator', link: undefined },
} as const

/**
 * Stores a record of a user. It checks afterwards whether the user exists, so that nothing remains of a user who is
 * deleted meanwhile.
 */
async function insertOwned(
  client: RecordStoreClient,
  collection: keyof typeof ownedBy,
  key: Fields,
  record: { userId: string },
): Promise<StoredRecord> {
  const { conflict, link } = ownedBy[collection]
  const { userId } = record
  if (!(await client.get('users', userId))) throw ownerMissing(conflict)
  const before = await find(client, collection, key)
  // A record whose user was deleted can be replaced.
  if (before && (await client.get('users', String(before['user'])))) {
    throw new AdapterConflict(conflict)
  }
  if (before) await client.delete(collection, before.id)
  const stored = await orConflict(conflict, () => client.create(collection, linked(record)))
  if (link) await client.create(link.collection, { user: userId, [link.member]: stored.id })
  if (await client.get('users', userId)) return stored
  await client.delete(collection, stored.id)
  if (link) await removeAll(client, link.collection, { [link.member]: stored.id })
  throw ownerMissing(conflict)
}

function accountMethods(client: RecordStoreClient): Adapter {
  return {
    async linkAccount(account) {
      const { provider, providerAccountId } = account
      const key = { provider, providerAccountId }
      return decode.account(await insertOwned(client, 'accounts', key, account))
    },
    async unlinkAccount(key) {
      const found = await findAccount(client, key)
      if (!found) return undefined
      const account = decode.account(found)
      // The account last: if this is interrupted, another call must find the account.
      if (account.type === 'webauthn') {
        const where = { credentialID: account.providerAccountId, user: account.userId }
        await removeAll(client, 'authenticators', where)
      }
      await client.delete('accounts', found.id)
      await removeAll(client, 'users_accounts', { account: found.id })
      return account
    },
    async getAccount(providerAccountId, provider) {
      const found = await findAccount(client, { provider, providerAccountId })
      return found ? decode.account(found) : null
    },
  }
}

function sessionMethods(client: RecordStoreClient): Adapter {
  return {
    async createSession(session) {
      const key = { sessionToken: session.sessionToken }
      return decode.session(await insertOwned(client, 'sessions', key, session))
    },
    async getSessionAndUser(sessionToken) {
      const session = await find(client, 'sessions', { sessionToken })
      const user = session && (await client.get('users', String(session['user'])))
      return user ? { session: decode.session(session), user: decode.user(user) } : null
    },
    async updateSession({ sessionToken, ...changes }) {
      const found = await find(client, 'sessions', { sessionToken })
      const fields = linked(changes)
      if (!found || Object.keys(fields).length === 0) return found ? decode.session(found) : null
      const updated = await client.update('sessions', found.id, fields)
      return updated && decode.session(updated)
    },
    async deleteSession(sessionToken) {
      const found = await find(client, 'sessions', { sessionToken })
      return found ? endSession(client, found) : null
    },
  }
}

async function endSession(
  client: RecordStoreClient,
  { id }: StoredRecord,
): Promise<AdapterSession | null> {
  const deleted = await client.delete('sessions', id)
  await removeAll(client, 'users_sessions', { session: id })
  return deleted && decode.session(deleted)
}

/** Without `takeOnce` there are no methods for tokens, and e-mail sign-in is refused at the start. */
function tokenMethods(client: RecordStoreClient): Adapter {
  if (!client.takeOnce) return {}
  return {
    async createVerificationToken({ identifier, token, expires }) {
      const record = { identifier, token, expires }
      await orConflict('verificationToken', () => client.create('verificationTokens', record))
      return { ...record, expires: new Date(expires) }
    },
    async useVerificationToken({ identifier, token }) {
      // The link of a mail may lack the address. The token alone finds nothing.
      if (identifier === undefined) return null
      const key = { identifier, token }
      // A search before the removal: some stores ignore case or trailing blanks.
      if (!(await find(client, 'verificationTokens', key))) return null
      const taken = await client.takeOnce?.('verificationTokens', key)
      return taken ? { ...key, expires: toRecord('verificationToken', taken).expires } : null
    },
  }
}

function authenticatorMethods(client: RecordStoreClient): Adapter {
  return {
    async createAuthenticator(authenticator) {
      const key = { credentialID: authenticator.credentialID }
      return decode.authenticator(await insertOwned(client, 'authenticators', key, authenticator))
    },
    async getAuthenticator(credentialID) {
      const found = await find(client, 'authenticators', { credentialID })
      return found ? decode.authenticator(found) : null
    },
    async listAuthenticatorsByUserId(userId) {
      const found = await client.query('authenticators', { user: userId })
      return found.map(decode.authenticator)
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      for (;;) {
        const found = await find(client, 'authenticators', { credentialID })
        if (!found) throw missing('authenticator')
        const { counter: before } = decode.authenticator(found)
        checkCounter(before, counter)
        const expected = { counter: before }
        const updated = await client.update('authenticators', found.id, { counter }, expected)
        if (updated) return decode.authenticator(updated)
      }
    },
  }
}

function listing(client: RecordStoreClient): AtomicAbilities {
  return {
    async listSessionsByUserId(userId) {
      return (await client.query('sessions', { user: userId })).map(decode.session)
    },
    async listAccountsByUserId(userId) {
      return (await client.query('accounts', { user: userId })).map(decode.account)
    },
    ...(client.page ? { listUsers: (options) => listUsers(client, options) } : {}),
  }
}

async function listUsers(
  client: RecordStoreClient,
  { limit, after }: { limit: number; after?: string | undefined },
) {
  checkPage({ limit, after })
  const found = (await client.page?.('users', { limit: limit + 1, after })) ?? []
  const { page, next } = pageOf(found, limit, ({ id }) => id)
  return { users: page.map(decode.user), next }
}

function atomicAbilities(client: RecordStoreClient, hasRecords: boolean): AtomicAbilities {
  return {
    async renameSession(from, to) {
      const found = await find(client, 'sessions', { sessionToken: from })
      if (!found) return false
      const [changes, expected] = [{ sessionToken: to }, { sessionToken: from }]
      const renamed = await orConflict('session', () =>
        client.update('sessions', found.id, changes, expected),
      )
      return renamed !== null
    },
    async updateAccount({ provider, providerAccountId, ...changes }) {
      const found = await findAccount(client, { provider, providerAccountId })
      const fields = linked(changes)
      if (!found || Object.keys(fields).length === 0) return found !== undefined
      return (await client.update('accounts', found.id, fields)) !== null
    },
    countAttempt: (attempt) => attempts(client, attempt),
    acquireLease: (wanted) => lease(client, wanted),
    async deleteSessionsByUserId(userId, except) {
      const all = await client.query('sessions', { user: userId })
      let ended = 0
      for (const session of all) {
        if (session['sessionToken'] === except) continue
        if (await endSession(client, session)) ended++
      }
      return ended
    },
    ...(client.expired ? { cleanup: (options) => cleanup(client, options, hasRecords) } : {}),
  }
}

async function cleanup(
  client: RecordStoreClient,
  { now, batch }: { now: Date; batch: number },
  hasRecords: boolean,
): Promise<number> {
  const expired = async (
    collection: 'sessions' | 'verificationTokens' | 'counters' | 'records',
    remove: (record: StoredRecord) => Promise<unknown>,
  ): Promise<number> => {
    let removed = 0
    // Other processes may clean up at the same time, so a record that is already gone does not end the loop.
    for (;;) {
      const found = (await client.expired?.(collection, now, batch - removed)) ?? []
      for (const record of found) if (await remove(record)) removed++
      if (found.length === 0 || removed === batch) return removed
    }
  }
  return Math.max(
    await expired('sessions', (session) => endSession(client, session)),
    await expired('verificationTokens', ({ id }) => client.delete('verificationTokens', id)),
    await expired('counters', ({ id }) => client.delete('counters', id)),
    hasRecords ? await expired('records', ({ id }) => client.delete('records', id)) : 0,
  )
}
