import * as kysely from 'kysely'
import { installedVersion } from '../../base/installed-version.ts'
import { type Requirement, unmet } from '../../base/needs.ts'
import { withDocs } from '../../base/option-error.ts'
import { type Adapter, type AtomicAbilities, atomic } from '../../model/adapter.ts'
import { checkNames } from '../expected.ts'
import { recordsOnNeed } from '../records-on-need.ts'
import { abilities, abilitiesOutside, cleanup } from './abilities.ts'
import { checkDatabase } from './clients.ts'
import { type AnyDatabase, type Row, type SqlDialect, type SqlStore, toStore } from './dialect.ts'
import { createEngine, type Engine, type EngineParts } from './engine.ts'
import { type Layout, toLayout } from './layout.ts'
import type { Naming, Preset } from './naming.ts'
import { recordAbilities } from './records.ts'
import { rowMappings, type UnknownFields } from './rows.ts'
import { inSavepoint } from './savepoint.ts'
import { sqlite } from './sqlite.ts'
import { createStatements } from './statements.ts'
import type { TableName } from './tables.ts'

export { type CheckSchemaOptions, checkSchema, type Finding } from './check-schema.ts'
export type {
  AnyDatabase,
  Codec,
  FoundColumn,
  FoundTable,
  NamedQuery,
  Row,
  SqlDialect,
  SqlStore,
} from './dialect.ts'
export { mariadb } from './mariadb.ts'
export { migrate } from './migrate.ts'
export { mssql } from './mssql.ts'
export { mysql } from './mysql.ts'
export type { ColumnNaming, Naming, Preset, TableNaming } from './naming.ts'
export { postgres } from './postgres.ts'
export type { UnknownFields } from './rows.ts'
export { printSchema, type SchemaOptions } from './schema.ts'
export { sqlite } from './sqlite.ts'
export type { ColumnType, Generated, TableName } from './tables.ts'

const library: Requirement = { what: 'latchkey/adapters/sql', name: 'kysely', from: '0.27' }
// What version 0.27 has brought: Kysely does not tell its version.
if ((kysely as { CastNode?: unknown }).CastNode === undefined)
  throw new Error(unmet(library, installedVersion(library.name)))

export interface SqlAdapterOptions {
  /**
   * The engine of your own Kysely instance: `sqlite`, `postgres`, `mysql`, `mariadb` or `mssql`.
   *
   * An opener of Latchkey sets it itself.
   *
   * @default `sqlite`
   */
  readonly dialect?: SqlDialect | undefined
  /**
   * Names and types of tables and columns: a preset such as `'prisma'`, or an object.
   *
   * @default 'singular'
   * @see docs/reference/schema.md
   */
  readonly naming?: Preset | Naming | undefined
  /**
   * Handling of members of a user or an account that have no column: `drop`, `error`, or a function.
   *
   * `'drop'` omits them without a message. A function is called once for each table and name. If `naming` names a
   * column for the `rest`, the option has no effect.
   *
   * @default 'drop'
   */
  readonly unknownFields?: UnknownFields | undefined
  /**
   * Whether the database has the table in which plugins store their records.
   *
   * `migrate`, `printSchema` and `checkSchema` have the same option.
   *
   * @default as the plugins need
   * @see docs/reference/schema.md#records-of-plugins
   */
  readonly records?: boolean | undefined
  /**
   * Returns the transaction of your application in which a call runs, or nothing if there is none.
   *
   * It usually comes from an `AsyncLocalStorage`. Except in SQLite, attempts are counted and leases are taken outside
   * of it, so they remain if the transaction fails.
   *
   * @see packages/latchkey/src/adapters/sql/README.md#use-your-own-transaction
   */
  readonly transaction?: (() => AnyDatabase | undefined) | undefined
}

/**
 * Creates an adapter that stores everything in an SQL database.
 *
 * @param database a Kysely instance, or the {@link SqlStore} that an opener returned, which is faster. Plugins of
 *   an instance that rename tables or columns are ignored: use `naming`.
 * @throws {TypeError} for another client, an option that is probably misspelled, or an invalid `naming`.
 */
export function sqlAdapter(
  database: AnyDatabase | SqlStore,
  options: SqlAdapterOptions = {},
): Adapter {
  checkDatabase('sqlAdapter', database)
  checkNames('sqlAdapter', options, OPTIONS)
  const { records, ...others } = options
  const create = (hasRecords: boolean): Adapter => adapterOf(database, others, hasRecords)
  return records === undefined ? recordsOnNeed(create) : create(records)
}

function adapterOf(
  database: AnyDatabase | SqlStore,
  {
    dialect = sqlite,
    naming,
    unknownFields = 'drop',
    transaction,
  }: Omit<SqlAdapterOptions, 'records'>,
  records: boolean,
): Adapter {
  const store = toStore(database, dialect)
  const parts = engineParts(store, toLayout(naming, store.dialect, records), unknownFields)
  const engine = createEngine(parts)
  const outside: Adapter = {
    ...bound(engine),
    [atomic]: {
      ...abilities(engine),
      ...abilitiesOutside(engine),
      ...(!store.batch && {
        transaction: (work) => engine.inTransaction((inside) => work(bound(inside))),
      }),
    },
  }
  if (!transaction) return outside
  return joining(outside, () => {
    const current = transaction()?.withoutPlugins()
    if (!current) return undefined
    const part = createEngine(parts, current)
    const inside = bound(part)
    return {
      ...inside,
      [atomic]: {
        ...inside[atomic],
        // SQLite has one connection, and what is outside would wait for what waits for it.
        ...(store.dialect.family === 'sqlite' && abilitiesOutside(part)),
        transaction: (work) => inSavepoint(current, store.dialect, () => work(inside)),
      },
    }
  })
}

export type SqlRecordsOptions = Pick<SqlAdapterOptions, 'dialect' | 'naming'>

/**
 * Creates a store for the records of plugins in an SQL database. Use it for the option `records` if the adapter stores
 * no records. `migrate(database, { records: 'only' })` creates the table.
 *
 * @param database as for {@link sqlAdapter}.
 */
export function sqlRecords(
  database: AnyDatabase | SqlStore,
  options: SqlRecordsOptions = {},
): Adapter {
  checkDatabase('sqlRecords', database)
  checkNames('sqlRecords', options, OPTIONS)
  const { dialect = sqlite, naming } = options
  const store = toStore(database, dialect)
  const layout = toLayout(naming, store.dialect, 'only')
  const engine = createEngine(engineParts(store, layout, 'error'))
  return {
    async deleteUser(userId) {
      await engine.remove('record', { userId })
    },
    [atomic]: { ...recordAbilities(engine), cleanup: (options) => cleanup(engine, options) },
  }
}

const OPTIONS = [
  'dialect',
  'naming',
  'unknownFields',
  'records',
  'transaction',
] as const satisfies (keyof SqlAdapterOptions)[]

function engineParts(store: SqlStore, layout: Layout, unknownFields: UnknownFields): EngineParts {
  const mappings = rowMappings(layout, store.dialect, unknownFields)
  const statements = createStatements(store.db, layout, mappings, store.dialect)
  return { store, layout, mappings, statements }
}

/** All that can be done in a transaction, as one engine does it. */
function bound(engine: Engine): Adapter & { [atomic]: AtomicAbilities } {
  return { ...methods(engine), [atomic]: abilities(engine) }
}

type Bound = ReturnType<typeof bound>

/** An adapter whose calls are part of a transaction while there is one. */
function joining(outside: Adapter, current: () => Bound | undefined): Adapter {
  const { [atomic]: own = {}, ...methods } = outside
  return {
    ...whichever(methods, current),
    [atomic]: whichever(own, () => current()?.[atomic]),
  }
}

type Method = (...args: never[]) => unknown

/** The same methods, each as it is in `current`, where it is there at that moment. */
function whichever<Methods extends object>(
  methods: Methods,
  current: () => Partial<Methods> | undefined,
): Methods {
  const chosen = Object.entries(methods as Record<string, Method>).map(([name, method]) => [
    name,
    (...args: never[]) => {
      const inside = current() as Record<string, Method> | undefined
      return (inside?.[name] ?? method)(...args)
    },
  ])
  return Object.fromEntries(chosen) as Methods
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
    deleteUser: (id) => deleteUser(engine, id),

    linkAccount: (account) => engine.insert('account', account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      unlinkAccount(engine, { provider, providerAccountId }),
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

    ...(engine.has('authenticator') && authenticatorMethods(engine)),
  }
}

function authenticatorMethods(engine: Engine): Adapter {
  return {
    createAuthenticator: (authenticator) => engine.insert('authenticator', authenticator),
    getAuthenticator: (credentialID) => engine.find('authenticator', { credentialID }),
    listAuthenticatorsByUserId: (userId) => engine.list('authenticator', { userId }),
    async updateAuthenticatorCounter(credentialID, counter) {
      // Forward, or from 0 to 0: authenticators without a counter always say 0.
      const below = Math.max(counter, 1)
      return existing(
        await engine.change(
          'authenticator',
          { credentialID },
          { counter },
          { field: 'counter', is: '<', value: below },
        ),
        'authenticator with a lower signature counter',
      )
    },
  }
}

/** Children first, so that it also works on tables without foreign keys. */
async function deleteUser(engine: Engine, id: string) {
  const user = await engine.find('user', { id })
  if (!user) {
    // Records may belong to somebody who is in another store, or in none.
    if (engine.has('record')) await engine.remove('record', { userId: id })
    return null
  }
  const children = (['account', 'session', 'authenticator', 'record'] as const).filter(engine.has)
  const others: [TableName, Row][] = children.map((table) => [table, { userId: id }])
  // The type says there is one; a provider may give none.
  if (user.email) others.push(['verificationToken', { identifier: user.email }])
  return engine.takeWith(others, 'user', { id })
}

/** The account of a passkey takes the passkey with it. */
async function unlinkAccount(engine: Engine, key: { provider: string; providerAccountId: string }) {
  const account = await engine.find('account', key)
  if (!account) return undefined
  const { type, providerAccountId: credentialID, userId } = account
  const passkey = type === 'webauthn' && engine.has('authenticator')
  const others: [TableName, Row][] = passkey ? [['authenticator', { credentialID, userId }]] : []
  return (await engine.takeWith(others, 'account', key)) ?? undefined
}

function existing<Resource>(resource: Resource | null, kind: string): Resource {
  if (resource === null)
    throw new Error(withDocs(`the ${kind} to update does not exist`, 'adapterCall'))
  return resource
}
