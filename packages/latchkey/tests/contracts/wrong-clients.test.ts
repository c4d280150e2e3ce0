import { DatabaseSync } from 'node:sqlite'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createClient as createLibsql } from '@libsql/client'
import { Redis as Ioredis } from 'ioredis'
import { createPool } from 'mysql2'
import pg from 'pg'
import { createClient as createRedis } from 'redis'
import { createStorage } from 'unstorage'
import { expect, test } from 'vitest'
import { drizzleAdapter } from '../../src/adapters/drizzle/index.ts'
import { dynamoDBAdapter } from '../../src/adapters/dynamodb/index.ts'
import { prismaAdapter } from '../../src/adapters/prisma/index.ts'
import { recordStoreAdapter } from '../../src/adapters/record-store/index.ts'
import { redisAdapter } from '../../src/adapters/redis/index.ts'
import { splitAdapter } from '../../src/adapters/split/index.ts'
import { d1Store } from '../../src/adapters/sql/d1.ts'
import { migrate, printSchema, sqlAdapter, sqlRecords } from '../../src/adapters/sql/index.ts'
import { libsqlStore } from '../../src/adapters/sql/libsql.ts'
import { mysql2Store } from '../../src/adapters/sql/mysql2.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import { unstorageAdapter } from '../../src/adapters/unstorage/index.ts'

type Made = (...given: readonly unknown[]) => unknown

const pool = new pg.Pool()
const dynamo = new DynamoDBClient({ region: 'eu-west-1' })
const surreal = { signin: () => {}, query: () => {}, connect: () => {} }

test.each<[string, unknown, readonly unknown[], string]>([
  ['sqlAdapter', sqlAdapter, [pool], 'got a pool or a client of pg; write pgStore(pool)'],
  ['sqlRecords', sqlRecords, [pool], 'write pgStore(pool)'],
  ['sqlAdapter', sqlAdapter, [createPool({})], 'write mysql2Store(pool, mysql)'],
  [
    'sqlAdapter',
    sqlAdapter,
    [createLibsql({ url: ':memory:' })],
    'got a client of @libsql/client; write libsqlStore(client)',
  ],
  ['sqlAdapter', sqlAdapter, [new DatabaseSync(':memory:')], 'write openNodeSqlite(path)'],
  ['sqlAdapter', sqlAdapter, [Promise.resolve()], 'got a promise; await it'],
  ['sqlAdapter', sqlAdapter, [undefined], 'got undefined'],
  ['sqlAdapter', sqlAdapter, [{}], 'got an object without withoutPlugins'],
  ['pgStore', pgStore, [{ connectionString: 'x' }], 'got an object without connect, query'],
  ['mysql2Store', mysql2Store, [pool], 'expected a pool of mysql2'],
  ['mysql2Store', mysql2Store, [createPool({})], 'expected the dialect `mysql` or `mariadb`'],
  ['libsqlStore', libsqlStore, [{ url: 'file:x' }], 'got an object without execute, transaction'],
  ['d1Store', d1Store, [undefined], 'expected a binding of D1, got undefined'],
  ['redisAdapter', redisAdapter, [createRedis()], 'write redisAdapter(fromNodeRedis(client))'],
  [
    'redisAdapter',
    redisAdapter,
    [new Ioredis({ lazyConnect: true })],
    'write redisAdapter(fromIoredis(client))',
  ],
  ['unstorageAdapter', unstorageAdapter, [new Map()], 'got an object without getItem'],
  ['dynamoDBAdapter', dynamoDBAdapter, [dynamo, {}], 'DynamoDBDocument.from(client)'],
  ['recordStoreAdapter', recordStoreAdapter, [surreal], 'surrealClient(client)'],
  ['drizzleAdapter', drizzleAdapter, [pool, {}], 'expected the result of drizzle(…)'],
  ['prismaAdapter', prismaAdapter, [pool], 'expected a Prisma client'],
  ['splitAdapter', splitAdapter, [{}], 'expected an adapter as `users`, got undefined'],
])('%s names a wrong client, and how to pass the right one', (name, make, given, message) => {
  expect(() => (make as Made)(...given)).toThrow(message)
  expect(() => (make as Made)(...given)).toThrow(`${name}(): `)
})

const sqlite = openNodeSqlite(':memory:')

test.each<[string, unknown, readonly unknown[], string]>([
  ['sqlAdapter', sqlAdapter, [sqlite, { record: true }], '`records`'],
  ['sqlRecords', sqlRecords, [sqlite, { namings: 'prisma' }], '`naming`'],
  ['printSchema', printSchema, [{ dialekt: undefined }], '`dialect`'],
  ['pgStore', pgStore, [pool, { prepared: false }], '`prepare`'],
  ['redisAdapter', redisAdapter, [{ eval() {}, evalSha() {} }, { prefx: 'a' }], '`prefix`'],
  ['unstorageAdapter', unstorageAdapter, [createStorage(), { exlusive: true }], '`exclusive`'],
  [
    'splitAdapter',
    splitAdapter,
    [{ users: sqlAdapter(sqlite), session: sqlAdapter(sqlite) }],
    '`sessions`',
  ],
])('%s names a misspelled option', (name, make, given, option) => {
  const message = `did you mean ${option}?`
  expect(() => (make as Made)(...given)).toThrow(message)
  expect(() => (make as Made)(...given)).toThrow(`${name}(): there is no option`)
})

test('migrate refuses unknown options and other clients', async () => {
  const options = { recrods: true } as object
  await expect(migrate(sqlite, options)).rejects.toThrow('did you mean `records`?')
  await expect(migrate(pool as never)).rejects.toThrow('write pgStore(pool)')
})

test('options of other functions are ignored, so that several can share one object', () => {
  const shared = { records: true, schema: 'auth' }
  expect(() => sqlAdapter(sqlite, shared)).not.toThrow()
  expect(() => (sqlRecords as Made)(sqlite, shared)).not.toThrow()
})
