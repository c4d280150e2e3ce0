import type { ColumnDataType } from 'drizzle-orm'
import { type Content, indexes, members, primaryKeys } from '../records.ts'

/** The properties of a column, in addition to its type. */
export interface Constraints {
  readonly notNull: boolean
  readonly isPrimaryKey: boolean
}

type Key = { notNull: true; isPrimaryKey: true }
type Mandatory = { notNull: true; isPrimaryKey: false }
type Optional = { notNull: false; isPrimaryKey: false }

/** The type of a column of one engine. */
export interface Kind {
  readonly dataType: ColumnDataType
  readonly columnType: string
  readonly data: unknown
  readonly driverParam: unknown
  readonly enumValues: [string, ...string[]] | undefined
}

/** The columns of a table, each with its content and constraints. */
export type Columns = Record<string, readonly [Content, Constraints]>

/** The columns of all tables. */
export type Shapes = {
  user: {
    id: ['text', Key]
    name: ['text', Optional]
    email: ['text', Optional]
    emailVerified: ['instant', Optional]
    image: ['text', Optional]
  }
  account: {
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
  session: {
    sessionToken: ['text', Key]
    userId: ['text', Mandatory]
    expires: ['instant', Mandatory]
  }
  verificationToken: {
    identifier: ['text', Mandatory]
    token: ['text', Mandatory]
    expires: ['instant', Mandatory]
  }
  authenticator: {
    credentialID: ['text', Key]
    userId: ['text', Mandatory]
    providerAccountId: ['text', Mandatory]
    credentialPublicKey: ['text', Mandatory]
    counter: ['integer', Mandatory]
    credentialDeviceType: ['text', Mandatory]
    credentialBackedUp: ['boolean', Mandatory]
    transports: ['text', Optional]
  }
}

/** The functions of Drizzle that define the tables of one engine. */
export interface SchemaFunctions {
  table(name: string, columns: Fields, keys: (table: Fields) => unknown[]): Fields
  readonly columns: Readonly<Record<Content, () => ColumnBuilder>>
  primaryKey(key: { columns: unknown[] }): unknown
  index(name: string): { on(...columns: unknown[]): unknown }
}

type Fields = Record<string, unknown>

interface ColumnBuilder {
  notNull(): ColumnBuilder
  primaryKey(): ColumnBuilder
  unique(): ColumnBuilder
  references(column: () => unknown, actions: { onDelete: 'cascade' }): ColumnBuilder
}

/** Defines the tables of Latchkey, all except the records of plugins. */
export function defineTables(functions: SchemaFunctions): Record<keyof Shapes, unknown> {
  const user = defineTable('user', functions, () => undefined)
  const define = (name: keyof Shapes) => defineTable(name, functions, () => user['id'])
  return {
    user,
    account: define('account'),
    session: define('session'),
    verificationToken: define('verificationToken'),
    authenticator: define('authenticator'),
  }
}

function defineTable(
  name: keyof Shapes,
  { table, columns, primaryKey, index }: SchemaFunctions,
  userId: () => unknown,
): Fields {
  const key = primaryKeys[name]
  const fields = Object.entries(members[name]).map(([field, { content, nullable, owner }]) => {
    let column = columns[content]()
    if (key.length === 1 && key[0] === field) column = column.primaryKey()
    else if (!nullable) column = column.notNull()
    if (owner) column = column.references(userId, { onDelete: 'cascade' })
    return [field, field === 'email' ? column.unique() : column]
  })
  return table(name, Object.fromEntries(fields), (defined) => [
    ...(key.length > 1 ? [primaryKey({ columns: key.map((field) => defined[field]) })] : []),
    ...indexes[name].map((indexed) =>
      index(`${name}_${indexed.join('_')}_index`).on(...indexed.map((field) => defined[field])),
    ),
  ])
}
