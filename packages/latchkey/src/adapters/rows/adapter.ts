import {
  type Adapter,
  type AtomicAbilities,
  atomic,
  type UserAdapter,
} from '../../model/adapter.ts'
import { checkCount, checkPage, pageOf } from '../paging.ts'
import { missing } from '../problems.ts'
import type { Records } from '../records.ts'
import { acquireLease, countAttempt } from './attempts.ts'
import { recordAbilities } from './plugin-records.ts'
import { EXPIRING, type Rows, type Selection } from './rows.ts'

/** Creates the adapter of a store with rows. Methods and abilities whose table is missing are missing, too. */
export function rowAdapter(rows: Rows): UserAdapter {
  return {
    ...methods(rows),
    [atomic]: {
      ...abilities(rows),
      ...outsideAbilities(rows),
      ...(rows.hasTransactions && {
        transaction: (work) => rows.inTransaction((inside) => work(insideAdapter(inside))),
      }),
    },
  }
}

/** Creates the adapter for use within a transaction. */
export function insideAdapter(rows: Rows): Adapter & { [atomic]: AtomicAbilities } {
  return { ...methods(rows), [atomic]: abilities(rows) }
}

/** The abilities whose statements may be refused and tried again, which not every store allows in a transaction. */
export function outsideAbilities(rows: Rows): AtomicAbilities {
  return {
    ...(rows.has('verificationToken') && {
      countAttempt: (attempt) => countAttempt(rows, attempt),
      acquireLease: (lease) => acquireLease(rows, lease),
    }),
    cleanup: (options) => cleanup(rows, options),
  }
}

/** @throws RangeError unless `batch` is a positive whole number. */
export async function cleanup(
  rows: Rows,
  { now, batch }: { now: Date; batch: number },
): Promise<number> {
  checkCount(batch)
  let most = 0
  for (const table of EXPIRING) {
    if (rows.has(table)) most = Math.max(most, await rows.removeExpired(table, now, batch))
  }
  return most
}

function abilities(rows: Rows): AtomicAbilities {
  return {
    async updateAccount({ provider, providerAccountId, ...tokens }) {
      return (await rows.change('account', { provider, providerAccountId }, tokens)) !== null
    },
    listAccountsByUserId: (userId) => rows.list('account', { userId }),
    async listUsers({ limit, after }) {
      checkPage({ limit, after })
      // The ids have an order, and no id changes.
      const found = await rows.page('user', 'id', limit + 1, after)
      const { page: users, next } = pageOf(found, limit, ({ id }) => id)
      return { users, next }
    },
    ...(rows.has('session') && sessionAbilities(rows)),
    ...(rows.has('record') && recordAbilities(rows)),
  }
}

function sessionAbilities(rows: Rows): AtomicAbilities {
  return {
    async renameSession(from, to) {
      return (await rows.change('session', { sessionToken: from }, { sessionToken: to })) !== null
    },
    listSessionsByUserId: (userId) => rows.list('session', { userId }),
    deleteSessionsByUserId: (userId, except) =>
      rows.remove(
        'session',
        { userId },
        except === undefined ? undefined : { field: 'sessionToken', is: '<>', value: except },
      ),
  }
}

function methods(rows: Rows): UserAdapter {
  return {
    ...(rows.has('session') && sessionMethods(rows)),
    ...(rows.has('verificationToken') && verificationTokenMethods(rows)),
    ...(rows.has('authenticator') && authenticatorMethods(rows)),

    createUser: (user) => rows.insert('user', user),
    getUser: (id) => rows.find('user', { id }),
    getUserByEmail: (email) => rows.find('user', { email }),
    getUserByAccount: ({ provider, providerAccountId }) =>
      rows.userByAccount({ provider, providerAccountId }),
    async updateUser({ id, ...changes }) {
      return existing(await rows.change('user', { id }, changes), 'user')
    },
    deleteUser: (id) => deleteUser(rows, id),

    linkAccount: (account) => rows.insert('account', account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      unlinkAccount(rows, { provider, providerAccountId }),
    getAccount: (providerAccountId, provider) =>
      rows.find('account', { provider, providerAccountId }),
  }
}

function sessionMethods(rows: Rows): Adapter {
  return {
    createSession: (session) => rows.insert('session', session),
    getSessionAndUser: (sessionToken) => rows.sessionAndUser(sessionToken),
    updateSession: ({ sessionToken, ...changes }) =>
      rows.change('session', { sessionToken }, changes),
    deleteSession: (sessionToken) => rows.take('session', { sessionToken }),
  }
}

function verificationTokenMethods(rows: Rows): Adapter {
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      rows.insert('verificationToken', { identifier, token, expires }),
    useVerificationToken: ({ identifier, token }) =>
      // The link of a mail may lack the address. The token alone finds no row.
      identifier === undefined ? null : rows.take('verificationToken', { identifier, token }),
  }
}

function authenticatorMethods(rows: Rows): Adapter {
  return {
    createAuthenticator: (authenticator) => rows.insert('authenticator', authenticator),
    getAuthenticator: (credentialID) => rows.find('authenticator', { credentialID }),
    listAuthenticatorsByUserId: (userId) => rows.list('authenticator', { userId }),
    async updateAuthenticatorCounter(credentialID, counter) {
      // The counter must grow, or stay 0: authenticators without a counter always send 0.
      const lower = { field: 'counter', is: '<', value: Math.max(counter, 1) } as const
      return existing(
        await rows.change('authenticator', { credentialID }, { counter }, lower),
        'authenticator with a lower signature counter',
      )
    },
  }
}

async function deleteUser(rows: Rows, id: string) {
  const user = await rows.find('user', { id })
  if (!user) {
    // Records may belong to a user of another store.
    if (rows.has('record')) await rows.remove('record', { userId: id })
    return null
  }
  const others: Selection[] = (['account', 'session', 'authenticator', 'record'] as const)
    .filter((table) => rows.has(table))
    .map((table) => [table, { userId: id }])
  // Required by the types, but a provider may return none.
  if (user.email && rows.has('verificationToken'))
    others.push(['verificationToken', { identifier: user.email }])
  return takeWith(rows, others, 'user', { id })
}

/** Removes the account, and the passkey of a passkey's account. */
async function unlinkAccount(rows: Rows, key: { provider: string; providerAccountId: string }) {
  const account = await rows.find('account', key)
  if (!account) return undefined
  const { type, providerAccountId: credentialID, userId } = account
  const taken =
    type === 'webauthn' && rows.has('authenticator')
      ? takeWith(rows, [['authenticator', { credentialID, userId }]], 'account', key)
      : rows.take('account', key)
  return (await taken) ?? undefined
}

/** Removes other rows, and then takes the row that they belong to: tables without foreign keys leave none behind. */
function takeWith<Name extends 'user' | 'account'>(
  rows: Rows,
  others: readonly Selection[],
  table: Name,
  keys: Selection[1],
): Promise<Records[Name] | null> {
  if (rows.takeWith) return rows.takeWith(others, table, keys)
  return rows.inTransaction(async (inside) => {
    await inside.lock?.(table, keys)
    for (const [other, otherKeys] of others) await inside.remove(other, otherKeys)
    return inside.take(table, keys)
  })
}

function existing<Resource>(resource: Resource | null, kind: string): Resource {
  if (resource === null) throw missing(kind)
  return resource
}
