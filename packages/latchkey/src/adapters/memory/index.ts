import type { AdapterAccount, TokenSet } from '../../model/account.ts'
import {
  type Adapter,
  AdapterConflict,
  atomic,
  type ConflictKind,
  type CountedAttempt,
  type UserAdapter,
} from '../../model/adapter.ts'
import type { AdapterAuthenticator } from '../../model/authenticator.ts'
import {
  type PluginRecord,
  type RecordKey,
  type RecordQuery,
  recordData,
  recordText,
} from '../../model/record.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { VerificationToken } from '../../model/verification-token.ts'
import { checkPage, pageOf } from '../paging.ts'
import { checkCounter, missing, ownerMissing } from '../problems.ts'
import { checkLease, complete, given } from '../records.ts'

/**
 * Creates an adapter that stores everything in the memory of this process, for tests and first steps. The data is lost
 * when the process ends, and other processes cannot read it.
 */
export function memoryAdapter(): UserAdapter {
  const store = new Store()
  const inside = operations(store)
  /** Makes an operation wait until a transaction ends. */
  const waiting = (operation: Operation): Operation => {
    return async (...args) => {
      while (store.busy) await store.busy
      return await operation(...args)
    }
  }
  const { [atomic]: abilities, ...methods } = inside
  return {
    ...mapMethods(methods, waiting),
    [atomic]: {
      ...mapMethods(abilities, waiting),
      async transaction(work) {
        while (store.busy) await store.busy
        return store.allOrNothing(() => work(inside))
      },
    },
  }
}

// Each operation of the contract is assignable to parameters of the type `never`.
type Operation = (...args: never[]) => unknown

/** Returns the same object with each operation changed. */
function mapMethods<Operations extends object>(
  operations: Operations,
  change: (operation: Operation) => Operation,
): Operations {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, change(operation)]),
  ) as Operations
}

type Table<Resource> = Map<string, Resource>

type StoredRecord = Omit<PluginRecord, 'data' | 'isDamaged'> & { readonly text: string }

/** The tables, and the steps that undo the writes of a running transaction. */
class Store {
  readonly users: Table<AdapterUser> = new Map()
  readonly accounts: Table<AdapterAccount> = new Map()
  readonly sessions: Table<AdapterSession> = new Map()
  readonly tokens: Table<VerificationToken> = new Map()
  readonly authenticators: Table<AdapterAuthenticator> = new Map()
  /** The times at which the attempts of a key expire. */
  readonly attempts: Table<readonly Date[]> = new Map()
  readonly leases: Table<{ readonly fence: number; readonly expires: Date }> = new Map()
  /** The records of plugins, with their data as text. */
  readonly records: Table<StoredRecord> = new Map()
  /** The ids of users by address. */
  readonly addresses: Table<string> = new Map()
  /** Settles when the running transaction ends. */
  busy: Promise<void> | undefined
  #undo: (() => void)[] = []

  /** Writes an entry, or removes it if `value` is `undefined`. */
  write<Value>(table: Table<Value>, key: string, value: Value | undefined): void {
    const before = table.get(key)
    if (this.busy) this.#undo.push(() => put(table, key, before))
    put(table, key, value)
  }

  async allOrNothing<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.busy = promise
    try {
      return await work()
    } catch (error) {
      for (const undo of this.#undo.toReversed()) undo()
      throw error
    } finally {
      this.#undo = []
      this.busy = undefined
      resolve()
    }
  }
}

function put<Value>(table: Table<Value>, key: string, value: Value | undefined): void {
  if (value === undefined) table.delete(key)
  else table.set(key, value)
}

/** The methods. Each is synchronous. */
function operations(store: Store) {
  const { users, accounts, sessions, tokens, authenticators, addresses, records } = store

  const removeAll = <Value extends { userId?: string | undefined }>(
    table: Table<Value>,
    userId: string,
  ) => {
    for (const [key, { userId: owner }] of table) {
      if (owner === userId) store.write(table, key, undefined)
    }
  }

  const methods = {
    createUser(user) {
      if (users.has(user.id)) throw new AdapterConflict('user')
      return saveUser(store, complete('user', user))
    },
    getUser: (id) => copyOrNull(users.get(id)),
    getUserByEmail: (email) => copyOrNull(users.get(addresses.get(email) ?? '')),
    getUserByAccount(account) {
      const owner = accounts.get(accountKey(account))?.userId
      return copyOrNull(users.get(owner ?? ''))
    },
    updateUser(changes) {
      const user = users.get(changes.id)
      if (!user) throw missing('user')
      return saveUser(store, { ...user, ...given(changes) })
    },
    deleteUser(id) {
      const user = users.get(id)
      removeAll(records, id)
      if (!user) return null
      removeAll(accounts, id)
      removeAll(sessions, id)
      removeAll(authenticators, id)
      for (const [key, { identifier }] of tokens) {
        if (identifier === user.email) store.write(tokens, key, undefined)
      }
      store.write(addresses, user.email, undefined)
      store.write(users, id, undefined)
      return copy(user)
    },

    linkAccount(account) {
      return insert('account', accounts, accountKey(account), complete('account', account))
    },
    unlinkAccount(key) {
      const account = accounts.get(accountKey(key))
      if (!account) return undefined
      store.write(accounts, accountKey(key), undefined)
      if (account.type === 'webauthn') {
        store.write(authenticators, account.providerAccountId, undefined)
      }
      return copy(account)
    },
    getAccount: (providerAccountId, provider) =>
      copyOrNull(accounts.get(accountKey({ provider, providerAccountId }))),

    createSession: (session) => insert('session', sessions, session.sessionToken, given(session)),
    getSessionAndUser(sessionToken) {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return user ? { session: copy(session), user: copy(user) } : null
    },
    updateSession(changes) {
      const session = sessions.get(changes.sessionToken)
      if (!session) return null
      const changed = copy({ ...session, ...given(changes) })
      store.write(sessions, changes.sessionToken, changed)
      return copy(changed)
    },
    deleteSession(sessionToken) {
      const session = sessions.get(sessionToken)
      if (!session) return null
      store.write(sessions, sessionToken, undefined)
      return copy(session)
    },

    createVerificationToken(token) {
      return insert('verificationToken', tokens, tokenKey(token), {
        identifier: token.identifier,
        token: token.token,
        expires: token.expires,
      })
    },
    useVerificationToken(key) {
      const token = tokens.get(tokenKey(key))
      if (!token) return null
      store.write(tokens, tokenKey(key), undefined)
      return copy(token)
    },

    createAuthenticator(authenticator) {
      const stored = complete('authenticator', authenticator)
      return insert('authenticator', authenticators, stored.credentialID, stored)
    },
    getAuthenticator: (credentialID) => copyOrNull(authenticators.get(credentialID)),
    listAuthenticatorsByUserId: (userId) => ofUser(authenticators, userId),
    updateAuthenticatorCounter(credentialID, counter) {
      const authenticator = authenticators.get(credentialID)
      if (!authenticator) throw missing('authenticator')
      checkCounter(authenticator.counter, counter)
      store.write(authenticators, credentialID, { ...authenticator, counter })
      return { ...authenticator, counter }
    },

    [atomic]: { ...abilities(store), ...recordAbilities(store) },
  } satisfies Adapter
  return methods

  function insert<Value extends object>(
    kind: ConflictKind,
    table: Table<Value>,
    key: string,
    value: Value,
  ): Value {
    if (table.has(key)) throw new AdapterConflict(kind)
    if ('userId' in value && !users.has(String(value.userId))) throw ownerMissing(kind)
    store.write(table, key, copy(value))
    return copy(value)
  }
}

/** The abilities that adapters of Auth.js do not have. */
function abilities(store: Store) {
  const { users, accounts, sessions, tokens, attempts, leases, records } = store
  const removeExpired = <Value extends { expires?: Date | undefined }>(
    table: Table<Value>,
    now: Date,
    batch: number,
  ): number => {
    const over = Array.from(table).filter(([, { expires }]) => expires && expires < now)
    const keys = over.slice(0, batch).map(([key]) => key)
    for (const key of keys) store.write(table, key, undefined)
    return keys.length
  }

  return {
    renameSession: (from: string, to: string): boolean => {
      const session = sessions.get(from)
      if (!session) return false
      if (sessions.has(to)) throw new AdapterConflict('session')
      store.write(sessions, from, undefined)
      store.write(sessions, to, { ...session, sessionToken: to })
      return true
    },
    updateAccount: (
      changes: Pick<AdapterAccount, 'provider' | 'providerAccountId'> & TokenSet,
    ): boolean => {
      const account = accounts.get(accountKey(changes))
      if (!account) return false
      store.write(accounts, accountKey(changes), copy({ ...account, ...given(changes) }))
      return true
    },
    countAttempt: ({ key, limit, now, expires }: CountedAttempt): boolean => {
      const counting = (attempts.get(key) ?? []).filter((until) => until > now)
      if (counting.length >= limit) return false
      store.write(attempts, key, [...counting, expires])
      return true
    },
    acquireLease: ({ name, now, expires }: { name: string; now: Date; expires: Date }) => {
      checkLease({ now, expires })
      const before = leases.get(name)
      if (before && before.expires > now) return null
      const fence = (before?.fence ?? 0) + 1
      store.write(leases, name, { fence, expires })
      return fence
    },
    cleanup: ({ now, batch }: { now: Date; batch: number }): number =>
      Math.max(
        removeExpired(sessions, now, batch),
        removeExpired(tokens, now, batch),
        removeExpired(records, now, batch),
      ),
    listSessionsByUserId: (userId: string): AdapterSession[] => ofUser(sessions, userId),
    listAccountsByUserId: (userId: string): AdapterAccount[] => ofUser(accounts, userId),
    deleteSessionsByUserId: (userId: string, except?: string): number => {
      const ended = ofUser(sessions, userId).filter((each) => each.sessionToken !== except)
      for (const { sessionToken } of ended) store.write(sessions, sessionToken, undefined)
      return ended.length
    },
    listUsers: ({ limit, after = '' }: { limit: number; after?: string | undefined }) => {
      checkPage({ limit, after })
      const ids = Array.from(users.keys()).filter((id) => id > after)
      const { page, next } = pageOf(ids.toSorted(), limit, (id) => id)
      return { users: page.flatMap((id) => copyOrNull(users.get(id)) ?? []), next }
    },
  }
}

function recordAbilities(store: Store) {
  const { records } = store
  return {
    createRecord: (record: PluginRecord, now: Date): boolean => {
      const text = recordText(record)
      const before = records.get(recordKey(record))
      if (before && !(before.expires && before.expires <= now)) return false
      const { data: _, ...members } = given(record)
      store.write(records, recordKey(record), copy({ ...members, text }))
      return true
    },
    getRecord: (key: RecordKey): PluginRecord | null => read(records.get(recordKey(key))),
    replaceRecord: (record: PluginRecord): boolean => {
      const text = recordText(record)
      const before = records.get(recordKey(record))
      if (before?.version !== record.version - 1) return false
      const { expires: _, ...stays } = before
      const { version, expires } = record
      store.write(
        records,
        recordKey(record),
        copy({ ...stays, ...given({ expires }), version, text }),
      )
      return true
    },
    takeRecord: (key: RecordKey): PluginRecord | null => {
      const record = records.get(recordKey(key))
      if (record) store.write(records, recordKey(key), undefined)
      return read(record)
    },
    listRecords: ({ kind, userId, after = '', limit }: RecordQuery) => {
      checkPage({ limit, after })
      const all = Array.from(records.values()).filter(
        (each) =>
          each.kind === kind &&
          (userId === undefined || each.userId === userId) &&
          each.key > after,
      )
      const sorted = all.toSorted((one, other) => (one.key < other.key ? -1 : 1))
      const { page, next } = pageOf(sorted, limit, ({ key }) => key)
      return { records: page.flatMap((each) => read(each) ?? []), next }
    },
  }
}

/** Stores a user and the index of addresses, since the address may have changed. */
function saveUser(store: Store, user: AdapterUser): AdapterUser {
  const owner = store.addresses.get(user.email)
  if (owner !== undefined && owner !== user.id) throw new AdapterConflict('user.email')
  const before = store.users.get(user.id)
  if (before) store.write(store.addresses, before.email, undefined)
  // A user without an address is found only by id.
  if (user.email !== null) store.write(store.addresses, user.email, user.id)
  store.write(store.users, user.id, copy(user))
  return copy(user)
}

function ofUser<Value extends { userId: string }>(table: Table<Value>, userId: string): Value[] {
  return Array.from(table.values())
    .filter((value) => value.userId === userId)
    .map(copy)
}

// The length first, so that two pairs never have the same text.
function pair(first: string, second: string): string {
  return `${first.length}:${first}${second}`
}

function accountKey(account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): string {
  return pair(account.provider, account.providerAccountId)
}

function tokenKey({ identifier, token }: { identifier: string; token: string }): string {
  return identifier === undefined ? '' : pair(identifier, token)
}

function recordKey({ kind, key }: RecordKey): string {
  return pair(kind, key)
}

function read(record: StoredRecord | undefined): PluginRecord | null {
  if (!record) return null
  const { text, ...members } = copy(record)
  return { ...members, ...recordData(text) }
}

function copyOrNull<Resource extends object>(resource: Resource | undefined): Resource | null {
  return resource ? copy(resource) : null
}

/** Copies entries, so that changes of an object outside do not change the store, and the reverse. */
function copy<Resource extends object>(resource: Resource): Resource {
  const fresh = { ...resource } as Record<string, unknown>
  for (const name in fresh) {
    const value = fresh[name]
    if (value instanceof Date) fresh[name] = new Date(value)
    else if (typeof value === 'object' && value !== null) fresh[name] = structuredClone(value)
  }
  return fresh as Resource
}
