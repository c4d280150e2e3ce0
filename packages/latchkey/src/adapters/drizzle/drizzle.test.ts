import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createClient } from '@libsql/client'
import { sql, type Table } from 'drizzle-orm'
import { drizzle as drizzleD1 } from 'drizzle-orm/d1'
import { drizzle as drizzleLibsql } from 'drizzle-orm/libsql'
import * as mysqlCore from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import * as sqliteCore from 'drizzle-orm/sqlite-core'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import { mysqlDatabase, postgresDatabase } from '../../../tests/peers/sql/databases.ts'
import { createTables } from '../../../tests/support/drizzle-tables.ts'
import { startMiniflare } from '../../../tests/support/runtimes.ts'
import { type Adapter, atomic } from '../../model/adapter.ts'
import { drizzleAdapter } from './index.ts'
import { record as pgRecord } from './pg-record.ts'
import * as pgSchema from './pg-schema.ts'
import { record as sqliteRecord } from './sqlite-record.ts'
import * as sqliteSchema from './sqlite-schema.ts'

const ada = { id: 'd5a1f6d2-8a39-4c6c-9d5b-6d3d29e2b1aa', email: 'ada@x.example' }
const user = { ...ada, emailVerified: null }

const pgTables = { ...pgSchema, record: pgRecord }
const sqliteTables = { ...sqliteSchema, record: sqliteRecord }

describe('SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'drizzle-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  let files = 0

  /** Opens a new file with these tables. */
  async function open(tables: readonly Table[]) {
    const client = createClient({ url: `file:${directory}/${files++}.db` })
    const db = drizzleLibsql(client)
    await client.execute('PRAGMA journal_mode = WAL')
    for (const statement of createTables(tables)) await client.execute(statement)
    return { client, db }
  }

  async function openClosed() {
    const { client, db } = await open(Object.values(sqliteTables))
    client.close()
    return drizzleAdapter(db, sqliteTables)
  }

  describeAdapter(
    'Drizzle on SQLite',
    async () => {
      const { client, db } = await open(Object.values(sqliteTables))
      const close = async () => client.close()
      const adapter = await sideBySide(() => drizzleAdapter(db, sqliteTables))
      return { ...adapter, [Symbol.asyncDispose]: close }
    },
    { failing: openClosed },
  )

  test('columns may have other types and names', async () => {
    const { sqliteTable, integer, text } = sqliteCore
    const owners = sqliteTable('people', {
      id: integer('person_no').primaryKey({ autoIncrement: true }),
      email: text('mail_address').unique(),
      emailVerified: text('proven_at'),
      role: text().default('guest'),
    })
    const accounts = sqliteTable('ways_in', {
      id: integer().primaryKey(),
      userId: integer('person_no').notNull(),
      type: text().notNull(),
      provider: text().notNull(),
      providerAccountId: text('subject').notNull(),
      expires_at: text(),
    })
    const sessions = sqliteTable('visits', {
      sessionToken: text().primaryKey(),
      userId: integer('person_no').notNull(),
      expires: integer().notNull(),
    })
    const { client, db } = await open([owners, accounts, sessions])
    const adapter = drizzleAdapter(db, { user: owners, account: accounts, session: sessions })
    const expires = new Date('2030-01-02T03:04:05.678Z')

    const created = await adapter.createUser?.({ ...user, emailVerified: expires })
    expect(created).toEqual({
      id: '1',
      email: ada.email,
      emailVerified: expires,
      name: null,
      image: null,
      role: 'guest',
    })
    expect(await adapter.getUser?.('1')).toEqual(created)
    for (const id of ['01', '1.0', 'x', ada.id]) expect(await adapter.getUser?.(id)).toBeNull()
    await expect(async () => adapter.createUser?.(user)).rejects.toMatchObject({
      conflict: 'user.email',
    })
    await expect(async () => adapter.updateUser?.({ id: 'x', name: 'X' })).rejects.toThrow(
      'the user to update does not exist',
    )
    await adapter.deleteUser?.('x')
    expect(await adapter[atomic]?.listSessionsByUserId?.('x')).toEqual([])
    expect(await adapter[atomic]?.deleteSessionsByUserId?.('x')).toBe(0)
    expect(await adapter[atomic]?.listUsers?.({ limit: 5, after: 'x' })).toMatchObject({
      users: [],
    })
    expect(await adapter[atomic]?.listUsers?.({ limit: 5, after: '0' })).toEqual({
      users: [created],
      next: null,
    })
    const account = { userId: '1', type: 'oidc' as const, provider: 'acme', providerAccountId: '7' }
    await adapter.linkAccount?.({ ...account, expires_at: 4_000_000_000, unknown: 'x' })
    expect(await adapter.getAccount?.('7', 'acme')).toMatchObject({
      ...account,
      expires_at: 4_000_000_000,
      access_token: null,
    })
    await adapter.createSession?.({ sessionToken: 't', userId: '1', expires })
    expect(await adapter.getSessionAndUser?.('t')).toEqual({
      session: { sessionToken: 't', userId: '1', expires },
      user: created,
    })
    expect(adapter).not.toHaveProperty('createVerificationToken')
    expect(adapter).not.toHaveProperty('getAuthenticator')
    expect(adapter[atomic]).not.toHaveProperty('countAttempt')
    // These tables have no foreign keys.
    await adapter.deleteUser?.('1')
    expect(await adapter.getAccount?.('7', 'acme')).toBeNull()
    expect((await client.execute('SELECT * FROM visits')).rows).toEqual([])
    client.close()
  })

  test('T-DATA-2: a column that ignores case finds no other user', async () => {
    const { customType, integer, sqliteTable, text } = sqliteCore
    const folded = customType<{ data: string }>({ dataType: () => 'TEXT COLLATE NOCASE' })
    const users = sqliteTable('user', { id: text().primaryKey(), email: folded() })
    const accounts = sqliteTable('account', {
      userId: text().notNull(),
      type: text().notNull(),
      provider: text().notNull(),
      providerAccountId: folded().notNull(),
    })
    const tokens = sqliteTable('token', {
      identifier: folded().notNull(),
      token: text().notNull(),
      expires: integer({ mode: 'timestamp_ms' }).notNull(),
    })
    const { client, db } = await open([users, accounts, tokens])
    const tables = { user: users, account: accounts, verificationToken: tokens }
    const adapter = drizzleAdapter(db, tables)
    await adapter.createUser?.(user)
    const account = { type: 'oidc' as const, provider: 'acme', providerAccountId: 'Subject' }
    await adapter.linkAccount?.({ ...account, userId: ada.id })
    await adapter.createVerificationToken?.({ identifier: 'a', token: 't', expires: new Date(0) })
    expect(await adapter.getUserByEmail?.('ADA@x.example')).toBeNull()
    const other = { provider: 'acme', providerAccountId: 'subject' }
    expect(await adapter.getUserByAccount?.(other)).toBeNull()
    expect(await adapter.getAccount?.('subject', 'acme')).toBeNull()
    expect(await adapter[atomic]?.updateAccount?.({ ...other, scope: 'x' })).toBe(false)
    expect(await adapter.useVerificationToken?.({ identifier: 'A', token: 't' })).toBeNull()
    client.close()
  })

  test('a table without a required column is refused', () => {
    const { sqliteTable, text } = sqliteCore
    const without = sqliteTable('user', { id: text().primaryKey(), name: text() })
    const db = drizzleLibsql(createClient({ url: ':memory:' }))
    expect(() => drizzleAdapter(db, { ...sqliteSchema, user: without })).toThrow(
      'the user table for Drizzle has no column email',
    )
  })

  test('a write waits while a transaction is open, also with a driver that interleaves', async () => {
    const { client, db } = await open(Object.values(sqliteSchema))
    const adapter = drizzleAdapter(db, sqliteSchema)
    const order: string[] = []
    const { promise: gate, resolve } = Promise.withResolvers<void>()
    const transaction = adapter[atomic]?.transaction?.(async (inside) => {
      await inside.createUser?.(user)
      await gate
      order.push('transaction')
    })
    const write = Promise.resolve(
      adapter.createUser?.({ ...user, id: 'other', email: 'b@x.example' }),
    ).then(() => order.push('write'))
    resolve()
    await Promise.all([transaction, write])
    expect(order).toEqual(['transaction', 'write'])
    client.close()
  })

  test('without transactions all but the methods that need one work', async () => {
    const { client, db } = await open(Object.values(sqliteSchema))
    const adapter = drizzleAdapter(db, sqliteSchema, { transactions: false })
    await works(adapter)
    expect(adapter[atomic]).not.toHaveProperty('transaction')
    client.close()
  })
})

const database = await postgresDatabase()

describe.skipIf(!database)('PostgreSQL', () => {
  const pool = new pg.Pool({ connectionString: database?.url, max: 8 })
  const db = drizzlePg(pool)
  const { user: users, account: accounts, session: sessions } = pgSchema
  const created = database && pool.query(createTables(Object.values(pgTables)).join(';\n'))

  afterAll(async () => {
    await pool.end()
    await database?.[Symbol.asyncDispose]()
  })

  describeAdapter('Drizzle on PostgreSQL', async () => {
    await created
    await db.execute(sql`TRUNCATE ${users}, ${pgSchema.verificationToken}, ${pgRecord} CASCADE`)
    return sideBySide(() => drizzleAdapter(db, pgTables))
  })

  test('columns may be of other types', async () => {
    const { bigint, char, integer, pgSchema: schema, serial, text, timestamp, uuid } = pgCore
    const own = schema('own')
    const people = own.table('people', {
      id: uuid().primaryKey(),
      email: char({ length: 20 }).unique(),
      emailVerified: timestamp({ mode: 'string' }),
    })
    const numbered = own.table('numbered', { id: serial().primaryKey(), email: text().unique() })
    const ways = own.table('ways', {
      userId: uuid().notNull(),
      type: text({ enum: ['oauth', 'oidc'] }).notNull(),
      provider: text().notNull(),
      providerAccountId: text().notNull(),
      expires_at: bigint({ mode: 'bigint' }),
    })
    const visits = own.table('visits', {
      sessionToken: text().primaryKey(),
      userId: integer().notNull(),
      expires: timestamp({ mode: 'string', withTimezone: true }).notNull(),
    })
    await pool.query('CREATE SCHEMA own')
    for (const statement of createTables([people, numbered, ways, visits])) {
      await pool.query(statement.replace('TABLE ', 'TABLE own.'))
    }
    const date = new Date('2039-07-02T03:04:05.678Z')

    const uuids = drizzleAdapter(db, { user: people, account: ways })
    const long = { ...user, email: 'ada-lovelace@example' }
    expect(await uuids.createUser?.({ ...long, emailVerified: date })).toMatchObject({
      ...long,
      emailVerified: date,
    })
    for (const id of ['nobody', '', ada.id.toUpperCase()]) {
      expect(await uuids.getUser?.(id)).toBeNull()
    }
    const account = { userId: ada.id, type: 'oidc' as const, provider: 'a', providerAccountId: 'b' }
    await uuids.linkAccount?.({ ...account, expires_at: 4_000_000_000 })
    expect(await uuids.getAccount?.('b', 'a')).toMatchObject({ expires_at: 4_000_000_000 })

    const serials = drizzleAdapter(db, { user: numbered, account: ways, session: visits })
    expect(await serials.createUser?.(user)).toMatchObject({ id: '1', email: ada.email })
    for (const id of ['nobody', '99999999999', '9'.repeat(40)]) {
      expect(await serials.getUser?.(id)).toBeNull()
    }
    await serials.createSession?.({ sessionToken: 't', userId: '1', expires: date })
    expect(await serials.getSessionAndUser?.('t')).toMatchObject({
      session: { sessionToken: 't', userId: '1', expires: date },
      user: { id: '1', emailVerified: null },
    })
  })

  test('a transaction with a deadlock is repeated as a whole', async () => {
    await created
    const adapter = drizzleAdapter(db, pgSchema)
    const ids = ['one', 'two']
    for (const id of ids) await adapter.createUser?.({ ...user, id, email: id })
    let begun = 0
    const { promise: both, resolve: go } = Promise.withResolvers<void>()
    // Each transaction has locked the row of one user, and waits for the other.
    const crossed = [ids, ids.toReversed()].map(([first = '', second = '']) =>
      adapter[atomic]?.transaction?.(async (inside) => {
        await inside.updateUser?.({ id: first, name: first })
        if (++begun === 2) go()
        await both
        await inside.updateUser?.({ id: second, name: first })
      }),
    )
    await Promise.all(crossed)
    // On a busy machine, the second attempt may collide with the other transaction again.
    expect(begun).toBeGreaterThanOrEqual(3)
    expect(begun).toBeLessThan(6)
    const names = ids.map(async (id) => (await adapter.getUser?.(id))?.name)
    expect(new Set(await Promise.all(names)).size).toBe(1)
  })

  test('columns may be bigints', async () => {
    const { bigint, bigserial, boolean, numeric, pgTable, text } = pgCore
    const people = pgTable('people', {
      id: bigserial({ mode: 'bigint' }).primaryKey(),
      email: text().unique(),
      emailVerified: bigint({ mode: 'bigint' }),
    })
    const ways = pgTable('ways', {
      userId: bigint({ mode: 'bigint' }).notNull(),
      type: text().notNull(),
      provider: text().notNull(),
      providerAccountId: text().notNull(),
      expires_at: numeric(),
    })
    const keys = pgTable('keys', {
      credentialID: text().primaryKey(),
      userId: bigint({ mode: 'bigint' }).notNull(),
      providerAccountId: text().notNull(),
      credentialPublicKey: text().notNull(),
      counter: bigint({ mode: 'bigint' }).notNull(),
      credentialDeviceType: text().notNull(),
      credentialBackedUp: boolean().notNull(),
    })
    for (const statement of createTables([people, ways, keys])) await pool.query(statement)
    const adapter = drizzleAdapter(db, { user: people, account: ways, authenticator: keys })
    const emailVerified = new Date('2029-01-02T03:04:05.678Z')
    const created = await adapter.createUser?.({ ...user, emailVerified })
    expect(created).toMatchObject({ id: '1', emailVerified })
    const account = { userId: '1', type: 'oidc' as const, provider: 'a', providerAccountId: 'b' }
    await adapter.linkAccount?.({ ...account, expires_at: 4_000_000_000 })
    expect(await adapter.getAccount?.('b', 'a')).toMatchObject({ expires_at: 4_000_000_000 })
    const credential = {
      credentialID: 'id',
      userId: '1',
      providerAccountId: 'id',
      credentialPublicKey: 'key',
      counter: 4_294_967_290,
      credentialDeviceType: 'singleDevice',
      credentialBackedUp: false,
    }
    await adapter.createAuthenticator?.(credential)
    expect(await adapter.updateAuthenticatorCounter?.('id', 4_294_967_295)).toEqual({
      ...credential,
      counter: 4_294_967_295,
      transports: null,
    })
  })

  test('the column generates the ids if configured', async () => {
    await created
    let made = 0
    const table = pgCore.pgTable('user', {
      id: pgCore
        .text()
        .primaryKey()
        .$defaultFn(() => `own-${made++}`),
      email: pgCore.text(),
    })
    const tables = { user: table, account: accounts, session: sessions }
    const adapter = drizzleAdapter(db, tables, { ids: 'column' })
    expect(await adapter.createUser?.({ ...user, email: 'c@x.example' })).toMatchObject({
      id: 'own-0',
    })
  })

  test('an error has none of the values that were written', async () => {
    await created
    const adapter = drizzleAdapter(db, pgSchema)
    const account = {
      userId: 'nobody',
      type: 'oidc' as const,
      provider: 'a',
      providerAccountId: 'b',
    }
    const error = await Promise.resolve(
      adapter.linkAccount?.({ ...account, access_token: 'a-secret-token' }),
    ).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).not.toContain('secret')
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})

describe('PGlite', () => {
  const client = new PGlite()
  const db = drizzlePglite(client)
  const created = client.exec(createTables(Object.values(pgTables)).join(';\n'))
  afterAll(() => client.close())

  describeAdapter('Drizzle on PGlite', async () => {
    await created
    await db.execute(
      sql`TRUNCATE ${pgSchema.user}, ${pgSchema.verificationToken}, ${pgRecord} CASCADE`,
    )
    return sideBySide(() => drizzleAdapter(db, pgTables))
  })
})

test('PUB-8: D1: works without transactions, and the option is named where it is missing', async () => {
  const miniflare = startMiniflare({
    modules: true,
    script: 'export default {}',
    compatibilityDate: '2026-08-01',
    d1Databases: ['DB'],
  })
  onTestFinished(() => miniflare.dispose())
  const binding = await miniflare.getD1Database<Parameters<typeof drizzleD1>[0]>('DB')
  for (const statement of createTables(Object.values(sqliteSchema))) {
    await binding.prepare(statement).run()
  }
  const adapter = drizzleAdapter(drizzleD1(binding), sqliteSchema, { transactions: false })
  await works(adapter)

  await adapter.createUser?.(user)
  const deleted = drizzleAdapter(drizzleD1(binding), sqliteSchema).deleteUser?.(ada.id)
  await expect(deleted).rejects.toThrow(
    'set `transactions: false` in the options of `drizzleAdapter`',
  )
  await expect(async () => adapter.createUser?.({ ...user, id: 'other' })).rejects.toMatchObject({
    conflict: 'user.email',
  })
  const expires = new Date('2030-01-02T03:04:05.678Z')
  await adapter.createSession?.({ sessionToken: 't', userId: ada.id, expires })
  expect(await adapter.getSessionAndUser?.('t')).toMatchObject({ session: { expires }, user: ada })
  const key = { identifier: ada.email, token: 't' }
  await adapter.createVerificationToken?.({ ...key, expires })
  const uses = Array.from({ length: 10 }, () => adapter.useVerificationToken?.(key))
  expect((await Promise.all(uses)).filter(Boolean)).toEqual([{ ...key, expires }])
  const attempt = { key: 'guess', limit: 3, now: new Date(0), expires }
  const attempts = Array.from({ length: 10 }, () => adapter[atomic]?.countAttempt?.(attempt))
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(3)
})

const mariadb = await mysqlDatabase()

describe.skipIf(!mariadb)('MariaDB', () => {
  const pool = createPool({ uri: mariadb?.url ?? '', connectionLimit: 8 })
  const db = drizzleMysql(pool)
  const { bigint, boolean, datetime, mediumtext, mysqlTable, primaryKey, text, varchar } = mysqlCore
  const key = (length = 255) => varchar({ length }).notNull()
  const instant = () => datetime({ mode: 'date', fsp: 3 })
  const users = mysqlTable('user', {
    id: key().primaryKey(),
    name: text(),
    email: varchar({ length: 400 }).unique(),
    emailVerified: instant(),
    image: mediumtext(),
  })
  const owner = () => key().references(() => users.id, { onDelete: 'cascade' })
  const accounts = mysqlTable(
    'account',
    {
      userId: owner(),
      type: key(),
      provider: key(),
      providerAccountId: key(500),
      refresh_token: text(),
      access_token: text(),
      expires_at: bigint({ mode: 'number' }),
      token_type: text(),
      scope: text(),
      id_token: text(),
      session_state: text(),
    },
    (table) => [primaryKey({ columns: [table.provider, table.providerAccountId] })],
  )
  const sessions = mysqlTable('session', {
    sessionToken: key().primaryKey(),
    userId: owner(),
    expires: instant().notNull(),
  })
  const tokens = mysqlTable(
    'verificationToken',
    { identifier: key(400), token: key(), expires: instant().notNull() },
    (table) => [primaryKey({ columns: [table.identifier, table.token] })],
  )
  const authenticators = mysqlTable('authenticator', {
    credentialID: key().primaryKey(),
    userId: owner(),
    providerAccountId: key(),
    credentialPublicKey: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    credentialDeviceType: key(),
    credentialBackedUp: boolean().notNull(),
    transports: text(),
  })
  const records = mysqlTable(
    'record',
    {
      kind: key(40),
      key: key(190),
      userId: varchar({ length: 255 }),
      data: mediumtext().notNull(),
      version: mysqlCore.int().notNull(),
      createdAt: instant().notNull(),
      expires: instant(),
    },
    (table) => [primaryKey({ columns: [table.kind, table.key] })],
  )
  const tables = {
    user: users,
    account: accounts,
    session: sessions,
    verificationToken: tokens,
    authenticator: authenticators,
    record: records,
  }

  beforeAll(async () => {
    // The only collation that compares exactly.
    await pool.query('ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin')
    for (const statement of createTables(Object.values(tables))) await pool.query(statement)
  })

  afterAll(async () => {
    await pool.end()
    await mariadb?.[Symbol.asyncDispose]()
  })

  describeAdapter('Drizzle on MariaDB', async () => {
    await db.delete(users)
    await db.delete(tokens)
    await db.delete(records)
    return sideBySide(() => drizzleAdapter(db, tables))
  })

  test('T-DATA-2: columns that ignore case find no other user, and change and remove nothing', async () => {
    const { serial } = mysqlCore
    const people = mysqlTable('people', {
      id: serial().primaryKey(),
      email: varchar({ length: 320 }).unique(),
    })
    const logins = mysqlTable('logins', {
      userId: bigint({ mode: 'number' }).notNull(),
      type: key(),
      provider: key(),
      providerAccountId: key(),
      scope: text(),
    })
    for (const statement of createTables([people, logins])) {
      await pool.query(`${statement} COLLATE utf8mb4_general_ci`)
    }
    const adapter = drizzleAdapter(db, { user: people, account: logins })
    const created = await adapter.createUser?.(user)
    expect(created).toMatchObject({ id: '1', email: ada.email })
    expect(await adapter.getUserByEmail?.('ADA@x.example')).toBeNull()
    const same = { ...user, email: 'ADA@x.example' }
    await expect(async () => adapter.createUser?.(same)).rejects.toMatchObject({
      conflict: 'user.email',
    })
    const subject = { provider: 'acme', providerAccountId: 'Subject' }
    await adapter.linkAccount?.({ ...subject, userId: '1', type: 'oidc', scope: 'a' })
    const other = { provider: 'acme', providerAccountId: 'subject' }
    expect(await adapter[atomic]?.updateAccount?.({ ...other, scope: 'b' })).toBe(false)
    await adapter.unlinkAccount?.(other)
    expect(await adapter.getAccount?.('Subject', 'acme')).toMatchObject({ scope: 'a' })
  })
})

test('tables of an engine that is not supported are refused', async () => {
  const { singlestoreTable, varchar } = await import('drizzle-orm/singlestore-core')
  const id = () => varchar({ length: 255 }).notNull()
  const users = singlestoreTable('user', { id: id(), email: id() })
  const accounts = singlestoreTable('account', {
    userId: id(),
    type: id(),
    provider: id(),
    providerAccountId: id(),
  })
  const db = drizzleLibsql(createClient({ url: ':memory:' }))
  expect(() => drizzleAdapter(db, { user: users, account: accounts })).toThrow(
    'not of PostgreSQL, MySQL, MariaDB or SQLite: SingleStoreVarChar',
  )
})

async function works(adapter: Adapter): Promise<void> {
  await adapter.createUser?.(user)
  expect(await adapter.getUserByEmail?.(ada.email)).toMatchObject(ada)
  await adapter.deleteUser?.(ada.id)
  expect(await adapter.getUserByEmail?.(ada.email)).toBeNull()
}
