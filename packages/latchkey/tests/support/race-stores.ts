import { createPool } from 'mysql2/promise'
import { dynamoDBAdapter } from '../../src/adapters/dynamodb/index.ts'
import { mariadb, migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { mysql2Store } from '../../src/adapters/sql/mysql2.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import { mysqlDatabase } from '../peers/sql/databases.ts'
import { startDynamoDB, withTransactions } from './dynamodb.ts'
import { sharedStores, storeNames } from './shared-stores.ts'

/** The stores on which races are run: one of each kind. */
export const raceStoreNames = [...storeNames, 'MariaDB', 'DynamoDB'] as const
export type RaceStoreName = (typeof raceStoreNames)[number]

/** A store that several processes share. */
export interface RaceStore extends AsyncDisposable {
  /** Gives one process an adapter object of its own. */
  adapter(): Adapter
}

/** Opens an empty store of this kind. */
export async function openRaceStore(name: RaceStoreName, purpose: string): Promise<RaceStore> {
  if (name === 'DynamoDB') return openDynamoDB()
  if (name === 'MariaDB') return openMariaDB()
  const stores = sharedStores(purpose)
  await stores.open()
  return {
    adapter: () => stores.adapter(name),
    [Symbol.asyncDispose]: () => stores.close(),
  }
}

async function openDynamoDB(): Promise<RaceStore> {
  const database = await startDynamoDB()
  const tableName = await database.createTable()
  const client = withTransactions(database.client)
  return {
    adapter: () => dynamoDBAdapter(client, { tableName }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

async function openMariaDB(): Promise<RaceStore> {
  const database = await mysqlDatabase()
  if (!database) throw new Error('MariaDB does not answer')
  const pool = createPool({ uri: database.url, connectionLimit: 8 })
  const store = mysql2Store(pool, mariadb)
  await migrate(store, { records: true })
  return {
    adapter: () => sqlAdapter(store, { records: true }),
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
}
