import { checkNames } from '../expected.ts'
import type { SqlDialect } from './dialect.ts'
import { type Layout, type TableLayout, tablesOf, toLayout, type UsesRecords } from './layout.ts'
import type { Naming, Preset } from './naming.ts'
import { sqlite } from './sqlite.ts'
import type { Table, TableName } from './tables.ts'

export interface SchemaOptions {
  /**
   * The engine. A store has its own.
   *
   * @default sqlite
   */
  readonly dialect?: SqlDialect | undefined
  /** The `naming` of the adapter. */
  readonly naming?: Preset | Naming | undefined
  /**
   * Whether there is the table of records, which plugins need. With `'only'`, there is no other table, as {@link
   * sqlRecords} needs it.
   *
   * @default false
   */
  readonly records?: UsesRecords | undefined
}

/** The names of {@link SchemaOptions}, which adapters also have. */
export const SCHEMA_OPTIONS: readonly string[] = ['dialect', 'naming', 'records']

/** Returns the SQL statements that create the tables, to read or to run in an empty database. */
export function printSchema(options: SchemaOptions = {}): string {
  checkNames('printSchema', options, SCHEMA_OPTIONS)
  const { dialect = sqlite, naming, records } = options
  const schema = new SchemaText(dialect, toLayout(naming, dialect, records))
  const statements = [...schema.createTables(''), ...schema.createRecords('')]
  return `${statements.join(';\n\n')};\n`
}

/** Statements for the tables of a layout, in the syntax of an engine. */
export class SchemaText {
  readonly #dialect: SqlDialect
  readonly #layout: Layout

  constructor(dialect: SqlDialect, layout: Layout) {
    this.#dialect = dialect
    this.#layout = layout
  }

  /** Returns the quoted name with its schema. */
  table(name: string): string {
    const { schema } = this.#layout
    const quoted = this.#dialect.quote(name)
    return schema === undefined ? quoted : `${this.#dialect.quote(schema)}.${quoted}`
  }

  /** The table of applied versions. */
  get ledger(): string {
    return this.table(`${this.#layout.prefix}latchkeyMigration`)
  }

  column(table: TableName, field: string): string {
    return this.#dialect.quote(this.#layout.tables[table].columns[field]?.name ?? field)
  }

  type(table: TableName, field: string): string {
    const column = this.#layout.tables[table].columns[field]
    return column ? this.#dialect.columnType(column, `${table}.${field}`) : ''
  }

  /**
   * Returns the statements for all tables except the records, which have no version.
   *
   * @param unlessThere the words with which an existing table is not an error, if any.
   */
  createTables(unlessThere: string): string[] {
    return tablesOf(this.#layout)
      .filter((name) => name !== 'record')
      .flatMap((name) => this.createTable(name, unlessThere))
  }

  /** Returns the statements for the table of records, if it is used. */
  createRecords(unlessThere: string): string[] {
    return this.#layout.tables.record.absent ? [] : this.createTable('record', unlessThere)
  }

  createTable(name: TableName, unlessThere: string): string[] {
    const { indexesInTable, tableOptions } = this.#dialect
    const layout: TableLayout = this.#layout.tables[name]
    const { indexes, columns } = layout
    const key = this.#primaryKey(name)
    const unique = this.uniqueKeys(name).filter((fields) => !sameSet(fields, key))
    const inside = unique.filter((fields) => !this.#needsFilter(name, fields))
    const lines = [
      ...Object.keys(columns).map((field) => this.#columnLine(name, field)),
      `PRIMARY KEY (${this.#list(name, key)})`,
      ...inside.map((fields) => `UNIQUE (${this.#list(name, fields)})`),
      ...(indexesInTable
        ? indexes.map(
            (fields) =>
              `INDEX ${this.#indexName(name, fields, 'index')} (${this.#list(name, fields)})`,
          )
        : []),
      ...Object.entries(columns)
        .filter(([, { owner }]) => owner)
        .map(([field]) => this.foreignKey(name, field)),
    ]
    const options = tableOptions({
      ...layout,
      ...(key !== layout.primaryKey && { clustered: undefined }),
    } as Table)
    return [
      `CREATE TABLE ${unlessThere}${this.table(layout.name)} (\n  ${lines.join(',\n  ')}\n)${options}`,
      ...unique
        .filter((fields) => !inside.includes(fields))
        .map((fields) => this.createIndex(name, fields, 'UNIQUE INDEX')),
      ...(indexesInTable
        ? []
        : indexes.map((fields) => this.createIndex(name, fields, `INDEX ${unlessThere}`))),
    ]
  }

  /** @param kind the kind of the index, with a trailing blank if more words follow. */
  createIndex(name: TableName, fields: readonly string[], kind: string): string {
    const unique = kind.startsWith('UNIQUE')
    const index = this.#indexName(name, fields, unique ? 'key' : 'index')
    const filter =
      unique && this.#needsFilter(name, fields)
        ? ` WHERE ${fields.map((field) => `${this.column(name, field)} IS NOT NULL`).join(' AND ')}`
        : ''
    const table = this.table(this.#layout.tables[name].name)
    return `CREATE ${kind.trimEnd()} ${index} ON ${table} (${this.#list(name, fields)})${filter}`
  }

  /** Returns the fields of each unique key, the primary key first. */
  uniqueKeys(name: TableName): (readonly string[])[] {
    const { primaryKey, unique } = this.#layout.tables[name]
    return [primaryKey, ...unique]
  }

  /** In most engines, a column that counts must be the primary key. */
  #primaryKey(name: TableName): readonly string[] {
    const { columns, primaryKey } = this.#layout.tables[name]
    const counted = Object.entries(columns).find(
      ([, { content, generated }]) => content === 'serial' && generated === 'database',
    )
    return counted ? [counted[0]] : primaryKey
  }

  #columnLine(name: TableName, field: string): string {
    const column = this.#layout.tables[name].columns[field]
    const required = column?.nullable ? '' : ' NOT NULL'
    const given = this.#default(name, field)
    return `${this.column(name, field)} ${this.type(name, field)}${required}${given}`
  }

  #default(name: TableName, field: string): string {
    const column = this.#layout.tables[name].columns[field]
    if (column?.generated !== 'database') return ''
    const value = this.#dialect.generated?.[column.content]
    return value === undefined ? '' : ` DEFAULT ${value}`
  }

  foreignKey(name: TableName, field: string): string {
    const users = this.table(this.#layout.tables.user.name)
    return `FOREIGN KEY (${this.column(name, field)}) REFERENCES ${users} (${this.column('user', 'id')}) ON DELETE CASCADE`
  }

  #needsFilter(name: TableName, fields: readonly string[]): boolean {
    const { columns } = this.#layout.tables[name]
    return !this.#dialect.nullsDiffer && fields.some((field) => columns[field]?.nullable)
  }

  #indexName(name: TableName, fields: readonly string[], kind: string): string {
    const { columns, name: table } = this.#layout.tables[name]
    const names = fields.map((field) => columns[field]?.name ?? field)
    return this.#dialect.quote([table, ...names, kind].join('_'))
  }

  #list(name: TableName, fields: readonly string[]): string {
    return fields.map((field) => this.column(name, field)).join(', ')
  }
}

export function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((column) => other.includes(column))
}
