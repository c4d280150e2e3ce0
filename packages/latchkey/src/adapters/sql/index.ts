import type { AdapterAccount, TokenSet } from '../../model/account.ts'
import { type Adapter, atomic } from '../../model/adapter.ts'
import { countAttempt } from './count-attempt.ts'
import { type AnyDatabase, type SqlDialect, type SqlStore, toStore } from './dialect.ts'
import { createEngine, type Engine } from './engine.ts'
import { rowMappings, type UnknownFields } from './rows.ts'
import { sqlite } from './sqlite.ts'
import { createStatements } from './statements.ts'

export { deleteExpired } from './cleanup.ts'
export type { AnyDatabase, Codec, FoundTable, Row, SqlDialect, SqlStore } from './dialect.ts'
export type { UnknownFields } from './rows.ts'
export { checkSchema, type Finding, migrate, printSchema } from './schema.ts'
export { sqlite } from './sqlite.ts'

export interface SqlAdapterOptions {
  /**
   * The engine behind a bare Kysely instance; a {@link SqlStore} says so itself.
   *
   * @default sqlite
   */
  readonly dialect?: SqlDialect | undefined
  /**
   * What becomes of members of a user or an account that have no column.
   *
   * @default 'drop'
   */
  readonly unknownFields?: UnknownFields | undefined
}

/**
 * Stores everything in an SQL database.
 *
 * @param database a Kysely instance, or what {@link SqlStore} an opener gave, which reads faster.
 */
export function sqlAdapter(
  database: AnyDatabase | SqlStore,
  { dialect = sqlite, unknownFields = 'drop' }: SqlAdapterOptions = {},
): Adapter {
  const store = toStore(database, dialect)
  const mappings = rowMappings(store.dialect, unknownFields)
  const statements = createStatements(store.db, mappings, store.dialect)
  const engine = createEngine({ store, mappings, statements })
  return {
    ...methods(engine),
    [atomic]: {
      renameSession: (from, to) => renameSession(engine, from, to),
      updateAccount: (account) => updateAccount(engine, account),
      countAttempt: (attempt) => countAttempt(engine, attempt),
      transaction: (work) =>
        engine.inTransaction((inside) =>
          work({
            ...methods(inside),
            [atomic]: {
              renameSession: (from, to) => renameSession(inside, from, to),
              updateAccount: (account) => updateAccount(inside, account),
            },
          }),
        ),
    },
  }
}

function methods(engine: Engine): Adapter {
  return {
    createUser: (user) => engine.insert('user', user),
    getUser: (id) => engine.find('user', { id }),
    getUserByEmail: (email) => engine.find('user', { email }),
    getUserByAccount: ({ provider, providerAccountId }) =>
      engine.userByAccount({ provider, providerAccountId }),
    async updateUser({ id, ...changes }) {
      return existing(await engine.change('user', { id }, changes), 'user')
    },
    deleteUser: (id) => engine.inTransaction((inside) => deleteUser(inside, id)),

    linkAccount: (account) => engine.insert('account', account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      engine.inTransaction((inside) => unlinkAccount(inside, { provider, providerAccountId })),
    getAccount: (providerAccountId, provider) =>
      engine.find('account', { provider, providerAccountId }),

    createSession: (session) => engine.insert('session', session),
    getSessionAndUser: (sessionToken) => engine.sessionAndUser(sessionToken),
    updateSession: ({ sessionToken, ...changes }) =>
      engine.change('session', { sessionToken }, changes),
    deleteSession: (sessionToken) => engine.take('session', { sessionToken }),

    createVerificationToken: (token) => engine.insert('verificationToken', token),
    useVerificationToken: ({ identifier, token }) =>
      // A mail link may come without its address; no row is found by the token alone.
      identifier === undefined ? null : engine.take('verificationToken', { identifier, token }),

    createAuthenticator: (authenticator) => engine.insert('authenticator', authenticator),
    getAuthenticator: (credentialID) => engine.find('authenticator', { credentialID }),
    listAuthenticatorsByUserId: (userId) => engine.list('authenticator', { userId }),
    async updateAuthenticatorCounter(credentialID, counter) {
      // Forward, or from 0 to 0: authenticators without a counter always say 0.
      const below = Math.max(counter, 1)
      return existing(
        await engine.change('authenticator', { credentialID }, { counter }, ['counter', below]),
        'authenticator with a lower signature counter',
      )
    },
  }
}

/** Children first, so that it also works on tables without foreign keys. */
async function deleteUser(engine: Engine, id: string) {
  const user = await engine.find('user', { id })
  if (!user) return null
  for (const table of ['account', 'session', 'authenticator'] as const) {
    await engine.remove(table, { userId: id })
  }
  // The type says there is one; a provider may give none.
  if (user.email) await engine.remove('verificationToken', { identifier: user.email })
  return engine.take('user', { id })
}

/** The account of a passkey takes the passkey with it. */
async function unlinkAccount(engine: Engine, key: { provider: string; providerAccountId: string }) {
  const account = await engine.take('account', key)
  if (account?.type === 'webauthn') {
    const { providerAccountId: credentialID, userId } = account
    await engine.remove('authenticator', { credentialID, userId })
  }
  return account ?? undefined
}

async function renameSession(engine: Engine, from: string, to: string): Promise<boolean> {
  return (await engine.change('session', { sessionToken: from }, { sessionToken: to })) !== null
}

async function updateAccount(
  engine: Engine,
  {
    provider,
    providerAccountId,
    ...changes
  }: Pick<AdapterAccount, 'provider' | 'providerAccountId'> & TokenSet,
): Promise<boolean> {
  return (await engine.change('account', { provider, providerAccountId }, changes)) !== null
}

function existing<Resource>(resource: Resource | null, kind: string): Resource {
  if (resource === null) throw new Error(`there is no such ${kind} to update`)
  return resource
}
