import { sql } from 'kysely'
import {
  type AnyDatabase,
  type FoundTable,
  type SqlDialect,
  type SqlStore,
  toStore,
} from './dialect.ts'
import { sqlite } from './sqlite.ts'
import { type Column, type Table, type TableName, tableNames, tables } from './tables.ts'

/** The tables as they must be: SQL text to read, or to run in an empty database. */
export function printSchema(dialect: SqlDialect = sqlite): string {
  return `${createTables(dialect, '').join(';\n\n')};\n`
}

/** The tables at each version. Only ever add to the end: what stands here has been applied somewhere. */
const migrations: readonly ((dialect: SqlDialect) => readonly string[])[] = [
  (dialect) => createTables(dialect, 'IF NOT EXISTS '),
]

/**
 * Brings the tables of a database to the current version, or does nothing if they are there.
 *
 * Happens as a whole or not at all, and only ever forward. When several processes do it at once, one
 * does the work and the others wait for it.
 *
 * @returns the versions that were applied.
 * @throws when the database is of a later version than this code knows.
 */
export async function migrate(
  database: AnyDatabase | SqlStore,
  dialect: SqlDialect = sqlite,
): Promise<number[]> {
  const store = toStore(database, dialect)
  const run = (db: AnyDatabase, text: string) => sql.raw<{ version: unknown }>(text).execute(db)
  const quote = (name: string) => store.dialect.quote(name)
  const ledger = quote('latchkeyMigration')
  const type = (content: Column['content']) => store.dialect.columnType({ content }, 'ledger')

  await run(
    store.db,
    `CREATE TABLE IF NOT EXISTS ${ledger} (
  ${quote('version')} ${type('integer')} NOT NULL PRIMARY KEY,
  ${quote('appliedAt')} ${type('text')} NOT NULL
)`,
  )
  return store.db.transaction().execute(async (transaction) => {
    await run(transaction, store.dialect.migrationLock)
    const { rows } = await run(
      transaction,
      `SELECT MAX(${quote('version')}) AS ${quote('version')} FROM ${ledger}`,
    )
    const version = Number(rows[0]?.version ?? 0)
    if (version > migrations.length) {
      throw new Error(
        `the database has schema version ${version}, and this version of latchkey knows ` +
          `${migrations.length}: it was migrated by a later one`,
      )
    }
    const applied: number[] = []
    for (const [index, statements] of migrations.entries()) {
      if (index < version) continue
      for (const statement of statements(store.dialect)) await run(transaction, statement)
      await run(transaction, `INSERT INTO ${ledger} VALUES (${index + 1}, CURRENT_TIMESTAMP)`)
      applied.push(index + 1)
    }
    return applied
  })
}

/** Something that is missing. */
export interface Finding {
  /** What, in words. */
  readonly problem: string
  /** The SQL statement that mends it. */
  readonly statement: string
}

/** What a database lacks of the tables, columns, unique keys and indexes that the adapter needs. */
export async function checkSchema(
  database: AnyDatabase | SqlStore,
  dialect: SqlDialect = sqlite,
): Promise<Finding[]> {
  const store = toStore(database, dialect)
  const found = await store.dialect.inspect(store.db)
  return tableNames.flatMap((name) => checkTable(store.dialect, name, found.get(name)))
}

function checkTable(
  dialect: SqlDialect,
  name: TableName,
  found: FoundTable | undefined,
): Finding[] {
  const { columns, primaryKey, unique, indexes } = tables[name]
  if (!found) {
    const [create = '', ...more] = createTable(dialect, name, '')
    return [
      { problem: `the table ${name} is missing`, statement: create },
      ...more.map((statement) => ({
        problem: `the table ${name} is missing its index`,
        statement,
      })),
    ]
  }
  const findings: Finding[] = []
  for (const [column, description] of Object.entries(columns)) {
    if (found.columns.has(column)) continue
    const fill = description.nullable
      ? ''
      : ` NOT NULL DEFAULT ${dialect.zero[description.content]}`
    const type = dialect.columnType(description, `${name}.${column}`)
    findings.push({
      problem: `the column ${column} of the table ${name} is missing`,
      statement: `ALTER TABLE ${dialect.quote(name)} ADD COLUMN ${dialect.quote(column)} ${type}${fill}`,
    })
  }
  for (const key of [primaryKey, ...unique]) {
    if (found.unique.some((columns) => sameSet(columns, key))) continue
    findings.push({
      problem: `nothing keeps ${key.join(' and ')} unique in the table ${name}`,
      statement: createIndex(dialect, name, key, 'UNIQUE INDEX'),
    })
  }
  for (const index of indexes) {
    if (found.indexes.some((columns) => index.every((column, at) => columns[at] === column))) {
      continue
    }
    findings.push({
      problem: `the table ${name} has no index on ${index.join(' and ')}`,
      statement: createIndex(dialect, name, index, 'INDEX'),
    })
  }
  return findings
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((column) => other.includes(column))
}

function createTables(dialect: SqlDialect, unlessThere: string): string[] {
  return tableNames.flatMap((name) => createTable(dialect, name, unlessThere))
}

/** @param unlessThere `IF NOT EXISTS ` or nothing. */
function createTable(dialect: SqlDialect, name: TableName, unlessThere: string): string[] {
  const table: Table = tables[name]
  const quote = (identifier: string) => dialect.quote(identifier)
  const list = (columns: readonly string[]) => columns.map(quote).join(', ')
  const entries = Object.entries(table.columns)
  const lines = [
    ...entries.map(([column, description]) => {
      const required = description.nullable ? '' : ' NOT NULL'
      return `${quote(column)} ${dialect.columnType(description, `${name}.${column}`)}${required}`
    }),
    `PRIMARY KEY (${list(table.primaryKey)})`,
    ...table.unique.map((columns) => `UNIQUE (${list(columns)})`),
    ...entries
      .filter(([, { owner }]) => owner)
      .map(
        ([column]) =>
          `FOREIGN KEY (${quote(column)}) REFERENCES ${quote('user')} (${quote('id')}) ON DELETE CASCADE`,
      ),
  ]
  return [
    `CREATE TABLE ${unlessThere}${quote(name)} (\n  ${lines.join(',\n  ')}\n)${dialect.tableOptions(table)}`,
    ...table.indexes.map((columns) => createIndex(dialect, name, columns, `INDEX ${unlessThere}`)),
  ]
}

function createIndex(
  dialect: SqlDialect,
  table: TableName,
  columns: readonly string[],
  kind: string,
): string {
  const quote = (identifier: string) => dialect.quote(identifier)
  const name = quote([table, ...columns, kind.startsWith('UNIQUE') ? 'key' : 'index'].join('_'))
  return `CREATE ${kind.trimEnd()} ${name} ON ${quote(table)} (${columns.map(quote).join(', ')})`
}
