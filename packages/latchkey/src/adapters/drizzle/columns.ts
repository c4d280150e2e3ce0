import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { type Content, members, type RecordName } from '../records.ts'
import { asIs, type Codec, type Coding, coding } from '../rows/coding.ts'
import { nulFree } from '../rows/nul.ts'

/** The mapping of a table of the application. */
export interface ColumnMapping<Name extends RecordName = RecordName> extends Coding<Name> {
  readonly table: Table
  readonly columns: Readonly<Record<string, Column>>
  /** Returns the value as the column stores it; `undefined` if the column cannot hold it. */
  encodeKey(member: string, value: unknown): unknown
}

/** By content and data type of the column. Other values are stored unchanged. */
const codecs: Readonly<Partial<Record<`${Content} in ${string}`, Codec>>> = {
  'text in number': { encode: Number, decode: String },
  'text in bigint': { encode: (value) => BigInt(value as string), decode: String },
  'instant in number': {
    encode: (value) => (value as Date).getTime(),
    decode: (stored) => new Date(stored as number),
  },
  'instant in bigint': {
    encode: (value) => BigInt((value as Date).getTime()),
    decode: (stored) => new Date(Number(stored)),
  },
  'instant in string': {
    encode: (value) => (value as Date).toISOString(),
    decode: (stored) => parseInstant(stored as string),
  },
  'integer in bigint': { encode: (value) => BigInt(value as number), decode: Number },
  'integer in string': { encode: String, decode: Number },
  'boolean in number': { encode: Number, decode: (stored) => stored !== 0 },
}

/**
 * Returns the mapping of a table of the application. The columns convert values themselves; this converts them only if
 * a column has another type, for example numeric ids.
 *
 * @throws if a column is missing.
 */
export function columnMapping<Name extends RecordName>(
  name: Name,
  table: Table,
): ColumnMapping<Name> {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  const ours = members[name]
  const found = new Map<string, Codec>()
  for (const [member, column] of Object.entries(columns)) {
    const content = ours[member]?.content
    const text = column.dataType === 'string' ? nulFree : undefined
    const codec = (content && codecs[`${content} in ${column.dataType}`]) ?? text
    if (codec) found.set(member, codec)
  }
  const codecOf = (member: string): Codec => found.get(member) ?? asIs

  return {
    table,
    columns,
    ...coding(name, columns, { table: 'table for Drizzle', column: 'column' }, codecOf),
    encodeKey(member, value) {
      const column = columns[member]
      return column && canHold(column, value) ? codecOf(member).encode(value) : undefined
    },
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const WHOLE = /^(0|-?[1-9]\d{0,14})$/
const HIGHEST_32 = 2 ** 31 - 1

/** PostgreSQL fails if a query has a value that the column cannot hold, instead of finding nothing. */
function canHold({ columnType, dataType }: Column, value: unknown): boolean {
  if (typeof value !== 'string') return value !== undefined
  if (dataType === 'number' || dataType === 'bigint') {
    const isShort = columnType === 'PgInteger' || columnType === 'PgSerial'
    return WHOLE.test(value) && (!isShort || Math.abs(Number(value)) <= HIGHEST_32)
  }
  return columnType !== 'PgUUID' || UUID.test(value)
}

/** Parses a date and time in a text column. Without a time zone it is UTC. */
function parseInstant(text: string): Date {
  const [, day, time, zone = 'Z'] =
    /^(\S+?)[ T]([\d:.]+)\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text) ?? []
  return new Date(`${day}T${time}${/^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone}`)
}
