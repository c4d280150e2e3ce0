import { sql } from 'kysely'
import { checkNames } from '../expected.ts'
import { checkDatabase } from './clients.ts'
import {
  type AnyDatabase,
  type FoundTable,
  type SqlDialect,
  type SqlStore,
  toStore,
} from './dialect.ts'
import { type Layout, type NamedColumn, tablesOf, toLayout } from './layout.ts'
import { SCHEMA_OPTIONS, type SchemaOptions, SchemaText, sameSet } from './schema.ts'
import { sqlite } from './sqlite.ts'
import type { TableName } from './tables.ts'

/** A difference between a database and the tables that the adapter needs. */
export interface Finding {
  /** What is wrong. */
  readonly problem: string
  /** The statement that fixes it; `null` if there is none, and the table must be created again. */
  readonly statement: string | null
  /** Set if the finding is about rows. The tables are right. */
  readonly rows?: true
}

export interface CheckSchemaOptions extends SchemaOptions {
  /**
   * Whether rows are checked, too: addresses with capital letters, which sign-ins do not find. It reads all users.
   *
   * @default true
   */
  readonly rows?: boolean | undefined
}

/**
 * Returns what the tables of a database lack: tables, columns, keys, indexes, sizes and exact comparison. It also finds
 * users whose address no sign-in finds. It changes nothing.
 *
 * @returns an empty array if nothing is wrong. The statements must run in this order.
 */
export async function checkSchema(
  database: AnyDatabase | SqlStore,
  options: CheckSchemaOptions = {},
): Promise<Finding[]> {
  checkDatabase('checkSchema', database)
  checkNames('checkSchema', options, [...SCHEMA_OPTIONS, 'rows'])
  const { dialect = sqlite, naming, records, rows = true } = options
  const store = toStore(database, dialect)
  const layout = toLayout(naming, store.dialect, records)
  const found = await store.dialect.inspect(store.db, layout.schema)
  const check = new Check(store, layout)
  const inTables = tablesOf(layout).flatMap((name) =>
    check.table(name, found.get(layout.tables[name].name)),
  )
  return [
    ...((await store.dialect.settingsFaults?.(store.db)) ?? []),
    ...check.referencesInTheWay(found),
    ...inTables,
    ...check.references(found),
    ...(rows && inTables.length === 0 ? await check.addresses() : []),
  ]
}

/**
 * The condition that an address has no Kelvin sign, by family. Its small letter is a plain `k`, so the address would
 * become that of another person. SQLite changes only ASCII letters.
 */
const withoutKelvinSign: Readonly<Record<SqlDialect['family'], (column: string) => string>> = {
  sqlite: () => '',
  postgres: (column) =>
    ` AND POSITION(DECODE('E284AA', 'hex') IN CONVERT_TO(${column}, 'UTF8')) = 0`,
  mysql: (column) => ` AND LOCATE(CHAR(0xE284AA USING utf8mb4), ${column}) = 0`,
  mssql: (column) => ` AND CHARINDEX(NCHAR(8490), ${column}) = 0`,
}

class Check {
  readonly #store: SqlStore
  readonly #layout: Layout
  readonly #text: SchemaText
  /** Whether ids of users, or references to them, get another type. */
  #retypesIds = false

  constructor(store: SqlStore, layout: Layout) {
    this.#store = store
    this.#layout = layout
    this.#text = new SchemaText(store.dialect, layout)
  }

  /**
   * Finds users with capital letters in their address. Sign-ins look for small letters, so they would create a second
   * user.
   */
  async addresses(): Promise<Finding[]> {
    const { db, dialect } = this.#store
    const { columns, name, absent } = this.#layout.tables.user
    if (absent || !columns['email']) return []
    const [table, email] = [this.#text.table(name), dialect.quote(columns['email'].name)]
    const differ = `${email} <> LOWER(${email})${withoutKelvinSign[dialect.family](email)}`
    const { rows } = await sql<{ total: number | bigint | string }>`${sql.raw(
      `SELECT COUNT(*) AS total FROM ${table} WHERE ${differ}`,
    )}`.execute(db)
    const total = Number(rows[0]?.total ?? 0)
    if (total === 0) return []
    const users = total === 1 ? '1 user has' : `${total} users have`
    return [
      {
        problem: `${users} an address with capitals in the column ${columns['email'].name} of the table ${name}: it is not found, and a sign-in creates a second user`,
        statement: `UPDATE ${table} SET ${email} = LOWER(${email}) WHERE ${differ}`,
        rows: true,
      },
    ]
  }

  table(name: TableName, found: FoundTable | undefined): Finding[] {
    if (found) return [...this.#columns(name, found), ...this.#keys(name, found)]
    const [create = '', ...more] = this.#text.createTable(name, '')
    const table = this.#layout.tables[name].name
    return [
      { problem: `the table ${table} is missing`, statement: create },
      ...more.map((statement) => ({
        problem: `the table ${table} lacks an index`,
        statement,
      })),
    ]
  }

  /** Finds foreign keys that must be removed first: some engines change no column that is part of one. */
  referencesInTheWay(found: ReadonlyMap<string, FoundTable>): Finding[] {
    const { dropReference, quote } = this.#store.dialect
    if (!this.#retypesIds || !dropReference) return []
    return this.#owners().flatMap(({ table, column }) => {
      const reference = found.get(table)?.references.find((each) => each.column === column)
      return reference
        ? {
            problem: `the foreign key of the column ${column} of the table ${table} must be dropped before a column can change`,
            statement: dropReference(this.#text.table(table), quote(reference.name)),
          }
        : []
    })
  }

  references(found: ReadonlyMap<string, FoundTable>): Finding[] {
    const { addsReferences, dropReference } = this.#store.dialect
    const dropped = this.#retypesIds && dropReference
    return this.#owners().flatMap(({ name, field, table, column }) => {
      const references = found.get(table)?.references
      if (!references || (!dropped && references.some((each) => each.column === column))) return []
      return {
        problem: `the column ${column} of the table ${table} has no foreign key to the users`,
        statement: addsReferences
          ? `ALTER TABLE ${this.#text.table(table)} ADD ${this.#text.foreignKey(name, field)}`
          : null,
      }
    })
  }

  /** Returns the columns that hold ids of users. */
  #owners() {
    return tablesOf(this.#layout).flatMap((name) => {
      const { columns, name: table } = this.#layout.tables[name]
      return Object.entries(columns)
        .filter(([, { owner }]) => owner)
        .map(([field, { name: column }]) => ({ name, field, table, column }))
    })
  }

  #columns(name: TableName, found: FoundTable): Finding[] {
    const { columns, name: table } = this.#layout.tables[name]
    const findings: Finding[] = []
    for (const [field, column] of Object.entries(columns)) {
      const stored = found.columns.get(column.name)
      const what = `the column ${column.name} of the table ${table}`
      if (!stored) {
        findings.push({ problem: `${what} is missing`, statement: this.#add(name, field, column) })
        continue
      }
      const fault = this.#store.dialect.columnFault?.(stored, column, `${name}.${field}`)
      if (fault) {
        const { problem, type } = fault
        if (type && (column.owner || (name === 'user' && field === 'id'))) this.#retypesIds = true
        findings.push({
          problem: `${what} ${problem}`,
          statement: type
            ? this.#alter(name, column.name, { type, nullable: stored.nullable })
            : null,
        })
      }
      if (column.nullable && !stored.nullable) {
        const to = { type: fault?.type ?? stored.type, nullable: true }
        findings.push({
          problem: `${what} is NOT NULL, but must accept NULL`,
          statement: this.#alter(name, column.name, to, true),
        })
      }
    }
    const ours = new Set(Object.values(columns).map(({ name }) => name))
    for (const [column, { nullable, filled, type }] of found.columns) {
      if (ours.has(column) || nullable || filled) continue
      findings.push({
        problem: `the column ${column} of the table ${table} is NOT NULL without a default, but this library does not write it`,
        statement: this.#alter(name, column, { type, nullable: true }, true),
      })
    }
    return findings
  }

  #add(name: TableName, field: string, column: NamedColumn): string {
    const { dialect } = this.#store
    const zero = dialect.zero(column)
    const filled = zero === undefined ? '' : ` DEFAULT ${zero}`
    const table = this.#text.table(this.#layout.tables[name].name)
    const type = this.#text.type(name, field)
    return `ALTER TABLE ${table} ${dialect.addColumn} ${this.#text.column(name, field)} ${type}${column.nullable ? '' : ` NOT NULL${filled}`}`
  }

  #alter(
    name: TableName,
    column: string,
    to: { type: string; nullable: boolean },
    loosen: boolean = false,
  ): string | null {
    const { alterColumn, quote } = this.#store.dialect
    const table = this.#text.table(this.#layout.tables[name].name)
    return alterColumn?.(table, quote(column), to, loosen) ?? null
  }

  #keys(name: TableName, found: FoundTable): Finding[] {
    const { columns, indexes, name: table } = this.#layout.tables[name]
    const named = (fields: readonly string[]) =>
      fields.map((field) => columns[field]?.name ?? field)
    const findings: Finding[] = []
    for (const key of this.#text.uniqueKeys(name)) {
      if (found.unique.some((columns) => sameSet(columns, named(key)))) continue
      findings.push({
        problem: `the table ${table} has no unique index on ${named(key).join(' and ')}`,
        statement: this.#text.createIndex(name, key, 'UNIQUE INDEX'),
      })
    }
    for (const [field, { owner, name: column }] of Object.entries(columns)) {
      if (!owner || !found.unique.some((key) => sameSet(key, [column]))) continue
      findings.push({
        problem: `${field} is unique in the table ${table}, which limits each user to one row`,
        statement: null,
      })
    }
    for (const index of indexes) {
      const wanted = named(index)
      if (found.indexes.some((columns) => wanted.every((column, at) => columns[at] === column))) {
        continue
      }
      findings.push({
        problem: `the table ${table} has no index on ${wanted.join(' and ')}`,
        statement: this.#text.createIndex(name, index, 'INDEX'),
      })
    }
    return findings
  }
}
