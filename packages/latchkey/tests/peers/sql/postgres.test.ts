import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSchema, migrate, postgres, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { pgStore } from '../../../src/adapters/sql/pg.ts'
import { describeAdapter } from '../../contracts/adapter-contract.ts'
import { empty, postgresDatabase } from './databases.ts'

const database = await postgresDatabase()

describe.skipIf(!database)('PostgreSQL', () => {
  const pool = new pg.Pool({ connectionString: database?.url, max: 8 })
  const store = pgStore(pool)
  const migrated = database && migrate(store)

  afterAll(async () => {
    await pool.end()
    await database?.drop()
  })

  describeAdapter(
    'sql on PostgreSQL',
    async () => {
      await migrated
      await empty(store)
      return sqlAdapter(store)
    },
    { failing: async () => sqlAdapter(pgStore(new pg.Pool({ host: '127.0.0.1', port: 1 }))) },
  )

  describeAdapter('sql on PostgreSQL, through Kysely', async () => {
    await migrated
    await empty(store)
    return sqlAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) }), { dialect: postgres })
  })

  test('is migrated by one of many that begin at the same moment', async () => {
    await using own = await postgresDatabase()
    const pools = Array.from({ length: 6 }, () => new pg.Pool({ connectionString: own?.url }))
    const answers = await Promise.all(pools.map((pool) => migrate(pgStore(pool))))
    expect(answers.flat()).toEqual([1])
    const [first] = pools
    expect(first && (await checkSchema(pgStore(first)))).toEqual([])
    await Promise.all(pools.map((pool) => pool.end()))
  })
})
