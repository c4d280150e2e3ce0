import type { ColumnDataType } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  type PgColumn,
  type PgTableWithColumns,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { checkDrizzle } from './version.ts'

checkDrizzle()

/** The properties of a column, in addition to its type. */
interface Constraints {
  readonly notNull: boolean
  readonly isPrimaryKey: boolean
}

type Key = { notNull: true; isPrimaryKey: true }
type Mandatory = { notNull: true; isPrimaryKey: false }
type Optional = { notNull: false; isPrimaryKey: false }

interface Kind {
  readonly dataType: ColumnDataType
  readonly columnType: string
  readonly data: unknown
  readonly driverParam: unknown
  readonly enumValues: [string, ...string[]] | undefined
}

/** The types of columns, by content. */
export interface ColumnKinds extends Record<string, Kind> {
  text: {
    dataType: 'string'
    columnType: 'PgText'
    data: string
    driverParam: string
    enumValues: [string, ...string[]]
  }
  instant: {
    dataType: 'date'
    columnType: 'PgTimestamp'
    data: Date
    driverParam: string
    enumValues: undefined
  }
  integer: {
    dataType: 'number'
    columnType: 'PgBigInt53'
    data: number
    driverParam: number | string
    enumValues: undefined
  }
  boolean: {
    dataType: 'boolean'
    columnType: 'PgBoolean'
    data: boolean
    driverParam: boolean
    enumValues: undefined
  }
}

type ColumnOf<
  Table extends string,
  Name extends string,
  Type extends Kind,
  Has extends Constraints,
> = PgColumn<{
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

type TableOf<
  Table extends string,
  Columns extends Record<string, readonly [keyof ColumnKinds & string, Constraints]>,
> = PgTableWithColumns<{
  name: Table
  schema: undefined
  dialect: 'pg'
  columns: {
    [Name in keyof Columns & string]: ColumnOf<
      Table,
      Name,
      ColumnKinds[Columns[Name][0]],
      Columns[Name][1]
    >
  }
}>

const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })
const integer = () => bigint({ mode: 'number' })
const owner = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

export const user: TableOf<
  'user',
  {
    id: ['text', Key]
    name: ['text', Optional]
    email: ['text', Optional]
    emailVerified: ['instant', Optional]
    image: ['text', Optional]
  }
> = pgTable('user', {
  id: text().primaryKey(),
  name: text(),
  email: text().unique(),
  emailVerified: instant(),
  image: text(),
})

export const account: TableOf<
  'account',
  {
    userId: ['text', Mandatory]
    type: ['text', Mandatory]
    provider: ['text', Mandatory]
    providerAccountId: ['text', Mandatory]
    refresh_token: ['text', Optional]
    access_token: ['text', Optional]
    expires_at: ['integer', Optional]
    token_type: ['text', Optional]
    scope: ['text', Optional]
    id_token: ['text', Optional]
    session_state: ['text', Optional]
  }
> = pgTable(
  'account',
  {
    userId: owner(),
    type: text().notNull(),
    provider: text().notNull(),
    providerAccountId: text().notNull(),
    refresh_token: text(),
    access_token: text(),
    expires_at: integer(),
    token_type: text(),
    scope: text(),
    id_token: text(),
    session_state: text(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    index('account_userId_index').on(table.userId),
  ],
)

export const session: TableOf<
  'session',
  { sessionToken: ['text', Key]; userId: ['text', Mandatory]; expires: ['instant', Mandatory] }
> = pgTable(
  'session',
  { sessionToken: text().primaryKey(), userId: owner(), expires: instant().notNull() },
  (table) => [
    index('session_userId_index').on(table.userId),
    index('session_expires_index').on(table.expires),
  ],
)

export const verificationToken: TableOf<
  'verificationToken',
  { identifier: ['text', Mandatory]; token: ['text', Mandatory]; expires: ['instant', Mandatory] }
> = pgTable(
  'verificationToken',
  { identifier: text().notNull(), token: text().notNull(), expires: instant().notNull() },
  (table) => [
    primaryKey({ columns: [table.identifier, table.token] }),
    index('verificationToken_expires_index').on(table.expires),
  ],
)

export const authenticator: TableOf<
  'authenticator',
  {
    credentialID: ['text', Key]
    userId: ['text', Mandatory]
    providerAccountId: ['text', Mandatory]
    credentialPublicKey: ['text', Mandatory]
    counter: ['integer', Mandatory]
    credentialDeviceType: ['text', Mandatory]
    credentialBackedUp: ['boolean', Mandatory]
    transports: ['text', Optional]
  }
> = pgTable(
  'authenticator',
  {
    credentialID: text().primaryKey(),
    userId: owner(),
    providerAccountId: text().notNull(),
    credentialPublicKey: text().notNull(),
    counter: integer().notNull(),
    credentialDeviceType: text().notNull(),
    credentialBackedUp: boolean().notNull(),
    transports: text(),
  },
  (table) => [index('authenticator_userId_index').on(table.userId)],
)
