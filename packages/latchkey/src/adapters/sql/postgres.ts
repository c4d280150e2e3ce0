import { type Expression, sql } from 'kysely'
import { nulFree as text } from '../rows/nul.ts'
import { commonCodecs, fromUtcText, inTexts, utcText, validDate, wellFormed } from './codecs.ts'
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
  key: 'text',
  text: 'text',
  instant: 'timestamptz(3)',
  integer: 'bigint',
  boolean: 'boolean',
  uuid: 'uuid',
  serial: 'integer',
  timestamptz: 'timestamptz(3)',
  timestamp: 'timestamp(3)',
  iso: 'text',
  'utc-text': 'text',
  ms: 'bigint',
  'ms-text': 'text',
  s: 'bigint',
  json: 'jsonb',
}

/** Written and read with an offset from UTC, so that the time zones of process and server do not matter. */
const timestamptz: Codec = {
  encode: (value) => (value as Date).toISOString(),
  decode: (stored) => (stored instanceof Date ? new Date(stored) : fromZonedText(String(stored))),
}

/** Read as text: drivers would read it in the time zone of the process. */
const timestamp: Codec = {
  encode: utcText,
  decode: fromUtcText,
  read: (column) => sql`cast(${column} as text)`,
}

const boolean: Codec = {
  encode: (value) => value,
  decode: (stored) => stored === true || stored === 't' || stored === 'true',
}

/** NUL is also impossible in the texts and names of JSON. */
const json: Codec = {
  encode: (value) =>
    JSON.stringify(value, (_, each: unknown) =>
      inTexts(each, (one) => text.encode(wellFormed(one))),
    ),
  decode: (stored) =>
    JSON.parse(typeof stored === 'string' ? stored : JSON.stringify(stored), (_, each: unknown) =>
      inTexts(each, text.decode),
    ),
}

/** PostgreSQL 12 and later, and compatible servers, with any driver. */
export const postgres: SqlDialect = {
  name: 'postgres',
  family: 'postgres',
  codecs: {
    ...commonCodecs,
    key: text,
    text,
    instant: timestamptz,
    timestamptz,
    timestamp,
    boolean,
    json,
  },
  returning: { insert: true, update: true, delete: true },
  replacesOnConflict: true,
  locksRows: true,
  limit: 'limit',
  limitedDelete: 'choose and lock',
  // Not a collation: compatible servers may have other ones.
  sameBytes: (column, place) => sql`${bytes(column)} = ${bytes(place)}`,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  columnType: ({ content, generated }) =>
    content === 'serial' && generated ? 'serial' : types[content],
  tableOptions: () => '',
  indexesInTable: false,
  ifNotExists: 'IF NOT EXISTS ',
  nullsDiffer: true,
  zero: ({ content }) => zeros[types[content].replace(/\(\d\)/, '')] ?? "''",
  addColumn: 'ADD COLUMN',
  addsReferences: true,
  generated: { uuid: 'gen_random_uuid()', key: 'gen_random_uuid()::text' },
  alterColumn: (table, column, { type }, loosen) =>
    loosen
      ? `ALTER TABLE ${table} ALTER COLUMN ${column} DROP NOT NULL`
      : `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${type}`,
  columnFault,
  takenKey,
  isCollision: (error) => COLLISIONS.includes(member(error, 'code')) || isStale(error),
  async inspect(db, schema) {
    const where = schema === undefined ? sql`current_schema()` : sql`${schema}`
    const { rows: columns } = await sql<InspectedColumn>`
      SELECT table_name AS "table", column_name AS "column",
        data_type || coalesce('(' || character_maximum_length || ')', '') AS "type",
        is_nullable = 'YES' AS "nullable",
        column_default IS NOT NULL OR is_identity = 'YES' AS "filled"
      FROM information_schema.columns
      WHERE table_schema = ${where}`.execute(db)
    const { rows: keys } = await sql<InspectedKey>`
      SELECT t.relname AS "table", i.relname AS "index", x.indisunique AS "unique", a.attname AS "column"
      FROM pg_catalog.pg_index AS x
      JOIN pg_catalog.pg_class AS t ON t.oid = x.indrelid
      JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = t.relnamespace
      CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k (number, position)
      LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.number
      WHERE n.nspname = ${where} AND x.indisvalid AND x.indpred IS NULL
      ORDER BY t.relname, i.relname, k.position`.execute(db)
    const { rows: references } = await sql<FoundReference>`
      SELECT t.relname AS "table", a.attname AS "column", c.conname AS "name", o.relname AS "to"
      FROM pg_catalog.pg_constraint AS c
      JOIN pg_catalog.pg_class AS t ON t.oid = c.conrelid
      JOIN pg_catalog.pg_class AS o ON o.oid = c.confrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = t.relnamespace
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND n.nspname = ${where}`.execute(db)
    return foundTables(columns, keys, references)
  },
}

function bytes(text: Expression<unknown>) {
  return sql<boolean>`convert_to(cast(${text} as text), 'UTF8')`
}

const zeros: Readonly<Record<string, string>> = {
  timestamptz: "'epoch'",
  timestamp: "'epoch'",
  bigint: '0',
  integer: '0',
  boolean: 'false',
  uuid: "'00000000-0000-0000-0000-000000000000'",
  jsonb: "'null'",
}

/** The number of characters that a column must hold, by its content. */
const ROOM: Readonly<Record<string, number>> = { key: 255, text: 65_535 }

/** The contents that a special type can hold. */
const HOLDS: Readonly<Record<string, readonly ColumnType[]>> = {
  'timestamp with time zone': ['instant', 'timestamptz'],
  'timestamp without time zone': ['timestamp'],
  date: [],
  boolean: ['boolean'],
  bigint: ['integer', 'serial', 'ms', 's'],
  integer: ['integer', 'serial', 'ms', 's'],
  smallint: ['integer', 'serial', 'ms', 's'],
  uuid: ['uuid'],
  json: ['json'],
  jsonb: ['json'],
  bytea: [],
}

/** The contents that need a special type. */
const TYPED: readonly ColumnType[] = ['instant', 'timestamptz', 'timestamp', 'boolean']

function isMisfit(type: string, { content, owner }: Column, place: string): boolean {
  // The generated ids are UUIDs, so all of these types hold them.
  if (type === 'uuid' && (owner || place.endsWith('.id'))) return false
  const holds = HOLDS[type]
  return holds ? !holds.includes(content) : TYPED.includes(content)
}

function columnFault(
  { type }: FoundColumn,
  column: Column,
  place: string,
): ColumnFault | undefined {
  const wanted = types[column.content]
  if (isMisfit(type, column, place))
    return { problem: `has the type ${type}, but must be ${wanted}` }
  const length = Number(/\((\d+)\)$/.exec(type)?.[1] ?? Number.POSITIVE_INFINITY)
  const room = LONGER_KEYS[place] ?? (SHORT.test(place) ? 0 : (ROOM[column.content] ?? 0))
  if (length < room) return { problem: `holds only ${length} characters`, type: wanted }
  const narrow = type === 'integer' || type === 'smallint'
  if (narrow && wanted === 'bigint') return { problem: 'overflows in the year 2038', type: wanted }
  return undefined
}

const LONGER_KEYS: Readonly<Record<string, number>> = {
  'record.kind': 40,
  'record.key': 190,
  'user.email': 320,
  'account.providerAccountId': 512,
  'verificationToken.identifier': 320,
  'authenticator.credentialID': 1400,
  'authenticator.providerAccountId': 1400,
}

/** Texts that are always short. */
const SHORT = /\.(type|token_type|credentialDeviceType|transports|name|session_state)$/

const ZONED =
  /^(\d{4,6}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?)$/

/**
 * Reads `2026-02-03 04:05:06.789+00`, the format of servers with the DateStyle ISO and of drivers, and the format that
 * the adapter writes.
 */
function fromZonedText(stored: string): Date {
  const [, date = '', time = '', sign, ...offset] = ZONED.exec(stored) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = offset.map((part) => Number(part ?? 0))
  // East of UTC, the last hours of the year 9999 are in the year 10000.
  const local = validDate(
    new Date(`${date.length > 10 ? `+${date.padStart(12, '0')}` : date}T${time}Z`),
  )
  const east = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return new Date(local.getTime() - (sign === '-' ? -east : east))
}

const UNIQUE_VIOLATION = '23505'
/**
 * A serialization failure, a deadlock, and a table or its row type that another process created at the same time,
 * despite IF NOT EXISTS.
 */
const COLLISIONS: readonly unknown[] = ['40001', '40P01', '42P07', '42710']

const FEATURE_NOT_SUPPORTED = '0A000'
const DATATYPE_MISMATCH = '42804'

/**
 * Whether a statement was prepared when a column had another type, so that its parameters or results no longer fit.
 * Nothing was done.
 */
export function isStale(error: unknown): boolean {
  const code = member(error, 'code')
  return (
    code === DATATYPE_MISMATCH ||
    (code === FEATURE_NOT_SUPPORTED && member(error, 'routine') === 'RevalidateCachedQuery')
  )
}

/** Returns the name of the constraint, or the columns that PostgreSQL reports, but never a value. */
function takenKey(error: unknown): string | undefined {
  if (member(error, 'code') !== UNIQUE_VIOLATION) return undefined
  const columns = /^[^(=]*\(([^)=]*)\)=/.exec(String(member(error, 'detail')))?.[1]
  // `constraint` in pg, PGlite and Neon; `constraint_name` in postgres.js.
  const names = [columns, member(error, 'constraint'), member(error, 'constraint_name')]
  return names.find((name) => typeof name === 'string')?.toString() ?? ''
}
