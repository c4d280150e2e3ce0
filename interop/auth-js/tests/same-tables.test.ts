import { createRequire } from 'node:module'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { PrismaAdapter } from '@auth/prisma-adapter'
import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleSqlite } from 'drizzle-orm/sql-js'
import { drizzleAdapter } from 'latchkey/adapters/drizzle'
import { prismaAdapter } from 'latchkey/adapters/prisma'
import { sqlAdapter } from 'latchkey/adapters/sql'
import { pgStore } from 'latchkey/adapters/sql/pg'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { record as pgRecord } from '../../../packages/latchkey/src/adapters/drizzle/pg-record.ts'
import { RECORD_ABILITIES } from '../../../packages/latchkey/src/testing/adapter/cases.ts'
import { describeAdapter } from '../../../packages/latchkey/tests/contracts/adapter-contract.ts'
import { postgresDatabase } from '../../../packages/latchkey/tests/peers/sql/databases.ts'
import { createTables } from '../../../packages/latchkey/tests/support/drizzle-tables.ts'
import { generatePrisma } from '../../stores/tests/support/generate-prisma.ts'
import { defineTables } from '../node_modules/@auth/drizzle-adapter/lib/pg.js'
import { defineTables as defineSqliteTables } from '../node_modules/@auth/drizzle-adapter/lib/sqlite.js'
import { expectWritten, write } from './support/records.ts'
import { PRISMA_MODELS, PRISMA_TABLES, stores } from './support/stores.ts'

/** What is used of sql.js, which comes without types. */
interface Engine {
  Database: new () => { run(statement: string): unknown; close(): void }
}

/** What the tables that Auth.js documents cannot hold. */
const NARROW = 'the column has 32 bits'
const except = {
  'an account is returned completely, with tokens of 8 kB and an expiry after 2038': NARROW,
  'an authenticator is returned as it was stored, with a boolean and null': NARROW,
  'a signature counter can only increase': NARROW,
}
const WITHOUT_ADDRESS = 'the address is required'
const exceptPrisma = {
  ...except,
  'members that a user was created without are returned as null': WITHOUT_ADDRESS,
  'a lookup without a match returns null, also with an empty or malformed key': WITHOUT_ADDRESS,
  'several users may have no address': WITHOUT_ADDRESS,
  'T-DATA-2: session tokens compare byte for byte': 'the rows have dates of their own, too',
}

const database = await postgresDatabase()

describe.skipIf(!database)('the tables of @auth/drizzle-adapter', () => {
  const pool = new pg.Pool({ connectionString: database?.url, max: 8 })
  const db = drizzle(pool)
  const theirs = defineTables()
  const tables = {
    user: theirs.usersTable,
    account: theirs.accountsTable,
    session: theirs.sessionsTable,
    verificationToken: theirs.verificationTokensTable,
    authenticator: theirs.authenticatorsTable,
    // The one table that plugins add.
    record: pgRecord,
  } as unknown as Parameters<typeof drizzleAdapter>[1]
  const created = database && pool.query(createTables(Object.values(tables)).join(';\n'))
  const open = async () => {
    await created
    await pool.query('TRUNCATE "user", "verificationToken", "record" CASCADE')
    return { ours: drizzleAdapter(db, tables), peer: DrizzleAdapter(db) }
  }

  afterAll(async () => {
    await pool.end()
    await database?.[Symbol.asyncDispose]()
  })

  describeAdapter('Drizzle on the tables of Auth.js', async () => (await open()).ours, { except })

  test('have rows that one adapter writes and the other reads', async () => {
    const { ours, peer } = await open()
    expect.hasAssertions()
    await expectWritten(ours, await write(peer))
    await expectWritten(peer, await write(ours))
  })
})

test('the tables of @auth/drizzle-adapter on SQLite have rows that both write and read', async () => {
  const { Database } = await (createRequire(import.meta.url)('sql.js') as () => Promise<Engine>)()
  const theirs = defineSqliteTables()
  const tables = {
    user: theirs.usersTable,
    account: theirs.accountsTable,
    session: theirs.sessionsTable,
    verificationToken: theirs.verificationTokensTable,
    authenticator: theirs.authenticatorsTable,
  } as unknown as Parameters<typeof drizzleAdapter>[1]
  const database = new Database()
  for (const statement of ['PRAGMA foreign_keys = ON', ...createTables(Object.values(tables))]) {
    database.run(statement)
  }
  const db = drizzleSqlite(database as never)
  const [ours, peer] = [drizzleAdapter(db, tables), DrizzleAdapter(db)]
  expect.hasAssertions()
  await expectWritten(ours, await write(peer))
  await expectWritten(peer, await write(ours))
  database.close()
})

const prismaDatabase = await postgresDatabase()

describe.skipIf(!prismaDatabase)('the models of @auth/prisma-adapter', () => {
  let generated: Awaited<ReturnType<typeof generatePrisma>>
  let client: ReturnType<typeof generated.connect>

  beforeAll(async () => {
    generated = await generatePrisma(PRISMA_MODELS)
    client = generated.connect(prismaDatabase?.url ?? '')
    for (const statement of PRISMA_TABLES.split(';\n')) await client.$executeRawUnsafe(statement)
  })

  afterAll(async () => {
    await client.$disconnect()
    generated[Symbol.dispose]()
    await prismaDatabase?.[Symbol.asyncDispose]()
  })

  const open = async () => {
    await client.$executeRawUnsafe('TRUNCATE "User", "VerificationToken" CASCADE')
    return { ours: prismaAdapter(client), peer: PrismaAdapter(client) }
  }

  describeAdapter('Prisma on the models of Auth.js', async () => (await open()).ours, {
    except: exceptPrisma,
    without: RECORD_ABILITIES,
  })

  test('have rows that one adapter writes and the other reads', async () => {
    const { ours, peer } = await open()
    expect.hasAssertions()
    await expectWritten(ours, await write(peer))
    await expectWritten(peer, await write(ours))
  })
})

const LAYOUTS = ['pg', 'drizzle', 'prisma', 'kysely', 'typeorm', 'sequelize', 'mikro-orm'] as const

describe.skipIf(!database)('the sql adapter on the tables of', () => {
  test.for(LAYOUTS)(
    '@auth/%s-adapter reads rows of that adapter, and the other way round',
    async (naming) => {
      const store = await stores
        .find(({ packageName }) => packageName === `@auth/${naming}-adapter`)
        ?.open()
      onTestFinished(() => store?.close())
      const pool = new pg.Pool({ connectionString: store?.url })
      try {
        const ours = sqlAdapter(pgStore(pool), { naming })
        const peer = store?.adapter ?? {}
        expect.hasAssertions()
        await expectWritten(ours, await write(peer), peer)
        await expectWritten(peer, await write(ours, peer), peer)
      } finally {
        await pool.end()
      }
    },
  )
})
