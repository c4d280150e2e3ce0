import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSchema, migrate, postgres, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { type PgQuery, pgStore } from '../../../src/adapters/sql/pg.ts'
import { interruptible, type StoredRecords } from '../../../src/testing/adapter/index.ts'
import { describeAdapter, sideBySide } from '../../contracts/adapter-contract.ts'
import { empty, postgresDatabase } from './databases.ts'

const database = await postgresDatabase()

describe.skipIf(!database)('PostgreSQL', () => {
  const pool = new pg.Pool({ connectionString: database?.url, max: 8 })
  const store = pgStore(pool)
  const secondPool = new pg.Pool({ connectionString: database?.url, max: 8 })
  const second = pgStore(secondPool)
  const records = true
  const migrated = database && migrate(store, { records })

  afterAll(async () => {
    await pool.end()
    await secondPool.end()
    await database?.drop()
  })

  /** What lies in a table, read with nothing but the driver. */
  async function read<Stored>(sql: string, ...values: string[]): Promise<Stored | null> {
    const { rows } = await pool.query<Record<string, unknown>>(sql, values)
    const [row = null] = rows
    for (const name of ['expires_at', 'counter']) if (row?.[name]) row[name] = Number(row[name])
    return row as Stored | null
  }
  const stored: StoredRecords = {
    user: (id) => read('SELECT * FROM "user" WHERE id = $1', id),
    account: ({ provider, providerAccountId }) =>
      read(
        'SELECT * FROM account WHERE provider = $1 AND "providerAccountId" = $2',
        provider,
        providerAccountId,
      ),
    session: (token) => read('SELECT * FROM session WHERE "sessionToken" = $1', token),
    verificationToken: ({ identifier, token }) =>
      read(
        'SELECT * FROM "verificationToken" WHERE identifier = $1 AND token = $2',
        identifier,
        token,
      ),
    authenticator: (id) => read('SELECT * FROM authenticator WHERE "credentialID" = $1', id),
  }

  describeAdapter(
    'sql on PostgreSQL',
    async () => {
      await migrated
      await empty(store)
      return sideBySide((index) => sqlAdapter(index === 0 ? store : second, { records }))
    },
    {
      failing: async () =>
        sqlAdapter(pgStore(new pg.Pool({ host: '127.0.0.1', port: 1 })), { records }),
      async interruptible() {
        await migrated
        await empty(store)
        const { wrap, interrupt } = interruptible(
          (method, [query]) =>
            method === 'query' && /^(?:insert|update|delete|commit)/i.test((query as PgQuery).text),
        )
        const asking = { query: wrap(pool).query, connect: async () => wrap(await pool.connect()) }
        return { ...sqlAdapter(pgStore(asking), { records }), interrupt }
      },
      async readable() {
        await migrated
        await empty(store)
        return { ...sqlAdapter(store), db: stored }
      },
    },
  )

  describeAdapter('sql on PostgreSQL, through Kysely', async () => {
    await migrated
    await empty(store)
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    return sideBySide(() => sqlAdapter(db, { dialect: postgres, records }))
  })

  test.each([
    ['relation', '42P07'],
    ['type', '42710'],
  ])('is migrated while another process creates a table (%s)', async (what, code) => {
    await using own = await postgresDatabase()
    const one = new pg.Pool({ connectionString: own?.url })
    let made = 0
    const connect = async () => {
      const client = await one.connect()
      const query = async (asked: PgQuery) => {
        const answer = await client.query(asked as pg.QueryConfig)
        // What PostgreSQL may say although IF NOT EXISTS was asked for.
        if (!asked.text.startsWith('CREATE TABLE') || made++ > 0) return answer
        throw Object.assign(new Error(`${what} already exists`), { code })
      }
      return { query, release: (destroy?: boolean) => client.release(destroy) }
    }
    const store = pgStore({ query: (asked) => one.query(asked as pg.QueryConfig), connect })
    expect(await migrate(store)).toEqual([1])
    expect(made).toBeGreaterThan(1)
    await one.end()
  })

  test('is migrated by one of many simultaneous processes', async () => {
    await using own = await postgresDatabase()
    const pools = Array.from({ length: 6 }, () => new pg.Pool({ connectionString: own?.url }))
    const answers = await Promise.all(pools.map((pool) => migrate(pgStore(pool), { records })))
    expect(answers.flat()).toEqual([1])
    const [first] = pools
    expect(first && (await checkSchema(pgStore(first), { records }))).toEqual([])
    await Promise.all(pools.map((pool) => pool.end()))
  })
})
