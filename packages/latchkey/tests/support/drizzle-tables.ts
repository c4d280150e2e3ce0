import { getTableColumns, is, SQL, type Table } from 'drizzle-orm'
import { MySqlDialect, MySqlTable, getTableConfig as mysqlConfig } from 'drizzle-orm/mysql-core'
import { PgDialect, PgTable, getTableConfig as pgConfig } from 'drizzle-orm/pg-core'
import {
  SQLiteSyncDialect,
  type SQLiteTable,
  getTableConfig as sqliteConfig,
} from 'drizzle-orm/sqlite-core'

/** What the engines' descriptions of a table have in common, as far as it is used here. */
interface Config {
  readonly name: string
  readonly primaryKeys: readonly { readonly columns: readonly { readonly name: string }[] }[]
  readonly foreignKeys: readonly {
    readonly onDelete: string | undefined
    reference(): {
      readonly columns: readonly { readonly name: string }[]
      readonly foreignTable: Table
      readonly foreignColumns: readonly { readonly name: string }[]
    }
  }[]
}

/** The statements that create tables that were defined with Drizzle, without its command line. */
export function createTables(tables: readonly Table[]): string[] {
  return tables.map((table) => createTable(table, configOf(table)))
}

function createTable(table: Table, { name, primaryKeys, foreignKeys }: Config): string {
  const quote = (name: string) => (is(table, MySqlTable) ? `\`${name}\`` : `"${name}"`)
  const list = (columns: readonly { readonly name: string }[]) =>
    columns.map(({ name }) => quote(name)).join(', ')
  const lines = Object.values(getTableColumns(table)).map((column) =>
    [
      quote(column.name),
      column.getSQLType(),
      column.primary ? 'PRIMARY KEY' : '',
      column.notNull ? 'NOT NULL' : '',
      column.isUnique ? 'UNIQUE' : '',
      is(column.default, SQL) ? `DEFAULT ${text(table, column.default)}` : '',
    ].join(' '),
  )
  for (const { columns } of primaryKeys) lines.push(`PRIMARY KEY (${list(columns)})`)
  for (const { onDelete, reference } of foreignKeys) {
    const { columns, foreignTable, foreignColumns } = reference()
    const target = `${quote(configOf(foreignTable).name)} (${list(foreignColumns)})`
    lines.push(
      `FOREIGN KEY (${list(columns)}) REFERENCES ${target} ON DELETE ${onDelete ?? 'no action'}`,
    )
  }
  return `CREATE TABLE ${quote(name)} (\n  ${lines.join(',\n  ')}\n)`
}

function configOf(table: Table): Config {
  if (is(table, PgTable)) return pgConfig(table)
  return is(table, MySqlTable) ? mysqlConfig(table) : sqliteConfig(table as SQLiteTable)
}

function text(table: Table, value: SQL): string {
  if (is(table, PgTable)) return new PgDialect().sqlToQuery(value).sql
  const dialect = is(table, MySqlTable) ? new MySqlDialect() : new SQLiteSyncDialect()
  return dialect.sqlToQuery(value).sql
}
