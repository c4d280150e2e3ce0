import { optionError, withDocs } from '../../base/option-error.ts'
import type { Records } from '../records.ts'
import type { Codec, Row, SqlDialect } from './dialect.ts'
import type { Layout, NamedColumn } from './layout.ts'
import { type TableName, tableNames } from './tables.ts'

/**
 * What happens to a member without a column. `drop` omits it silently, because token responses have many additional
 * members. `error` rejects the whole resource. A function is called once for each name, and the member is omitted.
 */
export type UnknownFields = 'drop' | 'error' | ((table: TableName, field: string) => void)

/** A column that holds a member of a resource. */
export interface Field extends NamedColumn {
  readonly field: string
  readonly codec: Codec | undefined
}

/** Converts resources to rows of a table and back. Rows have the names of fields, not of columns. */
export interface RowMapping<Resource = unknown> {
  readonly fields: readonly Field[]
  /** Whether the table has columns of the application, which may have their own values. */
  readonly extended: boolean
  /** Returns a complete row. Members without a value are `null`. */
  encode(resource: object): Row
  /** Returns the columns for which the resource has a value; `undefined` is no value, `null` is one. */
  encodeChanges(resource: object): Row
  /** Returns the members without a column, if the table has a column for them; `undefined` if there are none. */
  rest(resource: object): Row | undefined
  /** @returns `undefined` if no row can have these keys. */
  encodeKeys(keys: Row): Row | undefined
  /** @param prefix of the names in `row`. */
  decode(row: Row, prefix?: string): Resource
  /** Whether a row has exactly these values: a store that ignores case or trailing blanks finds others, too. */
  matches(row: Row, values: Row, prefix?: string): boolean
}

export type RowMappings = { readonly [Name in TableName]: RowMapping<Records[Name]> }

/** Returns the mappings of all tables for a dialect. */
export function rowMappings(
  layout: Layout,
  dialect: Pick<SqlDialect, 'codecs' | 'asciiKeys'>,
  unknownFields: UnknownFields,
): RowMappings {
  return Object.fromEntries(
    tableNames.map((name) => [name, rowMapping(name, layout, dialect, unknownFields)]),
  ) as unknown as RowMappings
}

const ASCII = /^[\0-\x7f]*$/

function rowMapping(
  table: TableName,
  { tables, makeId }: Layout,
  { codecs, asciiKeys }: Pick<SqlDialect, 'codecs' | 'asciiKeys'>,
  unknownFields: UnknownFields,
): RowMapping {
  const { columns, rest } = tables[table]
  const all = Object.entries(columns).map(
    ([field, column]): Field => ({ ...column, field, codec: codecs[column.content] }),
  )
  // A generated column of the application is not part of the resource. The id of a user is, even if it is generated.
  const fields = all.filter(({ generated, own }) => generated === undefined || !own)
  const written = fields.filter(({ generated }) => generated !== 'database')
  const ids = all.filter(({ generated, own }) => generated === 'uuid' && own)
  const userIds = table === 'user' ? written.filter(({ field }) => field === 'id') : []
  const times = all.filter(({ generated }) => generated === 'now')
  const warned = new Set<string>()

  const restOf = (resource: object): Row | undefined => {
    if (rest === undefined) return undefined
    const unknown = Object.entries(resource).filter(
      ([field, value]) => value !== undefined && (field === rest || !Object.hasOwn(columns, field)),
    )
    return unknown.length > 0 ? Object.fromEntries(unknown) : undefined
  }

  const encodeChanges = (resource: object): Row => {
    if (rest === undefined) refuseUnknown(resource)
    const row: Row = {}
    for (const each of written) {
      const value = each.field === rest ? restOf(resource) : (resource as Row)[each.field]
      if (value !== undefined) row[each.field] = encoded(value, each)
    }
    if (times.length > 0 && Object.keys(row).length > 0) stamp(row)
    return row
  }

  /** @throws if the column cannot hold the value. */
  const encoded = (value: unknown, { codec, field }: Field): unknown => {
    if (value === null || !codec) return value
    const stored = codec.encode(value)
    if (stored === undefined)
      throw new Error(
        withDocs(`the value of ${field} cannot be stored in the table ${table}`, 'adapterCall'),
      )
    return stored
  }

  const stamp = (row: Row): void => {
    for (const each of times) row[each.field] = encoded(new Date(), each)
  }

  return {
    fields,
    extended: fields.some(({ own }) => own),
    encodeChanges,
    rest: restOf,
    encode(resource) {
      const given = encodeChanges(resource)
      const row: Row = {}
      for (const { field, own } of written) {
        // A column of the application may have a default.
        if (!own || field in given) row[field] = given[field] ?? null
      }
      for (const each of ids) row[each.field] = encoded(crypto.randomUUID(), each)
      if (makeId) for (const each of userIds) row[each.field] = encoded(madeId(makeId), each)
      stamp(row)
      return row
    },
    encodeKeys(keys) {
      const row: Row = {}
      for (const { field, codec } of fields) {
        const value = keys[field]
        if (value === undefined) continue
        row[field] = codec ? codec.encode(value) : value
        if (row[field] === undefined) return undefined
        if (asciiKeys?.includes(`${table}.${field}`) && !ASCII.test(String(value))) return undefined
      }
      return row
    },
    decode(row, prefix = '') {
      const resource: Row = {}
      let others: unknown
      for (const { field, codec } of fields) {
        const stored = row[prefix + field] ?? null
        const value = codec && stored !== null ? codec.decode(stored) : stored
        if (field === rest) others = value
        else resource[field] = value
      }
      // A member that has a column now is read from the column.
      return others ? { ...others, ...resource } : resource
    },
    matches(row, values, prefix = '') {
      for (const { field, codec } of fields) {
        const value = values[field]
        if (value === undefined) continue
        const stored = row[prefix + field] ?? null
        if ((codec && stored !== null ? codec.decode(stored) : stored) !== value) return false
      }
      return true
    },
  }

  /** Other values would become the same text for each user, for example a promise. */
  function madeId(make: () => unknown): string {
    const id = make()
    if (typeof id === 'string' && id !== '') return id
    const what = id instanceof Promise ? 'a promise' : JSON.stringify(id)
    throw optionError(
      `\`naming.generateId\` must return a string that is not empty, got ${what}`,
      'naming',
    )
  }

  function refuseUnknown(resource: object): void {
    if (unknownFields === 'drop') return
    for (const [field, value] of Object.entries(resource)) {
      if (value === undefined || Object.hasOwn(columns, field)) continue
      if (unknownFields === 'error') {
        throw new Error(withDocs(`the table ${table} has no column for ${field}`, 'adapterCall'))
      }
      if (warned.has(field)) continue
      warned.add(field)
      unknownFields(table, field)
    }
  }
}
