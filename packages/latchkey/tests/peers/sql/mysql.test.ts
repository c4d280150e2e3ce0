import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, describe, expect, test } from 'vitest'
import {
  checkSchema,
  mariadb,
  migrate,
  mysql,
  printSchema,
  type SqlDialect,
  sqlAdapter,
} from '../../../src/adapters/sql/index.ts'
import { type Mysql2Query, mysql2Store } from '../../../src/adapters/sql/mysql2.ts'
import { interruptible } from '../../../src/testing/adapter/index.ts'
import { describeAdapter, sideBySide } from '../../contracts/adapter-contract.ts'
import { empty, mysqlDatabase } from './databases.ts'

const database = await mysqlDatabase()

/** MySQL's way where there is no RETURNING, with the one name that MariaDB does not know. */
const mysqlHere: SqlDialect = {
  ...mysql,
  columnType: mariadb.columnType,
  tableOptions: mariadb.tableOptions,
}

describe.skipIf(!database)('MariaDB', () => {
  const pool = createPool({ uri: database?.url ?? '', connectionLimit: 8 })
  const promises = pool.promise()
  const store = mysql2Store(promises, mariadb)
  const secondPool = createPool({ uri: database?.url ?? '', connectionLimit: 8 }).promise()
  const second = mysql2Store(secondPool, mariadb)
  const records = true
  const migrated = database && migrate(store, { records })

  afterAll(async () => {
    await promises.end()
    await secondPool.end()
    await database?.drop()
  })

  const nowhere = createPool({ host: '127.0.0.1', port: 1 })
  describeAdapter(
    'sql on MariaDB',
    async () => {
      await migrated
      await empty(store)
      return sideBySide((index) => sqlAdapter(index === 0 ? store : second, { records }))
    },
    {
      failing: async () => sqlAdapter(mysql2Store(nowhere, mariadb), { records }),
      async interruptible() {
        await migrated
        await empty(store)
        const { wrap, interrupt } = interruptible(
          (method, [query]) =>
            ['execute', 'query'].includes(method) &&
            /^(?:insert|update|delete|commit)/i.test((query as Mysql2Query).sql),
        )
        const getConnection = async () => wrap(await promises.getConnection())
        const asking = { execute: wrap(promises).execute, getConnection }
        return { ...sqlAdapter(mysql2Store(asking, mariadb), { records }), interrupt }
      },
    },
  )

  describeAdapter('sql on MariaDB as if it were MySQL', async () => {
    await migrated
    await empty(store)
    return sideBySide(() => sqlAdapter(mysql2Store(pool, mysqlHere), { records }))
  })

  describeAdapter('sql on MariaDB, through Kysely', async () => {
    await migrated
    await empty(store)
    return sqlAdapter(new Kysely({ dialect: new MysqlDialect({ pool }) }), {
      dialect: mariadb,
      records,
    })
  })

  test('is migrated by one of many simultaneous processes', async () => {
    await using own = await mysqlDatabase()
    const pools = Array.from({ length: 6 }, () => createPool(own?.url ?? '').promise())
    const answers = await Promise.all(
      pools.map((pool) => migrate(mysql2Store(pool, mariadb), { records })),
    )
    expect(answers.flat()).toEqual([1])
    const [first] = pools
    expect(first && (await checkSchema(mysql2Store(first, mariadb), { records }))).toEqual([])
    await Promise.all(pools.map((pool) => pool.end()))
  })

  test('with an interrupted migration continues it', async () => {
    await using own = await mysqlDatabase()
    const one = createPool(own?.url ?? '').promise()
    const half = mysql2Store(one, mariadb)
    await migrate(half)
    for (const name of ['session', 'authenticator']) await one.query(`DROP TABLE ${name}`)
    await one.query('DELETE FROM latchkeyMigration WHERE version = 1')
    expect(await migrate(half)).toEqual([1])
    expect(await checkSchema(half)).toEqual([])
    await one.end()
  })

  test('gets types in MySQL that MySQL knows', () => {
    expect(printSchema({ dialect: mysql })).toContain('collate utf8mb4_0900_bin')
    expect(printSchema({ dialect: mysql })).not.toContain('nopad')
    expect(printSchema({ dialect: mariadb })).toContain('collate utf8mb4_nopad_bin')
  })
})
