import { optionError } from '../../base/option-error.ts'
import type { SqlDialect } from './dialect.ts'
import type { ColumnNaming, Naming, Preset } from './naming.ts'
import { presets } from './presets.ts'
import {
  type Column,
  type ColumnType,
  type Table,
  type TableName,
  tableNames,
  tables,
} from './tables.ts'

/** The tables of one database. */
export interface Layout {
  readonly schema: string | undefined
  readonly prefix: string
  readonly tables: Readonly<Record<TableName, TableLayout>>
  /** Creates the id of a user instead of the core. */
  readonly makeId: (() => string) | undefined
}

export interface TableLayout extends Table {
  readonly name: string
  /** Whether the database does not have the table. */
  readonly absent: boolean
  /** The columns by field. */
  readonly columns: Readonly<Record<string, NamedColumn>>
  /** The field with the members that have no column. */
  readonly rest: string | undefined
}

export interface NamedColumn extends Column {
  readonly name: string
  /** Set for a column of the application. */
  readonly own?: true
}

/** Which tables are used: `false` all but the records, `true` all, `'only'` the records. */
export type UsesRecords = boolean | 'only'

/**
 * Returns the tables of a naming.
 *
 * @throws for an invalid name, for generated ids that the engine does not return, and for an impossible layout.
 */
export function toLayout(
  naming: Preset | Naming | undefined,
  dialect: SqlDialect,
  records: UsesRecords = false,
): Layout {
  // In JavaScript, it is easy to pass a name instead of the import.
  if (typeof dialect !== 'object') {
    throw optionError(
      `dialect must be an import of latchkey/adapters/sql (sqlite, postgres, mysql, mariadb or mssql), got "${String(dialect)}"`,
      'naming',
    )
  }
  const { family, returning, name: engine } = dialect
  const given: Naming = typeof naming === 'string' ? { preset: naming } : (naming ?? {})
  const { preset: base = 'singular' } = given
  if (!Object.hasOwn(presets, base))
    throw optionError(
      `unknown naming ${JSON.stringify(base)}; expected one of: ${Object.keys(presets).join(', ')}`,
      'naming',
    )
  checkMembers(given)
  const preset = presets[base]
  const layers = [preset(family), given]
  const first = <Key extends keyof Naming>(key: Key): Naming[Key] | undefined =>
    layers.findLast((layer) => layer[key] !== undefined)?.[key]
  const schema = first('schema')
  const ids = first('ids') ?? 'key'
  const generateId = first('generateId') ?? (ids === 'serial' ? 'database' : 'core')
  const shared: Shared = {
    prefix: first('prefix') ?? '',
    ids,
    instants: first('instants') ?? 'instant',
    fromDatabase: generateId === 'database',
    records,
  }
  if (schema !== undefined) checkName(schema)
  // MySQL's drivers return only generated numbers.
  const learned = returning.insert || (family === 'mysql' && ids === 'serial')
  if (shared.fromDatabase && !learned) {
    throw optionError(
      `${engine} does not return generated ids; remove \`generateId: 'database'\``,
      'naming',
    )
  }
  const laidOut = tableNames.map((name) => [name, tableLayout(name, layers, shared)] as const)
  checkTables(laidOut, dialect)
  return {
    schema,
    prefix: shared.prefix,
    tables: Object.fromEntries(laidOut) as unknown as Layout['tables'],
    makeId: typeof generateId === 'function' ? generateId : undefined,
  }
}

interface Shared {
  readonly prefix: string
  readonly ids: ColumnType
  readonly instants: ColumnType
  readonly fromDatabase: boolean
  readonly records: UsesRecords
}

function tableLayout(name: TableName, layers: readonly Naming[], shared: Shared): TableLayout {
  const own = tables[name]
  const namings = layers.map((layer) => layer[name]).filter((layer) => layer !== undefined)
  const unused = name === 'record' ? !shared.records : shared.records === 'only'
  const absent = unused || namings.at(-1) === false
  const names = namings.filter((layer) => layer !== false)
  const columns: Record<string, NamedColumn> = {}
  for (const [field, column] of Object.entries(own.columns)) {
    columns[field] = { ...retyped(name, field, column, shared), name: field }
  }
  for (const layer of names) {
    for (const [field, change] of Object.entries(layer.columns ?? {})) {
      if (change === false) delete columns[field]
      else columns[field] = changed(columns[field], field, change, shared)
    }
  }
  const rest = names.findLast((layer) => layer.rest !== undefined)?.rest
  if (rest !== undefined) {
    if (columns[rest])
      throw optionError(`the column ${rest} of \`rest\` already belongs to a field`, 'naming')
    columns[rest] = { name: rest, content: 'json', nullable: true, own: true }
  }
  for (const { name } of Object.values(columns)) checkName(name)
  const table = `${shared.prefix}${names.findLast((layer) => layer.table !== undefined)?.table ?? name}`
  checkName(table)
  return { ...own, name: table, absent, columns, rest }
}

function retyped(table: TableName, field: string, column: Column, shared: Shared): Column {
  const { ids, instants, fromDatabase } = shared
  // The table of records is new in each database, so it has the best types: they keep dates to the millisecond.
  if (table === 'record') return column
  if (column.content === 'instant') return { ...column, content: instants }
  if (column.owner) return { ...column, content: ids }
  if (table !== 'user' || field !== 'id') return column
  return { ...column, content: ids, ...(fromDatabase && { generated: 'database' }) }
}

function changed(
  column: NamedColumn | undefined,
  field: string,
  change: string | ColumnNaming,
  { instants }: Shared,
): NamedColumn {
  const { name, type, generated } = typeof change === 'string' ? { name: change } : change
  const before: NamedColumn = column ?? {
    name: field,
    content: generated === 'now' ? instants : generated === 'uuid' ? 'key' : 'text',
    own: true,
    ...(generated === undefined && { nullable: true }),
  }
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(type !== undefined && { content: type }),
    ...(generated !== undefined && { generated }),
  }
}

const MEMBERS: ReadonlySet<string> = new Set<keyof Naming>([
  ...tableNames,
  'preset',
  'schema',
  'prefix',
  'instants',
  'ids',
  'generateId',
])

/** A misspelled name would silently select the default table. */
function checkMembers(given: Naming): void {
  for (const member of Object.keys(given)) {
    if (!MEMBERS.has(member)) {
      throw optionError(
        `unknown member ${member} of \`naming\`; expected one of: ${[...MEMBERS].join(', ')}`,
        'naming',
      )
    }
  }
}

function checkTables(
  laidOut: readonly (readonly [TableName, TableLayout])[],
  dialect: SqlDialect,
): void {
  const present = laidOut.filter(([, { absent }]) => !absent)
  const table = twice(present.map(([, { name }]) => name))
  if (table !== undefined) throw optionError(`two tables have the name ${table}`, 'naming')
  for (const [resource, { name, columns }] of present) {
    const column = twice(Object.values(columns).map((each) => each.name))
    if (column !== undefined) {
      throw optionError(`two fields have the column ${column} of the table ${name}`, 'naming')
    }
    for (const [field, column] of Object.entries(columns)) {
      if (dialect.columnType(column, `${resource}.${field}`)) continue
      throw optionError(
        `the column ${column.name} of the table ${name} cannot have the type ${column.content}`,
        'naming',
      )
    }
  }
}

function twice(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) < at)
}

/** Names are quoted everywhere, but a point or a quote in them would still be dangerous. */
function checkName(name: string): void {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(name)) {
    throw optionError(`invalid name of a table or column: ${JSON.stringify(name)}`, 'naming')
  }
}

/** Returns the tables that a database has. */
export function tablesOf({ tables }: Layout): TableName[] {
  return tableNames.filter((name) => !tables[name].absent)
}
