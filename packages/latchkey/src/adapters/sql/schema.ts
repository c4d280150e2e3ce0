import { checkNames } from '../expected.ts'
import type { SqlDialect } from './dialect.ts'
import { type Layout, type TableLayout, tablesOf, toLayout, type UsesRecords } from './layout.ts'
import type { Naming, Preset } from './naming.ts'
import { sqlite } from './sqlite.ts'
import type { Table, TableName } from './tables.ts'

export interface SchemaOptions {
  /**
   * The engine; a store says so itself.
   *
   * @default sqlite
   */
  readonly dialect?: SqlDialect | undefined
  /** As the adapter is told. */
  readonly naming?: Preset | Naming | undefined
  /**
   * Whether there is the table of records, which plugins need. `only`: that table and no other, for
   * {@link sqlRecords}.
   *
   * @default false
   */
  readonly records?: UsesRecords | undefined
}

/** The tables as they must be: SQL text to read, or to run in an empty database. */
/** Names of {@link SchemaOptions}, and those that an adapter has, too. */
export const SCHEMA_OPTIONS: readonly string[] = ['dialect', 'naming', 'records']

export function printSchema(options: SchemaOptions = {}): string {
  checkNames('printSchema', options, SCHEMA_OPTIONS)
  const { dialect = sqlite, naming, records } = options
  const schema = new SchemaText(dialect, toLayout(naming, dialect, records))
  const statements = [...schema.createTables(''), ...schema.createRecords('')]
  return `${statements.join(';\n\n')};\n`
}

/** Statements about the tables of one layout, in the words of one engine. */
export class SchemaText {
  readonly #dialect: SqlDialect
  readonly #layout: Layout

  constructor(dialect: SqlDialect, layout: Layout) {
    this.#dialect = dialect
    this.#layout = layout
  }

  /** With its schema, quoted. */
  table(name: string): string {
    const { schema } = this.#layout
    const quoted = this.#dialect.quote(name)
    return schema === undefined ? quoted : `${this.#dialect.quote(schema)}.${quoted}`
  }

  /** The table of versions that were applied. */
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
   * All but the table of records, which has no version.
   *
   * @param unlessThere what makes it no error that they are there, if anything.
   */
  createTables(unlessThere: string): string[] {
    return tablesOf(this.#layout)
      .filter((name) => name !== 'record')
      .flatMap((name) => this.createTable(name, unlessThere))
  }

  /** The table of records, where it is used. */
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

  /** @param kind with a blank behind it where more follows. */
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

  /** What must be unique, by fields; the primary key first. */
  uniqueKeys(name: TableName): (readonly string[])[] {
    const { primaryKey, unique } = this.#layout.tables[name]
    return [primaryKey, ...unique]
  }

  /** A column that counts must be the primary key in most engines, whatever else is unique. */
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
