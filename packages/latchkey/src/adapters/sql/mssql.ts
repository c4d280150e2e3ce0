import { sql } from 'kysely'
import { bit, commonCodecs, fromUtcText, utcText } from './codecs.ts'
import {
  type Codec,
  type FoundReference,
  foundTables,
  type InspectedColumn,
  type InspectedKey,
  member,
  type SqlDialect,
} from './dialect.ts'
import type { Column, ColumnType } from './tables.ts'

/** Compares bytes. */
const COLLATION = 'Latin1_General_100_BIN2'

const types: Readonly<Record<ColumnType, string>> = {
  key: 'nvarchar(255)',
  text: 'nvarchar(max)',
  instant: 'datetime2(3)',
  integer: 'bigint',
  boolean: 'bit',
  uuid: 'uniqueidentifier',
  serial: 'int',
  timestamptz: 'datetimeoffset(3)',
  timestamp: 'datetime2(3)',
  iso: 'nvarchar(30)',
  'utc-text': 'nvarchar(30)',
  ms: 'bigint',
  'ms-text': 'nvarchar(20)',
  s: 'bigint',
  json: 'nvarchar(max)',
}

/** An index holds 1,700 bytes, which are 850 characters, over all of its columns. */
const LENGTHS: Readonly<Record<string, number>> = {
  'user.email': 320,
  'account.providerAccountId': 512,
  'verificationToken.identifier': 320,
  'record.kind': 40,
  'record.key': 190,
}
const CREDENTIAL_IDS = ['authenticator.credentialID', 'authenticator.providerAccountId']

/** UTC as text in both directions. Drivers would read it in the time zone of the process. */
const datetime2: Codec = {
  encode: utcText,
  decode: fromUtcText,
  read: (column) => sql`convert(varchar(23), ${column}, 121)`,
}

const datetimeoffset: Codec = {
  encode: (value) => (value as Date).toISOString(),
  decode: fromUtcText,
  read: (column) => sql`convert(varchar(23), switchoffset(${column}, '+00:00'), 121)`,
}

/** SQL Server 2016 and later. */
export const mssql: SqlDialect = {
  name: 'mssql',
  family: 'mssql',
  codecs: {
    ...commonCodecs,
    instant: datetime2,
    timestamp: datetime2,
    timestamptz: datetimeoffset,
    boolean: bit,
  },
  // OUTPUT has another position than RETURNING, and does not work on tables with triggers.
  returning: { insert: false, update: false, delete: false },
  replacesOnConflict: false,
  locksRows: false,
  limit: 'top',
  limitedDelete: 'top',
  // This does not ignore trailing blanks, as all collations do.
  sameBytes: (column, place) =>
    sql`cast(${column} as varbinary(max)) = cast(cast(${place} as nvarchar(max)) as varbinary(max))`,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  columnType,
  tableOptions: () => '',
  indexesInTable: true,
  ifNotExists: '',
  nullsDiffer: false,
  zero: ({ content }) => (/^(n?var)?char|datetime/.test(types[content]) ? "''" : '0'),
  addColumn: 'ADD',
  addsReferences: true,
  dropReference: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  alterColumn: (table, column, { type, nullable }) =>
    `ALTER TABLE ${table} ALTER COLUMN ${column} ${type}${nullable ? ' NULL' : ' NOT NULL'}`,
  takenKey,
  isCollision: (error) => COLLISIONS.includes(member(error, 'number')),
  async inspect(db, schema) {
    const where = schema === undefined ? sql`SCHEMA_NAME()` : sql`${schema}`
    const { rows: columns } = await sql<InspectedColumn>`
      SELECT TABLE_NAME AS "table", COLUMN_NAME AS "column", LOWER(DATA_TYPE) AS "type",
        CASE WHEN IS_NULLABLE = 'YES' THEN 1 ELSE 0 END AS "nullable",
        CASE WHEN COLUMN_DEFAULT IS NULL THEN 0 ELSE 1 END AS "filled",
        COLLATION_NAME AS "collation"
      FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ${where}`.execute(db)
    const { rows: keys } = await sql<InspectedKey>`
      SELECT t.name AS "table", i.name AS "index", i.is_unique AS "unique", c.name AS "column"
      FROM sys.indexes AS i
      JOIN sys.tables AS t ON t.object_id = i.object_id
      JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
      JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
      WHERE SCHEMA_NAME(t.schema_id) = ${where} AND k.is_included_column = 0
      ORDER BY t.name, i.name, k.key_ordinal`.execute(db)
    const { rows: references } = await sql<FoundReference>`
      SELECT t.name AS "table", c.name AS "column", OBJECT_NAME(r.constraint_object_id) AS "name",
        OBJECT_NAME(r.referenced_object_id) AS "to"
      FROM sys.foreign_key_columns AS r
      JOIN sys.tables AS t ON t.object_id = r.parent_object_id
      JOIN sys.columns AS c ON c.object_id = r.parent_object_id AND c.column_id = r.parent_column_id
      WHERE SCHEMA_NAME(t.schema_id) = ${where}`.execute(db)
    return foundTables(columns, keys, references)
  },
}

function columnType({ content, generated }: Column, place: string): string {
  if (content === 'serial' && generated) return 'int identity'
  if (content !== 'key') return types[content]
  if (CREDENTIAL_IDS.includes(place)) return `varchar(1400) collate ${COLLATION}`
  return `nvarchar(${LENGTHS[place] ?? 255}) collate ${COLLATION}`
}

/** A deadlock, and a row that changed after this transaction began. */
const COLLISIONS: readonly unknown[] = [1205, 3960]
/** A unique constraint, and a unique index. */
const TAKEN: readonly unknown[] = [2627, 2601]

/** Returns the name of the key, which precedes the value. */
function takenKey(error: unknown): string | undefined {
  if (!TAKEN.includes(member(error, 'number'))) return undefined
  const message = String(member(error, 'message'))
  return (
    /unique index '([^']*)'/.exec(message)?.[1] ?? /constraint '([^']*)'/.exec(message)?.[1] ?? ''
  )
}
