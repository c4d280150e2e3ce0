import { sql } from 'kysely'
import { bit, commonCodecs, fromUtcText, utcText } from './codecs.ts'
import {
  type AnyDatabase,
  type Codec,
  type FoundColumn,
  type FoundReference,
  foundTables,
  type InspectedColumn,
  type InspectedKey,
  member,
  type SqlDialect,
} from './dialect.ts'
import { lastKeyIn } from './duplicate-key.ts'
import type { Column, ColumnType } from './tables.ts'

const types: Readonly<Record<ColumnType, string>> = {
  key: 'varchar(255)',
  text: 'mediumtext',
  instant: 'datetime(3)',
  integer: 'bigint',
  boolean: 'tinyint(1)',
  uuid: 'char(36)',
  serial: 'int',
  timestamptz: 'datetime(3)',
  timestamp: 'timestamp(3)',
  iso: 'varchar(30)',
  'utc-text': 'varchar(30)',
  ms: 'bigint',
  'ms-text': 'varchar(20)',
  s: 'bigint',
  json: 'json',
}

/** A key of InnoDB holds 3,072 bytes, which are 768 characters, over all of its columns. */
const LENGTHS: Readonly<Record<string, number>> = {
  'user.email': 320,
  'account.providerAccountId': 512,
  'verificationToken.identifier': 320,
  'record.kind': 40,
  'record.key': 190,
}

/** Up to 1,023 bytes in base64. They are ASCII, so they fit into a key. */
const CREDENTIAL_IDS = ['authenticator.credentialID', 'authenticator.providerAccountId']
const CREDENTIAL_ID_LENGTH = 1400

/** UTC as text in both directions, so that the time zones of driver, process and server do not matter. */
const datetime: Codec = {
  encode: utcText,
  decode: fromUtcText,
  read: (column) => sql`cast(${column} as char)`,
}

/** The server converts these to the time zone of its session. Seconds since 1970 are the same in all time zones. */
const timestamp: Codec = {
  encode: (value) => (value as Date).getTime() / 1000,
  decode: (stored) => new Date(Math.round(Number(stored) * 1000)),
  read: (column) => sql`unix_timestamp(${column})`,
  write: (place) => sql`from_unixtime(cast(${place} as decimal(17, 3)))`,
}

/** CAST has other type names. */
const serial: Codec = {
  ...(commonCodecs.serial as Codec),
  write: (place) => sql`cast(${place} as signed)`,
}

/** Creates the dialect of MySQL or MariaDB, which differ little. */
export function mysqlDialect({
  name,
  collation,
  returning,
}: {
  name: string
  collation: string
  returning: SqlDialect['returning']
}): SqlDialect {
  const columnType = (column: Column, place: string): string => {
    const { content, generated } = column
    if (content === 'serial' && generated) return 'int auto_increment'
    if (CREDENTIAL_IDS.includes(place) && content === 'key')
      return `varchar(${CREDENTIAL_ID_LENGTH}) character set ascii collate ascii_bin`
    const type = content === 'key' ? `varchar(${LENGTHS[place] ?? 255})` : types[content]
    return content === 'key' || content === 'uuid'
      ? `${type} character set utf8mb4 collate ${collation}`
      : type
  }
  return {
    name,
    family: 'mysql',
    codecs: {
      ...commonCodecs,
      instant: datetime,
      timestamptz: datetime,
      timestamp,
      boolean: bit,
      serial,
    },
    asciiKeys: CREDENTIAL_IDS,
    returning,
    replacesOnConflict: false,
    locksRows: true,
    limit: 'limit',
    limitedDelete: 'limit',
    sameBytes: (column, place) =>
      sql`cast(convert(${column} using utf8mb4) as binary) = cast(convert(${place} using utf8mb4) as binary)`,
    quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
    columnType,
    tableOptions: () => ` ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`,
    indexesInTable: true,
    ifNotExists: 'IF NOT EXISTS ',
    nullsDiffer: true,
    zero: ({ content }) => zeros[types[content]],
    addColumn: 'ADD COLUMN',
    alterColumn: (table, column, { type, nullable }) =>
      `ALTER TABLE ${table} MODIFY COLUMN ${column} ${type}${nullable ? '' : ' NOT NULL'}`,
    dropReference: (table, name) => `ALTER TABLE ${table} DROP FOREIGN KEY ${name}`,
    addsReferences: true,
    columnFault: (found, column, place) => columnFault(found, columnType(column, place)),
    settingsFaults,
    migrationLock: {
      take: "SELECT GET_LOCK(CONCAT('latchkey.', MD5(DATABASE())), 60) AS taken",
      release: "SELECT RELEASE_LOCK(CONCAT('latchkey.', MD5(DATABASE()))) AS released",
    },
    takenKey,
    isCollision: (error) =>
      COLLISIONS.includes(member(error, 'errno')) || COLLISIONS.includes(member(error, 'code')),
    inspect,
  }
}

/** MySQL 8.0.17 and later. The driver must count found rows, as drivers do by default. */
export const mysql: SqlDialect = mysqlDialect({
  name: 'mysql',
  collation: 'utf8mb4_0900_bin',
  returning: { insert: false, update: false, delete: false },
})

/** A missing text becomes empty, and has no default. */
const zeros: Readonly<Record<string, string>> = {
  'datetime(3)': "'1970-01-01 00:00:00'",
  'timestamp(3)': "'1970-01-02 00:00:00'",
  bigint: '0',
  int: '0',
  'tinyint(1)': '0',
}

/** Collations that compare exactly, including trailing blanks. */
const EXACT = /_0900_bin$|_nopad_bin$|^ascii_bin$|^binary$/

const MOMENT = /^(?:datetime|timestamp)\b/
const OTHER = /^(?:date|time|year|bit|decimal|float|double|(?:big|medium|small|tiny)?int)/

/** Whether a column has a type for other values. Texts are judged by their length instead. */
function isMisfit(type: string, wanted: string): boolean {
  if (MOMENT.test(wanted)) return OTHER.test(type) && !MOMENT.test(type)
  if (/char|text/.test(wanted)) return OTHER.test(type)
  return /^(?:date|time|year)/.test(type)
}

function columnFault({ type, collation }: FoundColumn, wanted: string) {
  if (isMisfit(type, wanted)) {
    return { problem: `has the type ${type}, but must be ${wanted.split(' ')[0]}`, type: wanted }
  }
  if (wanted === 'mediumtext' && collation && !/^(?:utf8mb4|ascii)_/.test(collation)) {
    const problem = `cannot store all characters, for example emoji (${collation})`
    return { problem, type: `${wanted} character set utf8mb4` }
  }
  const room = capacity(type)
  if (room < capacity(wanted)) return { problem: `holds only ${room} characters`, type: wanted }
  if (/^varchar|^char/.test(wanted) && wanted.includes(' collate ') && collation) {
    if (!EXACT.test(collation))
      return { problem: `treats different texts as equal (${collation})`, type: wanted }
  }
  if (wanted === 'bigint' && /^(?:medium|small|tiny)?int/.test(type))
    return { problem: 'overflows in the year 2038', type: wanted }
  if (wanted === 'datetime(3)' && /^(datetime|timestamp)(\([0-2]\))?$/.test(type))
    return { problem: 'has no milliseconds', type: wanted }
  return undefined
}

const CAPACITIES: Readonly<Record<string, number>> = {
  tinytext: 255,
  text: 16_383,
  mediumtext: 4_194_303,
}

/** Returns the number of characters that fit; infinite for other types. */
function capacity(type: string): number {
  const length = /^(?:var)?char\((\d+)\)/.exec(type)?.[1]
  if (length !== undefined) return Number(length)
  return CAPACITIES[type] ?? Number.POSITIVE_INFINITY
}

async function settingsFaults(db: AnyDatabase) {
  const { rows } = await sql<{ mode: string }>`SELECT @@SESSION.sql_mode AS mode`.execute(db)
  if (/STRICT_(TRANS|ALL)_TABLES/.test(rows[0]?.mode ?? '')) return []
  return [
    {
      problem:
        'the server truncates values that are too long instead of rejecting them (strict mode is off)',
      statement: "SET GLOBAL sql_mode = CONCAT(@@GLOBAL.sql_mode, ',STRICT_TRANS_TABLES')",
    },
  ]
}

/** A deadlock, and a row that changed after this transaction began (MariaDB 11). */
const COLLISIONS: readonly unknown[] = [1213, 'ER_LOCK_DEADLOCK', 1020, 'ER_CHECKREAD']
const DUPLICATE: readonly unknown[] = [1062, 'ER_DUP_ENTRY']

/** Returns the name of the key, which follows the value. */
function takenKey(error: unknown): string | undefined {
  if (!DUPLICATE.includes(member(error, 'errno')) && !DUPLICATE.includes(member(error, 'code'))) {
    return undefined
  }
  return lastKeyIn(String(member(error, 'message'))) ?? ''
}

async function inspect(db: AnyDatabase, schema: string | undefined) {
  const where = schema === undefined ? sql`DATABASE()` : sql`${schema}`
  const { rows: columns } = await sql<InspectedColumn>`
    SELECT TABLE_NAME AS \`table\`, COLUMN_NAME AS \`column\`, LOWER(COLUMN_TYPE) AS \`type\`,
      IS_NULLABLE = 'YES' AS \`nullable\`, COLLATION_NAME AS \`collation\`,
      COLUMN_DEFAULT IS NOT NULL OR EXTRA <> '' AS \`filled\`
    FROM information_schema.COLUMNS
    WHERE TABLE_SCHEMA = ${where}`.execute(db)
  const { rows: keys } = await sql<InspectedKey>`
    SELECT TABLE_NAME AS \`table\`, INDEX_NAME AS \`index\`, NON_UNIQUE = 0 AS \`unique\`,
      IF(SUB_PART IS NULL, COLUMN_NAME, NULL) AS \`column\`
    FROM information_schema.STATISTICS
    WHERE TABLE_SCHEMA = ${where}
    ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`.execute(db)
  const { rows: references } = await sql<FoundReference>`
    SELECT TABLE_NAME AS \`table\`, COLUMN_NAME AS \`column\`, CONSTRAINT_NAME AS \`name\`,
      REFERENCED_TABLE_NAME AS \`to\`
    FROM information_schema.KEY_COLUMN_USAGE
    WHERE TABLE_SCHEMA = ${where} AND REFERENCED_TABLE_NAME IS NOT NULL`.execute(db)
  return foundTables(columns, keys, references)
}
