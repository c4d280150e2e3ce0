import * as kysely from 'kysely'
import { installedVersion } from '../../base/installed-version.ts'
import { type Requirement, unmet } from '../../base/needs.ts'
import { type Adapter, atomic, type UserAdapter } from '../../model/adapter.ts'
import { checkNames } from '../expected.ts'
import { recordsOnNeed } from '../records-on-need.ts'
import { cleanup, insideAdapter, outsideAbilities, rowAdapter } from '../rows/adapter.ts'
import { recordAbilities } from '../rows/plugin-records.ts'
import { checkDatabase } from './clients.ts'
import { type AnyDatabase, type SqlDialect, type SqlStore, toStore } from './dialect.ts'
import { type EngineParts, sqlRows } from './engine.ts'
import { type Layout, toLayout } from './layout.ts'
import type { Naming, Preset } from './naming.ts'
import { rowMappings, type UnknownFields } from './rows.ts'
import { inSavepoint } from './savepoint.ts'
import { sqlite } from './sqlite.ts'
import { Statements } from './statements.ts'

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
// Kysely does not export its version. Version 0.27 added this class.
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
): UserAdapter {
  checkDatabase('sqlAdapter', database)
  checkNames('sqlAdapter', options, OPTIONS)
  const { records, ...others } = options
  const create = (hasRecords: boolean): UserAdapter => adapterOf(database, others, hasRecords)
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
): UserAdapter {
  const store = toStore(database, dialect)
  const parts = engineParts(store, toLayout(naming, store.dialect, records), unknownFields)
  const outside = rowAdapter(sqlRows(parts))
  if (!transaction) return outside
  return joinCurrent(outside, () => {
    const current = transaction()?.withoutPlugins()
    if (!current) return undefined
    const rows = sqlRows(parts, current)
    const inside = insideAdapter(rows)
    return {
      ...inside,
      [atomic]: {
        ...inside[atomic],
        // SQLite has one connection: an operation outside of the transaction would wait for it forever.
        ...(store.dialect.family === 'sqlite' && outsideAbilities(rows)),
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
  const rows = sqlRows(engineParts(store, layout, 'error'))
  return {
    async deleteUser(userId) {
      await rows.remove('record', { userId })
    },
    [atomic]: { ...recordAbilities(rows), cleanup: (options) => cleanup(rows, options) },
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
  const statements = new Statements(store.db, layout, mappings, store.dialect)
  return { store, layout, mappings, statements }
}

/** Returns an adapter whose calls run in the current transaction, if there is one. */
function joinCurrent(
  outside: UserAdapter,
  current: () => ReturnType<typeof insideAdapter> | undefined,
): UserAdapter {
  const { [atomic]: own = {}, ...methods } = outside
  return {
    ...preferCurrent(methods, current),
    [atomic]: preferCurrent(own, () => current()?.[atomic]),
  }
}

type Method = (...args: never[]) => unknown

/** Returns the same methods. Each calls the method of `current` if there is one at that time. */
function preferCurrent<Methods extends object>(
  methods: Methods,
  current: () => Partial<Methods> | undefined,
): Methods {
  const preferred = Object.entries(methods as Record<string, Method>).map(([name, method]) => [
    name,
    (...args: never[]) => {
      const inside = current() as Record<string, Method> | undefined
      return (inside?.[name] ?? method)(...args)
    },
  ])
  return Object.fromEntries(preferred) as Methods
}
