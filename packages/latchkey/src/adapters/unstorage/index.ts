import type { AdapterAccount } from '../../model/account.ts'
import { type Adapter, AdapterConflict, type AtomicAbilities, atomic } from '../../model/adapter.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import { checkClient, checkNames } from '../expected.ts'
import { checkPage } from '../paging.ts'
import { checkCounter, missing, ownerMissing } from '../problems.ts'
import { checkLease, given, type RecordName, type Records, toRecord } from '../records.ts'
import { createKeys, type Keys, type Place } from './keys.ts'
import { recordAbilities, removeRecord, removeRecordsOf } from './records.ts'
import { Items, type Queue, queueOf, type UnstorageLike } from './storage.ts'

export type { UnstorageLike } from './storage.ts'

export interface UnstorageAdapterOptions {
  /**
   * Declares that only this process, through this storage object, changes the stored data.
   *
   * E-mail sign-in and other features that must happen only once need it.
   *
   * @default false
   */
  readonly exclusive?: boolean | undefined
  /** The beginning of all keys, for example `app:`. @default '' */
  readonly prefix?: string | undefined
}

/** Creates an adapter that stores everything with `unstorage`, with any of its drivers. */
export function unstorageAdapter(
  storage: UnstorageLike,
  options: UnstorageAdapterOptions = {},
): Adapter {
  const methods = ['getItem', 'setItem', 'removeItem', 'getKeys']
  checkClient('unstorageAdapter', storage, 'the result of createStorage', methods)
  checkNames('unstorageAdapter', options, ['exclusive', 'prefix'])
  const { exclusive = false, prefix = '' } = options
  const store: Store = {
    items: new Items(storage),
    keys: createKeys(prefix),
    queue: queueOf(storage),
  }
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...authenticatorMethods(store),
    ...(exclusive ? tokenMethods(store) : {}),
    [atomic]: { ...listing(store), ...(exclusive ? exclusiveAbilities(store) : {}) },
  }
}

interface Store {
  readonly items: Items
  readonly keys: Keys
  readonly queue: Queue
}

interface Found<Name extends RecordName> {
  readonly key: string
  readonly record: Records[Name]
}

/** Returns the entry of a place that has these members. Other adapters may have stored something else there. */
async function find<Name extends RecordName>(
  { items }: Store,
  name: Name,
  { own, foreign }: Place,
  members: Partial<Records[Name]>,
): Promise<Found<Name> | undefined> {
  const expected = Object.entries(members)
  const fits = (stored: Record<string, unknown> | null) =>
    stored && expected.every(([member, value]) => stored[member] === value)
  const stored = await items.record(own)
  if (stored && fits(stored)) return { key: own, record: toRecord(name, stored) }
  const other = foreign === undefined ? null : await items.foreign(foreign)
  if (foreign !== undefined && other && fits(other)) {
    return { key: foreign, record: toRecord(name, other) }
  }
  return undefined
}

function findUser(store: Store, id: string): Promise<Found<'user'> | undefined> {
  return find(store, 'user', store.keys.user(id), { id })
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

function findAccount(
  store: Store,
  { provider, providerAccountId }: AccountKey,
): Promise<Found<'account'> | undefined> {
  const key = { provider, providerAccountId }
  return find(store, 'account', store.keys.account(key), key)
}

function findSession(store: Store, sessionToken: string): Promise<Found<'session'> | undefined> {
  return find(store, 'session', store.keys.session(sessionToken), { sessionToken })
}

function findAuthenticator(
  store: Store,
  credentialID: string,
): Promise<Found<'authenticator'> | undefined> {
  return find(store, 'authenticator', store.keys.authenticator(credentialID), { credentialID })
}

/** Finds a user by address. The index may still have an earlier address of the user. */
async function findByEmail(store: Store, email: string): Promise<Found<'user'> | undefined> {
  const { own, foreign } = store.keys.email(email)
  const id =
    (await store.items.text(own)) ??
    (foreign === undefined ? undefined : await store.items.text(foreign))
  const found = id === undefined ? undefined : await findUser(store, id)
  return found?.record.email === email ? found : undefined
}

function userMethods(store: Store): Adapter {
  const { items, keys, queue } = store
  return {
    createUser: (user) =>
      queue.write(async () => {
        if (await findUser(store, user.id)) throw new AdapterConflict('user')
        return saveUser(store, keys.user(user.id).own, user)
      }),
    getUser: (id) => queue.read(async () => (await findUser(store, id))?.record ?? null),
    getUserByEmail: (address) =>
      queue.read(async () => (await findByEmail(store, address))?.record ?? null),
    getUserByAccount: (key) =>
      queue.read(async () => {
        const account = await findAccount(store, key)
        const owner = account && (await findUser(store, account.record.userId))
        return owner?.record ?? null
      }),
    updateUser: (changes) =>
      queue.write(async () => {
        const found = await findUser(store, changes.id)
        if (!found) throw missing('user')
        const { key, record } = found
        const saved = await saveUser(store, key, { ...record, ...given(changes) })
        if (record.email && record.email !== saved.email) {
          await forgetAddress(store, record)
        }
        return saved
      }),
    deleteUser: (id) =>
      queue.write(async () => {
        await removeRecordsOf(store, id)
        for (const { key } of await owned(store, 'session', id)) await items.remove(key)
        for (const { key } of await owned(store, 'account', id)) await items.remove(key)
        for (const { key } of await owned(store, 'authenticator', id)) await items.remove(key)
        for (const index of [keys.sessionsOf(id), keys.accountsOf(id), keys.authenticatorsOf(id)]) {
          await items.remove(index)
        }
        const found = await findUser(store, id)
        if (!found) return null
        const { email } = found.record
        if (email) {
          for (const key of await items.list(keys.tokensOf(email))) await items.remove(key)
          await items.remove(keys.tokensOf(email))
          await forgetAddress(store, found.record)
        }
        await items.remove(found.key)
        return found.record
      }),
  }
}

/** Stores the index of the address and then the user: an index without a user is ignored. */
async function saveUser(store: Store, key: string, user: AdapterUser): Promise<AdapterUser> {
  // Required by the types, but a provider may return none.
  if (user.email) {
    const owner = await findByEmail(store, user.email)
    if (owner && owner.record.id !== user.id) throw new AdapterConflict('user.email')
    await store.items.write(store.keys.email(user.email).own, user.id)
  }
  await store.items.write(key, user)
  return copy('user', user)
}

async function forgetAddress({ items, keys }: Store, { id, email }: AdapterUser): Promise<void> {
  const { own, foreign } = keys.email(email)
  for (const key of foreign === undefined ? [own] : [own, foreign]) {
    if ((await items.text(key)) === id) await items.remove(key)
  }
}

/** The lists of a user's records, and how to find a record of a list. */
const lists = {
  session: {
    index: (keys: Keys, userId: string) => keys.sessionsOf(userId),
    place: (_: Keys, key: string): Place => ({ own: key, foreign: undefined }),
  },
  account: {
    index: (keys: Keys, userId: string) => keys.accountsOf(userId),
    place: (_: Keys, key: string): Place => ({ own: key, foreign: undefined }),
  },
  authenticator: {
    index: (keys: Keys, userId: string) => keys.authenticatorsOf(userId),
    place: (keys: Keys, id: string) => keys.authenticator(id),
  },
}

type Owned = keyof typeof lists

async function owned<Name extends Owned>(
  store: Store,
  name: Name,
  userId: string,
): Promise<Found<Name>[]> {
  const { index, place } = lists[name]
  const found: Found<Name>[] = []
  for (const member of await store.items.list(index(store.keys, userId))) {
    const expected = { userId } as Partial<Records[Name]>
    const each = await find<Name>(store, name, place(store.keys, member), expected)
    if (each) found.push(each)
  }
  return found
}

/**
 * Adds a record of a user to its list and then stores it: a record that is not listed would remain after the user is
 * deleted.
 */
async function insertOwned<Name extends Owned>(
  store: Store,
  name: Name,
  before: Found<Name> | undefined,
  { own, member }: { own: string; member: string },
  record: Records[Name],
): Promise<Records[Name]> {
  if (!(await findUser(store, record.userId))) {
    throw ownerMissing(name)
  }
  // A record whose user was deleted can be replaced.
  if (before && (await findUser(store, before.record.userId))) throw new AdapterConflict(name)
  await store.items.add(lists[name].index(store.keys, record.userId), member)
  await store.items.write(own, record)
  return copy(name, record)
}

function accountMethods(store: Store): Adapter {
  const { items, keys, queue } = store
  return {
    linkAccount: (account) =>
      queue.write(async () => {
        const { own } = keys.account(account)
        // The adapter of Auth.js with this layout requires an id, which Latchkey does not use.
        const record = { ...account, id: `${account.provider}:${account.providerAccountId}` }
        const before = await findAccount(store, account)
        return insertOwned(store, 'account', before, { own, member: own }, record)
      }),
    unlinkAccount: (key) =>
      queue.write(async () => {
        const found = await findAccount(store, key)
        if (!found) return undefined
        const { type, userId, providerAccountId } = found.record
        // The passkey first: if this is interrupted, another call must find the account.
        if (type === 'webauthn') await removeAuthenticator(store, providerAccountId, userId)
        await items.remove(found.key)
        await items.drop(keys.accountsOf(userId), found.key)
        return found.record
      }),
    getAccount: (providerAccountId, provider) =>
      queue.read(
        async () => (await findAccount(store, { provider, providerAccountId }))?.record ?? null,
      ),
  }
}

async function removeAuthenticator(store: Store, id: string, userId: string): Promise<void> {
  const found = await findAuthenticator(store, id)
  if (found?.record.userId !== userId) return
  await store.items.remove(found.key)
  await store.items.drop(store.keys.authenticatorsOf(userId), id)
}

function sessionMethods(store: Store): Adapter {
  const { items, keys, queue } = store
  return {
    createSession: (session) =>
      queue.write(async () => {
        const { own } = keys.session(session.sessionToken)
        const before = await findSession(store, session.sessionToken)
        return insertOwned(store, 'session', before, { own, member: own }, session)
      }),
    getSessionAndUser: (sessionToken) =>
      queue.read(async () => {
        const session = (await findSession(store, sessionToken))?.record
        const user = session && (await findUser(store, session.userId))?.record
        return user ? { session, user } : null
      }),
    updateSession: (changes) =>
      queue.write(async () => {
        const found = await findSession(store, changes.sessionToken)
        if (!found) return null
        const session = { ...found.record, ...given(changes) }
        await items.write(found.key, session)
        return copy('session', session)
      }),
    deleteSession: (sessionToken) =>
      queue.write(async () => {
        const found = await findSession(store, sessionToken)
        if (found) await removeSession(store, found)
        return found?.record ?? null
      }),
  }
}

async function removeSession(
  { items, keys }: Store,
  { key, record }: Found<'session'>,
): Promise<void> {
  await items.remove(key)
  await items.drop(keys.sessionsOf(record.userId), key)
}

/** Only for exclusive storages: otherwise, two processes could take the same token. */
function tokenMethods(store: Store): Adapter {
  const { items, keys, queue } = store
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      queue.write(async () => {
        const record = { identifier, token, expires }
        const place = keys.token(record)
        if (await find(store, 'verificationToken', place, { identifier, token })) {
          throw new AdapterConflict('verificationToken')
        }
        await items.add(keys.tokensOf(identifier), place.own)
        await items.write(place.own, record)
        return copy('verificationToken', record)
      }),
    async useVerificationToken({ identifier, token }) {
      // The link of a mail may lack the address. The token alone finds nothing.
      if (identifier === undefined) return null
      return queue.write(async () => {
        const place = keys.token({ identifier, token })
        const found = await find(store, 'verificationToken', place, { identifier, token })
        if (!found) return null
        await removeToken(store, found)
        return { identifier, token, expires: found.record.expires }
      })
    },
  }
}

async function removeToken(
  { items, keys }: Store,
  { key, record }: Found<'verificationToken'>,
): Promise<void> {
  await items.remove(key)
  await items.drop(keys.tokensOf(record.identifier), key)
}

function authenticatorMethods(store: Store): Adapter {
  const { items, keys, queue } = store
  return {
    createAuthenticator: (authenticator) =>
      queue.write(async () => {
        const { credentialID: member } = authenticator
        const { own } = keys.authenticator(member)
        const before = await findAuthenticator(store, member)
        return insertOwned(store, 'authenticator', before, { own, member }, authenticator)
      }),
    getAuthenticator: (credentialID) =>
      queue.read(async () => (await findAuthenticator(store, credentialID))?.record ?? null),
    listAuthenticatorsByUserId: (userId) =>
      queue.read(async () => records(await owned(store, 'authenticator', userId))),
    updateAuthenticatorCounter: (credentialID, counter) =>
      queue.write(async () => {
        const found = await findAuthenticator(store, credentialID)
        if (!found) throw missing('authenticator')
        checkCounter(found.record.counter, counter)
        await items.write(found.key, { ...found.record, counter })
        return { ...found.record, counter }
      }),
  }
}

function listing(store: Store): AtomicAbilities {
  const { items, keys, queue } = store
  return {
    listSessionsByUserId: (userId) =>
      queue.read(async () => records(await owned(store, 'session', userId))),
    listAccountsByUserId: (userId) =>
      queue.read(async () => records(await owned(store, 'account', userId))),
    async listUsers({ limit, after }) {
      checkPage({ limit, after })
      return queue.read(async () => {
        const all = (await items.keysBelow(keys.users)).filter(keys.isUser)
        const rest = after === undefined ? all : all.filter((key) => key > after)
        const page = rest.slice(0, limit)
        const stored = await Promise.all(page.map((key) => items.record(key)))
        return {
          users: stored.filter((user) => user !== null).map((user) => toRecord('user', user)),
          next: rest.length > page.length ? (page.at(-1) ?? null) : null,
        }
      })
    },
  }
}

interface Attempts {
  readonly until: number[]
}

interface Lease {
  readonly number: number
  readonly expires: number
}

function exclusiveAbilities(store: Store): AtomicAbilities {
  const { items, keys, queue } = store
  return {
    ...recordAbilities(store),
    renameSession: (from, to) =>
      queue.write(async () => {
        const found = await findSession(store, from)
        if (!found) return false
        if (await findSession(store, to)) throw new AdapterConflict('session')
        const { own } = keys.session(to)
        await items.add(keys.sessionsOf(found.record.userId), own)
        await items.write(own, { ...found.record, sessionToken: to } satisfies AdapterSession)
        await removeSession(store, found)
        return true
      }),
    updateAccount: (changes) =>
      queue.write(async () => {
        const found = await findAccount(store, changes)
        if (found) await items.write(found.key, { ...found.record, ...given(changes) })
        return found !== undefined
      }),
    countAttempt: ({ key, limit, now, expires }) =>
      queue.write(async () => {
        const stored = (await items.record(keys.attempts(key))) as Attempts | null
        const until = (stored?.until ?? []).filter((each) => each > now.getTime())
        if (until.length >= limit) return false
        until.push(expires.getTime())
        await items.write(keys.attempts(key), { until } satisfies Attempts)
        return true
      }),
    acquireLease: ({ name, now, expires }) =>
      queue.write(async () => {
        checkLease({ now, expires })
        const before = (await items.record(keys.lease(name))) as Lease | null
        if (before && before.expires > now.getTime()) return null
        const number = (before?.number ?? 0) + 1
        await items.write(keys.lease(name), { number, expires: expires.getTime() } satisfies Lease)
        return number
      }),
    cleanup: ({ now, batch }) =>
      queue.write(async () => {
        const sessions = await removeSome(store, keys.sessions, batch, async (key, stored) => {
          const record = toRecord('session', stored)
          if (record.expires >= now) return false
          await removeSession(store, { key, record })
          return true
        })
        const tokens = await removeSome(store, keys.tokens, batch, async (key, stored) => {
          const record = toRecord('verificationToken', stored)
          if (record.expires >= now) return false
          await removeToken(store, { key, record })
          return true
        })
        const attempts = await removeSome(store, keys.allAttempts, batch, async (key, stored) => {
          if ((stored as unknown as Attempts).until.some((each) => each >= now.getTime()))
            return false
          await items.remove(key)
          return true
        })
        const records = await removeSome(store, keys.records, batch, async (_, stored) => {
          const record = toRecord('record', stored)
          if (!record.expires || record.expires >= now) return false
          await removeRecord(store, record)
          return true
        })
        return Math.max(sessions, tokens, attempts, records)
      }),
    deleteSessionsByUserId: (userId, except) =>
      queue.write(async () => {
        const all = await owned(store, 'session', userId)
        const ending = all.filter(({ record }) => record.sessionToken !== except)
        for (const each of ending) await removeSession(store, each)
        return ending.length
      }),
  }
}

/** Removes expired entries below `base`, but no lists. @returns the number of removed entries, at most `batch`. */
async function removeSome(
  { items, keys }: Store,
  base: string,
  batch: number,
  removeIfOver: (key: string, stored: Record<string, unknown>) => Promise<boolean>,
): Promise<number> {
  let removed = 0
  for (const key of await items.keysBelow(base)) {
    if (removed === batch) break
    const stored = keys.isList(key) ? null : await items.record(key)
    if (stored && (await removeIfOver(key, stored))) removed++
  }
  return removed
}

function records<Name extends RecordName>(found: readonly Found<Name>[]): Records[Name][] {
  return found.map(({ record }) => record)
}

/** Returns a record as a later read returns it. */
function copy<Name extends RecordName>(name: Name, record: Records[Name]): Records[Name] {
  return toRecord(name, JSON.parse(JSON.stringify(record)) as object)
}
