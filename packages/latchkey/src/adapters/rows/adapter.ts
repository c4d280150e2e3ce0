import { optionError, withDocs } from '../../base/option-error.ts'
import {
  type Adapter,
  type AdapterMethod,
  type AtomicAbilities,
  atomic,
} from '../../model/adapter.ts'
import type { RecordName } from '../records.ts'
import { acquireLease, countAttempt } from './attempts.ts'
import { recordAbilities } from './plugin-records.ts'
import type { Rows } from './rows.ts'

/** What the application's tables can be used for. */
export interface RowAdapterOptions {
  /** Whether a transaction can be held open while something is awaited. */
  readonly transactions: boolean
  /** The optional tables that are not there. Their methods are missing then. */
  readonly without: readonly RecordName[]
}

/** Of which table each method is that an application may have no use for. */
const optional: Partial<Record<AdapterMethod | keyof AtomicAbilities, RecordName>> = {
  createSession: 'session',
  getSessionAndUser: 'session',
  updateSession: 'session',
  deleteSession: 'session',
  renameSession: 'session',
  listSessionsByUserId: 'session',
  deleteSessionsByUserId: 'session',
  createVerificationToken: 'verificationToken',
  useVerificationToken: 'verificationToken',
  countAttempt: 'verificationToken',
  acquireLease: 'verificationToken',
  createAuthenticator: 'authenticator',
  getAuthenticator: 'authenticator',
  listAuthenticatorsByUserId: 'authenticator',
  updateAuthenticatorCounter: 'authenticator',
  createRecord: 'record',
  getRecord: 'record',
  replaceRecord: 'record',
  takeRecord: 'record',
  listRecords: 'record',
}

/**
 * The adapter for rows that somebody else's query builder reads and writes.
 *
 * @param rows ignores requests to remove rows of a table that is not there.
 */
export function rowAdapter(rows: Rows, { transactions, without }: RowAdapterOptions): Adapter {
  const usable = <Members extends object>(members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).filter(([name]) => {
        const table = optional[name as AdapterMethod]
        return table === undefined || !without.includes(table)
      }),
    ) as Members
  const abilities: AtomicAbilities = {
    ...changes(rows),
    countAttempt: (attempt) => countAttempt(rows, attempt),
    acquireLease: (lease) => acquireLease(rows, lease),
    async cleanup({ now, batch }) {
      let most = 0
      for (const table of ['session', 'verificationToken', 'record'] as const)
        most = Math.max(most, await rows.removeExpired(table, now, batch))
      return most
    },
  }
  if (transactions) {
    abilities.transaction = (work) =>
      rows.inTransaction((inside) =>
        work({ ...usable(methods(inside)), [atomic]: usable(changes(inside)) }),
      )
  }
  return { ...usable(methods(rows)), [atomic]: usable(abilities) }
}

/** The abilities that make sense inside of a transaction, too. */
function changes(rows: Rows): AtomicAbilities {
  return {
    ...recordAbilities(rows),
    async renameSession(from, to) {
      return (await rows.change('session', { sessionToken: from }, { sessionToken: to })) !== null
    },
    async updateAccount({ provider, providerAccountId, ...tokens }) {
      return (await rows.change('account', { provider, providerAccountId }, tokens)) !== null
    },
    listSessionsByUserId: (userId) => rows.list('session', { userId }),
    listAccountsByUserId: (userId) => rows.list('account', { userId }),
    deleteSessionsByUserId: (userId, except) =>
      rows.remove(
        'session',
        { userId },
        except === undefined ? undefined : ['sessionToken', except],
      ),
    async listUsers({ limit, after }) {
      if (after !== undefined && typeof after !== 'string')
        throw optionError('`after` must be a string', 'adapterCall')
      const users = await rows.usersAfter(after, limit + 1)
      const more = users.length > limit
      const page = more ? users.slice(0, limit) : users
      return { users: page, next: more ? (page.at(-1)?.id ?? null) : null }
    },
  }
}

function methods(rows: Rows): Adapter {
  return {
    createUser: (user) => rows.insert('user', user),
    getUser: (id) => rows.find('user', { id }),
    getUserByEmail: (email) => rows.find('user', { email }),
    getUserByAccount: ({ provider, providerAccountId }) =>
      rows.userByAccount({ provider, providerAccountId }),
    async updateUser({ id, ...changes }) {
      return existing(await rows.change('user', { id }, changes), 'user')
    },
    deleteUser: (id) => rows.inTransaction((inside) => deleteUser(inside, id)),

    linkAccount: (account) => rows.insert('account', account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      rows.inTransaction((inside) => unlinkAccount(inside, { provider, providerAccountId })),
    getAccount: (providerAccountId, provider) =>
      rows.find('account', { provider, providerAccountId }),

    createSession: (session) => rows.insert('session', session),
    getSessionAndUser: (sessionToken) => rows.sessionAndUser(sessionToken),
    updateSession: ({ sessionToken, ...changes }) =>
      rows.change('session', { sessionToken }, changes),
    deleteSession: (sessionToken) => rows.take('session', { sessionToken }),

    createVerificationToken: ({ identifier, token, expires }) =>
      rows.insert('verificationToken', { identifier, token, expires }),
    useVerificationToken: ({ identifier, token }) =>
      // A mail link may come without its address; no row is found by the token alone.
      identifier === undefined ? null : rows.take('verificationToken', { identifier, token }),

    createAuthenticator: (authenticator) => rows.insert('authenticator', authenticator),
    getAuthenticator: (credentialID) => rows.find('authenticator', { credentialID }),
    listAuthenticatorsByUserId: (userId) => rows.list('authenticator', { userId }),
    async updateAuthenticatorCounter(credentialID, counter) {
      // Forward, or from 0 to 0: authenticators without a counter always say 0.
      const below = Math.max(counter, 1)
      return existing(
        await rows.change('authenticator', { credentialID }, { counter }, ['counter', below]),
        'authenticator with a lower signature counter',
      )
    },
  }
}

/** Children first, so that it also works on tables without foreign keys. */
async function deleteUser(rows: Rows, id: string) {
  const user = await rows.find('user', { id })
  // Also of somebody who is in another store, or in none.
  await rows.remove('record', { userId: id })
  if (!user) return null
  for (const table of ['account', 'session', 'authenticator'] as const) {
    await rows.remove(table, { userId: id })
  }
  // The type says there is one; a provider may give none.
  if (user.email) await rows.remove('verificationToken', { identifier: user.email })
  return rows.take('user', { id })
}

/** The account of a passkey takes the passkey with it. */
async function unlinkAccount(rows: Rows, key: { provider: string; providerAccountId: string }) {
  const account = await rows.take('account', key)
  if (account?.type === 'webauthn') {
    const { providerAccountId: credentialID, userId } = account
    await rows.remove('authenticator', { credentialID, userId })
  }
  return account ?? undefined
}

function existing<Resource>(resource: Resource | null, kind: string): Resource {
  if (resource === null)
    throw new Error(withDocs(`the ${kind} to update does not exist`, 'adapterCall'))
  return resource
}
