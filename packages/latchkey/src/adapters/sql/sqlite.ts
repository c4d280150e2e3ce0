import { sql } from 'kysely'
import { bit, commonCodecs } from './codecs.ts'
import {
  type Codec,
  type ColumnFault,
  type FoundColumn,
  type FoundReference,
  foundTables,
  type InspectedColumn,
  type InspectedKey,
  member,
  type SqlDialect,
} from './dialect.ts'
import type { Column, ColumnType } from './tables.ts'

const types: Readonly<Record<ColumnType, string>> = {
  key: 'TEXT',
  text: 'TEXT',
  instant: 'INTEGER',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  uuid: 'TEXT',
  serial: 'INTEGER',
  timestamptz: 'TEXT',
  timestamp: 'TEXT',
  iso: 'TEXT',
  'utc-text': 'TEXT',
  ms: 'INTEGER',
  'ms-text': 'TEXT',
  s: 'INTEGER',
  json: 'TEXT',
}

/** Milliseconds since the epoch. */
const instant = commonCodecs.ms as Codec
const iso = commonCodecs.iso as Codec

/** SQLite 3.37 and later with any driver, including libSQL and D1. */
export const sqlite: SqlDialect = {
  name: 'sqlite',
  family: 'sqlite',
  codecs: { ...commonCodecs, instant, timestamptz: iso, timestamp: iso, boolean: bit },
  returning: { insert: true, update: true, delete: true },
  replacesOnConflict: true,
  locksRows: false,
  limit: 'limit',
  limitedDelete: 'choose',
  sameBytes: (column, place) => sql`${column} collate binary = ${place}`,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  columnType: ({ content }) => types[content],
  tableOptions: ({ clustered }) => (clustered ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  indexesInTable: false,
  ifNotExists: 'IF NOT EXISTS ',
  nullsDiffer: true,
  zero: ({ content }) => (types[content] === 'TEXT' ? "''" : '0'),
  addColumn: 'ADD COLUMN',
  addsReferences: false,
  columnFault,
  takenKey,
  // One connection writes at a time. The drivers of Latchkey wait for their turn; others may not.
  isCollision: (error) => member(error, 'code') === 'SQLITE_BUSY',
  async inspect(db) {
    // D1 has internal tables that cannot be inspected.
    const { rows: columns } = await sql<InspectedColumn>`
      SELECT t.name AS "table", c.name AS "column", lower(c.type) AS "type",
        c."notnull" = 0 AND c.pk = 0 AS "nullable",
        c.dflt_value IS NOT NULL OR (c.pk > 0 AND lower(c.type) = 'integer') AS "filled"
      FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*'`.execute(db)
    const { rows: keys } = await sql<InspectedKey>`
      SELECT t.name AS "table", i.name AS "index", i."unique" AS "unique", c.name AS "column"
      FROM sqlite_schema AS t, pragma_index_list(t.name) AS i, pragma_index_xinfo(i.name) AS c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND i.partial = 0 AND c.key = 1 AND c.coll = 'BINARY'
      UNION ALL
      SELECT t.name, '', 1, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND c.pk = 1 AND lower(c.type) = 'integer'
        AND (SELECT count(*) FROM pragma_table_info(t.name) AS o WHERE o.pk > 0) = 1`.execute(db)
    const { rows: references } = await sql<FoundReference>`
      SELECT t.name AS "table", f."from" AS "column", '' AS "name", f."table" AS "to"
      FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*'`.execute(db)
    return foundTables(columns, keys, references)
  },
}

/** A textual column turns numbers into texts. A numeric column turns texts that look like numbers into numbers. */
const TEXTUAL = /char|text|clob/
const NUMERIC = /int|real|floa|doub|num|dec|bool/

function columnFault({ type }: FoundColumn, { content }: Column): ColumnFault | undefined {
  const wanted = types[content]
  const wrong = wanted === 'TEXT' ? NUMERIC : TEXTUAL
  return wrong.test(type) ? { problem: `has the type ${type}, but must be ${wanted}` } : undefined
}

/**
 * Returns the columns in the message of SQLite, which all drivers pass on, but never a value. Some drivers have no
 * error code, and some have one code for all constraints.
 */
function takenKey(error: unknown): string | undefined {
  return /UNIQUE constraint failed: ([^:]+)/.exec(String(member(error, 'message')))?.[1]
}
