import type { SqlDialect } from './dialect.ts'
import type { ColumnNaming, Naming, Preset, TableNaming } from './naming.ts'
import { type ColumnType, type TableName, tableNames, tables } from './tables.ts'

type Family = SqlDialect['family']
type Tables = Readonly<Partial<Record<TableName, TableNaming>>>

/** Adapters without passkeys. */
const NO_PASSKEYS = { authenticator: false } as const

const PLURAL: Tables = {
  user: { table: 'users' },
  account: { table: 'accounts' },
  session: { table: 'sessions' },
  verificationToken: { table: 'verification_tokens' },
  authenticator: { table: 'authenticators' },
  record: { table: 'records' },
}

const PASCAL: Tables = {
  user: { table: 'User' },
  account: { table: 'Account' },
  session: { table: 'Session' },
  verificationToken: { table: 'VerificationToken' },
  authenticator: { table: 'Authenticator' },
  record: { table: 'Record' },
}

const BY_DATABASE: ColumnNaming = { generated: 'database' }
const UUID: ColumnNaming = { type: 'uuid', generated: 'uuid' }
const UUID_TEXT: ColumnNaming = { generated: 'uuid' }
const CHANGED: ColumnNaming = { generated: 'now' }

const SNAKE: Tables = { verificationToken: { table: 'verification_token' } }

/** @param id the column `id` of accounts and sessions. Latchkey does not use it, but it must be filled. */
function surrogates(base: Tables, id: ColumnNaming): Tables {
  const withId = (name: TableName): TableNaming => ({ ...base[name], columns: { id } })
  return { ...base, account: withId('account'), session: withId('session') }
}

/** Returns the type that fits the engine, for packages that write dates in their own format. */
function instants(types: Partial<Record<Family, ColumnType>>): (family: Family) => ColumnType {
  return (family) => types[family] ?? 'instant'
}

const kyselyInstants = instants({ postgres: 'timestamptz', sqlite: 'iso' })
const drizzleInstants = instants({ postgres: 'timestamp', mysql: 'timestamp', sqlite: 'ms' })
const sequelizeInstants = instants({ sqlite: 'utc-text' })
const prismaInstants = instants({ postgres: 'timestamp', sqlite: 'ms' })

export const presets: Readonly<Record<Preset, (family: Family) => Naming>> = {
  singular: () => ({}),
  pascal: () => PASCAL,
  plural: () => PLURAL,
  'snake-plural': () => snake(PLURAL),
  snake: () => snake(SNAKE),
  pg: () => ({
    ...surrogates(PLURAL, { type: 'serial', ...BY_DATABASE }),
    verificationToken: { table: 'verification_token' },
    ...NO_PASSKEYS,
    ids: 'serial',
  }),
  drizzle: (family) => ({ instants: drizzleInstants(family) }),
  prisma: (family) => ({
    ...PASCAL,
    user: { ...PASCAL.user, columns: { updatedAt: CHANGED } },
    account: { ...PASCAL.account, columns: { updatedAt: CHANGED } },
    session: { ...PASCAL.session, columns: { updatedAt: CHANGED } },
    instants: prismaInstants(family),
  }),
  typeorm: () => ({
    ...surrogates(PLURAL, UUID),
    verificationToken: { ...PLURAL.verificationToken, columns: { id: UUID } },
    ...NO_PASSKEYS,
    ids: 'uuid',
    instants: 'ms-text',
  }),
  kysely: (family) => ({
    ...surrogates(PASCAL, UUID),
    ...NO_PASSKEYS,
    ids: 'uuid',
    instants: kyselyInstants(family),
  }),
  d1: () => ({ ...surrogates(PLURAL, UUID_TEXT), ...NO_PASSKEYS, instants: 'iso' }),
  supabase: () => ({
    ...surrogates(PLURAL, { type: 'uuid', ...BY_DATABASE }),
    ...NO_PASSKEYS,
    schema: 'next_auth',
    ids: 'uuid',
  }),
  sequelize: (family) => ({
    ...snake(surrogates(PLURAL, UUID)),
    ...NO_PASSKEYS,
    ids: 'uuid',
    instants: sequelizeInstants(family),
  }),
  'mikro-orm': () => ({ ...snake(surrogates(SNAKE, UUID_TEXT)), ...NO_PASSKEYS }),
}

/** Gives all columns names in snake_case. */
function snake(base: Tables): Naming {
  const named = tableNames.map((table): [TableName, TableNaming] => {
    const fields = Object.keys(tables[table].columns).map((field) => [field, snakeCase(field)])
    return [
      table,
      { ...base[table], columns: { ...Object.fromEntries(fields), ...base[table]?.columns } },
    ]
  })
  return Object.fromEntries(named)
}

/** Converts `credentialID` to `credential_id`. */
function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)
}
