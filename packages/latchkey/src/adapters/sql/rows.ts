import type { Row, SqlDialect } from './dialect.ts'
import { type Column, type Resources, type TableName, tableNames, tables } from './tables.ts'

/**
 * What becomes of a member that has no column: `drop` leaves it out without a word (token responses
 * are full of members that nobody asked for), `error` refuses the whole resource.
 */
export type UnknownFields = 'drop' | 'error'

/** Resource to row and back, for one table. */
export interface RowMapping<Resource = unknown> {
  readonly columns: readonly string[]
  /** A whole row: what the resource does not have is `null`. */
  encode(resource: object): Row
  /** The columns that the resource has a value for; `undefined` is none, `null` is one. */
  encodeChanges(resource: object): Row
  /** @param prefix stands before the column names in `row`. */
  decode(row: Row, prefix?: string): Resource
}

export type RowMappings = { readonly [Name in TableName]: RowMapping<Resources[Name]> }

/** The mappings of all tables, as a dialect keeps their values. */
export function rowMappings(
  dialect: Pick<SqlDialect, 'codecs'>,
  unknownFields: UnknownFields,
): RowMappings {
  return Object.fromEntries(
    tableNames.map((name) => [name, rowMapping(name, dialect, unknownFields)]),
  ) as unknown as RowMappings
}

function rowMapping(
  table: TableName,
  { codecs }: Pick<SqlDialect, 'codecs'>,
  unknownFields: UnknownFields,
): RowMapping {
  const columns: Readonly<Record<string, Column>> = tables[table].columns
  const fields = Object.entries(columns).map(([name, { content }]) => ({
    name,
    codec: codecs[content],
  }))

  const encodeChanges = (resource: object): Row => {
    if (unknownFields === 'error') refuseUnknown(resource)
    const row: Row = {}
    for (const { name, codec } of fields) {
      const value = (resource as Row)[name]
      if (value !== undefined) row[name] = value === null ? null : encoded(value, codec)
    }
    return row
  }

  return {
    columns: Object.keys(columns),
    encodeChanges,
    encode(resource) {
      const given = encodeChanges(resource)
      const row: Row = {}
      for (const { name } of fields) row[name] = given[name] ?? null
      return row
    },
    decode(row, prefix = '') {
      const resource: Row = {}
      for (const { name, codec } of fields) {
        const stored = row[prefix + name]
        resource[name] = codec && stored !== null ? codec.decode(stored) : stored
      }
      return resource
    },
  }

  function refuseUnknown(resource: object): void {
    for (const [name, value] of Object.entries(resource)) {
      if (value !== undefined && !Object.hasOwn(columns, name)) {
        throw new Error(`the table ${table} has no column for ${name}`)
      }
    }
  }
}

function encoded(value: unknown, codec: { encode(value: unknown): unknown } | undefined): unknown {
  return codec ? codec.encode(value) : value
}
