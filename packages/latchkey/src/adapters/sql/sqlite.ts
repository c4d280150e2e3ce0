import { sql } from 'kysely'
import type { Codec, FoundTable, SqlDialect } from './dialect.ts'
import type { Content } from './tables.ts'

const types: Readonly<Record<Content, string>> = {
  key: 'TEXT',
  text: 'TEXT',
  instant: 'INTEGER',
  integer: 'INTEGER',
  boolean: 'INTEGER',
}

/** Milliseconds since the epoch. */
const instant: Codec = {
  encode: (value) => (value as Date).getTime(),
  decode: (stored) => new Date(stored as number),
}

const boolean: Codec = {
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => stored !== 0,
}

/** SQLite 3.37 and later, whatever the driver. */
export const sqlite: SqlDialect = {
  name: 'sqlite',
  codecs: { instant, boolean },
  returning: true,
  zero: { key: "''", text: "''", instant: '0', integer: '0', boolean: '0' },
  // Changes no row, but takes the lock of those who write.
  migrationLock: 'UPDATE "latchkeyMigration" SET "version" = "version" WHERE 1 = 0',
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  columnType: ({ content }) => types[content],
  tableOptions: ({ clustered }) => (clustered ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  takenKey,
  async inspect(db) {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      SELECT t.name AS "table", c.name AS "column"
      FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
      WHERE t.type = 'table'`.execute(db)
    const { rows: keys } = await sql<{
      table: string
      index: string
      unique: number
      column: string | null
    }>`
      SELECT t.name AS "table", i.name AS "index", i."unique" AS "unique", c.name AS "column"
      FROM sqlite_schema AS t, pragma_index_list(t.name) AS i, pragma_index_xinfo(i.name) AS c
      WHERE t.type = 'table' AND i.partial = 0 AND c.key = 1 AND c.coll = 'BINARY'
      ORDER BY t.name, i.name, c.seqno`.execute(db)
    const tables = new Map<string, FoundTable>()
    for (const [table, members] of Map.groupBy(columns, ({ table }) => table)) {
      const own = keys.filter((key) => key.table === table)
      tables.set(table, {
        columns: new Set(members.map(({ column }) => column)),
        unique: columnsByIndex(own.filter(({ unique }) => unique === 1)),
        indexes: columnsByIndex(own),
      })
    }
    return tables
  },
}

function columnsByIndex(parts: readonly { index: string; column: string | null }[]): string[][] {
  const indexes = Map.groupBy(parts, ({ index }) => index)
  return Array.from(indexes.values(), (parts) => parts.map(({ column }) => column ?? ''))
}

const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
const CODES: readonly unknown[] = [
  // node:sqlite
  SQLITE_CONSTRAINT_PRIMARYKEY,
  SQLITE_CONSTRAINT_UNIQUE,
  // better-sqlite3, @libsql/client
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
]

function takenKey(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { errcode, code, extendedCode } = error as Error & Record<string, unknown>
  return [errcode, code, extendedCode].some((one) => CODES.includes(one))
    ? error.message
    : undefined
}
