import {
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTableWithColumns,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import {
  type Columns,
  type Constraints,
  defineTables,
  type Kind,
  type SchemaFunctions,
  type Shapes,
} from './schema.ts'
import { checkDrizzle } from './version.ts'

checkDrizzle()

/** The types of columns, by content. */
export interface ColumnKinds extends Record<string, Kind> {
  text: {
    dataType: 'string'
    columnType: 'SQLiteText'
    data: string
    driverParam: string
    enumValues: [string, ...string[]]
  }
  instant: {
    dataType: 'date'
    columnType: 'SQLiteTimestamp'
    data: Date
    driverParam: number
    enumValues: undefined
  }
  integer: {
    dataType: 'number'
    columnType: 'SQLiteInteger'
    data: number
    driverParam: number
    enumValues: undefined
  }
  boolean: {
    dataType: 'boolean'
    columnType: 'SQLiteBoolean'
    data: boolean
    driverParam: number
    enumValues: undefined
  }
}

/** Not shared between engines: an application would have to name the module in its declarations. */
type ColumnOf<
  Table extends string,
  Name extends string,
  Type extends Kind,
  Has extends Constraints,
> = SQLiteColumn<{
  name: Name
  tableName: Table
  dataType: Type['dataType']
  columnType: Type['columnType']
  data: Type['data']
  driverParam: Type['driverParam']
  notNull: Has['notNull']
  hasDefault: false
  isPrimaryKey: Has['isPrimaryKey']
  isAutoincrement: false
  hasRuntimeDefault: false
  enumValues: Type['enumValues']
  baseColumn: never
  identity: undefined
  generated: undefined
}>

type TableOf<Table extends string, Shape extends Columns> = SQLiteTableWithColumns<{
  name: Table
  schema: undefined
  dialect: 'sqlite'
  columns: {
    [Name in keyof Shape & string]: ColumnOf<
      Table,
      Name,
      ColumnKinds[Shape[Name][0]],
      Shape[Name][1]
    >
  }
}>

type Tables = { [Name in keyof Shapes]: TableOf<Name, Shapes[Name]> }

const tables = defineTables({
  table: sqliteTable,
  columns: {
    text,
    instant: () => integer({ mode: 'timestamp_ms' }),
    integer,
    boolean: () => integer({ mode: 'boolean' }),
  },
  primaryKey,
  index,
} as unknown as SchemaFunctions) as Tables

export const user: Tables['user'] = tables.user
export const account: Tables['account'] = tables.account
export const session: Tables['session'] = tables.session
export const verificationToken: Tables['verificationToken'] = tables.verificationToken
export const authenticator: Tables['authenticator'] = tables.authenticator
