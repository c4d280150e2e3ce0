import { CompiledQuery, sql } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import { checkNames } from '../expected.ts'
import { checkDatabase } from './clients.ts'
import { type AnyDatabase, type SqlDialect, type SqlStore, toStore } from './dialect.ts'
import { type Layout, toLayout } from './layout.ts'
import { SCHEMA_OPTIONS, type SchemaOptions, SchemaText } from './schema.ts'
import { sqlite } from './sqlite.ts'
import { inTransaction } from './transaction.ts'

/** The tables of each version. Only add to the end: the other versions have been applied to databases. */
const migrations: readonly ((schema: SchemaText, unlessThere: string) => readonly string[])[] = [
  (schema, unlessThere) => schema.createTables(unlessThere),
]

/**
 * Migrates the tables of a database to the current version. It does nothing if they have it.
 *
 * Of several processes, one migrates and the others wait for it. Either all changes happen or none, except in MySQL and
 * MariaDB, which end a transaction at each change of a table: after an error there, a second call continues.
 *
 * With `records`, it also creates the table of records. That belongs to no version, so older releases continue to work
 * with the database.
 *
 * @returns the versions that were applied.
 * @throws if the version of the database is newer than this code.
 */
export async function migrate(
  database: AnyDatabase | SqlStore,
  options: SchemaOptions = {},
): Promise<number[]> {
  checkDatabase('migrate', database)
  checkNames('migrate', options, SCHEMA_OPTIONS)
  const { dialect = sqlite, naming, records = false } = options
  const store = toStore(database, dialect)
  const layout = toLayout(naming, store.dialect, records)
  const schema = new SchemaText(store.dialect, layout)
  if (records === 'only') {
    await repeated(store, () => makeRecords(store, store.db, schema, layout))
    return []
  }
  const ledger = new Ledger(store, schema)
  await ledger.make()
  if (store.batch) {
    const applied = await withBatch(store.batch, ledger, schema, store)
    if (records) await repeated(store, () => makeRecords(store, store.db, schema, layout))
    return applied
  }
  const steps = async (db: AnyDatabase): Promise<number[]> => {
    const applied: number[] = []
    for (const [version, statements] of await pending(ledger, db, schema, store)) {
      for (const statement of statements) await sql.raw(statement).execute(db)
      await sql.raw(ledger.insert(version)).execute(db)
      applied.push(version)
    }
    if (records) await makeRecords(store, db, schema, layout)
    return applied
  }
  const { migrationLock } = store.dialect
  if (migrationLock) return locked(store.db, migrationLock, steps)
  return repeated(store, () =>
    inTransaction(store.db, async (transaction) => {
      // Other processes that migrate wait here until this transaction ends.
      await sql.raw(ledger.touch).execute(transaction)
      return steps(transaction)
    }),
  )
}

/** Returns the statements that create all tables of the current version in an empty database. */
export function statementsOfNew(
  dialect: SqlDialect,
  options: Pick<SchemaOptions, 'naming' | 'records'>,
): readonly string[] {
  const schema = new SchemaText(dialect, toLayout(options.naming, dialect, options.records))
  const ledger = new LedgerText(dialect, schema)
  const versions = migrations.flatMap((statements, at) => [
    ...statements(schema, ''),
    ledger.insert(at + 1),
  ])
  return [ledger.create, ledger.insert(0), ...versions, ...schema.createRecords('')]
}

/** Creates the table of records, or the indexes that an interrupted call did not create. */
async function makeRecords(
  { dialect }: SqlStore,
  db: AnyDatabase,
  schema: SchemaText,
  layout: Layout,
): Promise<void> {
  const unlessThere = dialect.ifNotExists
  if (unlessThere === '') {
    const found = await dialect.inspect(db, layout.schema)
    if (found.has(layout.tables.record.name)) return
  }
  for (const statement of schema.createRecords(unlessThere)) await sql.raw(statement).execute(db)
}

async function pending(
  ledger: Ledger,
  db: AnyDatabase,
  schema: SchemaText,
  { dialect }: SqlStore,
): Promise<(readonly [version: number, statements: readonly string[]])[]> {
  const version = await ledger.version(db)
  if (version > migrations.length) {
    throw new Error(
      withDocs(
        `the database has schema version ${version}, but this version of latchkey supports up to ` +
          `${migrations.length}; update latchkey to the version that migrated the database, or a later one`,
        'migrate',
      ),
    )
  }
  return migrations
    .slice(version)
    .map((statements, at) => [version + at + 1, statements(schema, dialect.ifNotExists)] as const)
}

/** Runs on its own connection, which holds the lock. */
function locked(
  db: AnyDatabase,
  { take, release }: { readonly take: string; readonly release: string },
  work: (db: AnyDatabase) => Promise<number[]>,
): Promise<number[]> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql.raw<{ taken: unknown }>(take).execute(connection)
    if (Number(rows[0]?.taken) !== 1)
      throw new Error(
        withDocs(
          'another process migrates this database and did not finish in time; wait for it, and try again',
          'migrate',
        ),
      )
    try {
      return await work(connection)
    } finally {
      await sql.raw(release).execute(connection)
    }
  })
}

/** All statements or none. A process that comes second learns it because the version exists. */
async function withBatch(
  batch: NonNullable<SqlStore['batch']>,
  ledger: Ledger,
  schema: SchemaText,
  store: SqlStore,
): Promise<number[]> {
  return repeated(store, async () => {
    const steps = await pending(ledger, store.db, schema, store)
    const statements = steps.flatMap(([version, texts]) => [...texts, ledger.insert(version)])
    if (statements.length > 0) await batch(statements.map((text) => CompiledQuery.raw(text)))
    return steps.map(([version]) => version)
  })
}

/** Repeats the work if another process did the same at the same time. */
async function repeated<Result>(
  { dialect }: SqlStore,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const collided = dialect.takenKey(error) !== undefined || dialect.isCollision(error)
      if (attempt === 20 || !collided) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

/** Statements for the table of applied versions. The row of version 0 exists to be locked. */
class LedgerText {
  protected readonly table: string
  protected readonly column: string
  readonly #dialect: SqlDialect

  constructor(dialect: SqlDialect, schema: SchemaText) {
    this.#dialect = dialect
    this.table = schema.ledger
    this.column = dialect.quote('version')
  }

  get create(): string {
    const type = (content: 'integer' | 'text') => this.#dialect.columnType({ content }, 'ledger')
    return `CREATE TABLE ${this.#dialect.ifNotExists}${this.table} (
  ${this.column} ${type('integer')} NOT NULL PRIMARY KEY,
  ${this.#dialect.quote('appliedAt')} ${type('text')} NOT NULL
)`
  }

  /** Changes nothing, but locks the row. */
  get touch(): string {
    return `UPDATE ${this.table} SET ${this.column} = 0 WHERE ${this.column} = 0`
  }

  insert(version: number): string {
    return `INSERT INTO ${this.table} VALUES (${version}, CURRENT_TIMESTAMP)`
  }
}

/** The table of applied versions. */
class Ledger extends LedgerText {
  readonly #store: SqlStore

  constructor(store: SqlStore, schema: SchemaText) {
    super(store.dialect, schema)
    this.#store = store
  }

  /** IF NOT EXISTS does not always help if two processes create a table at the same time. */
  async make(): Promise<void> {
    const { db } = this.#store
    await repeated(this.#store, async () => {
      await sql.raw(this.create).execute(db)
      const zero = `SELECT 1 FROM ${this.table} WHERE ${this.column} = 0`
      const { rows } = await sql.raw(zero).execute(db)
      if (rows.length === 0) await sql.raw(this.insert(0)).execute(db)
    })
  }

  async version(db: AnyDatabase): Promise<number> {
    const greatest = `SELECT MAX(${this.column}) AS ${this.column} FROM ${this.table}`
    const { rows } = await sql.raw<{ version: unknown }>(greatest).execute(db)
    return Number(rows[0]?.version ?? 0)
  }
}
