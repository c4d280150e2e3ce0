import { randomBytes } from 'node:crypto'
import { createStorage } from 'unstorage'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { dynamoDBAdapter } from '../../../packages/latchkey/src/adapters/dynamodb/index.ts'
import { fromNodeRedis, redisAdapter } from '../../../packages/latchkey/src/adapters/redis/index.ts'
import { splitAdapter } from '../../../packages/latchkey/src/adapters/split/index.ts'
import { migrate, sqlAdapter } from '../../../packages/latchkey/src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../../packages/latchkey/src/adapters/sql/node-sqlite.ts'
import { unstorageAdapter } from '../../../packages/latchkey/src/adapters/unstorage/index.ts'
import { type Adapter, atomic } from '../../../packages/latchkey/src/model/adapter.ts'
import {
  startDynamoDB,
  type TestDynamoDB,
  withTransactions,
} from '../../../packages/latchkey/tests/support/dynamodb.ts'
import {
  connectRedis,
  removeKeys,
  type TestRedis,
} from '../../../packages/latchkey/tests/support/redis.ts'
import { flows, Site } from './support/flows.ts'
import type { Store } from './support/stores.ts'

const run = `latchkey-our-stores-${randomBytes(6).toString('hex')}`
let redis: TestRedis
let dynamodb: TestDynamoDB
beforeAll(async () => {
  redis = await connectRedis()
  dynamodb = await startDynamoDB()
})
afterAll(async () => {
  await removeKeys(redis, run)
  await redis.close()
  await dynamodb[Symbol.asyncDispose]()
})

/** A new store, and how many records are in it, but for what was used once: that is nobody's. */
interface Opened {
  readonly adapter: Adapter
  records(): Promise<number>
}

const isRecord = (key: string): boolean => !key.includes('user:attempts:')

let prefixes = 0
function openRedis(): Opened {
  const prefix = `${run}:${++prefixes}:`
  return {
    adapter: redisAdapter(fromNodeRedis(redis), { prefix }),
    records: async () => (await redis.keys(`${prefix}*`)).filter(isRecord).length,
  }
}

const ours: Readonly<Record<string, () => Promise<Opened>>> = {
  redis: async () => openRedis(),
  async split() {
    const users = openNodeSqlite(':memory:')
    await migrate(users)
    const { adapter: sessions, records } = openRedis()
    return { adapter: splitAdapter({ users: sqlAdapter(users), sessions }), records }
  },
  async unstorage() {
    const storage = createStorage()
    return {
      adapter: unstorageAdapter(storage, { exclusive: true }),
      records: async () => (await storage.getKeys()).filter(isRecord).length,
    }
  },
  async dynamodb() {
    const tableName = await dynamodb.createTable()
    const items = async () => (await dynamodb.client.scan({ TableName: tableName })).Items ?? []
    return {
      adapter: dynamoDBAdapter(withTransactions(dynamodb.client), { tableName }),
      records: async () => (await items()).filter(({ type }) => type !== 'ATTEMPTS').length,
    }
  },
}

async function siteOn({ adapter, records }: Opened, ...rest: SiteRest): Promise<Site> {
  const store: Store = {
    adapter,
    records,
    users: async () => (await adapter[atomic]?.listUsers?.({ limit: 99 }))?.users.length ?? 0,
    clear: async () => {},
    close: async () => {},
  }
  return new Site(store, ...rest)
}

type SiteRest = ConstructorParameters<typeof Site> extends [unknown, ...infer Rest] ? Rest : never

for (const [name, open] of Object.entries(ours)) {
  describe(`every flow works with ${name}`, () => {
    for (const flow of flows) {
      for (const strategy of flow.strategies) {
        // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect
        test(`${strategy}: ${flow.name}`, async () => {
          for (let round = 0; round < (flow.rounds ?? 1); round++) {
            await flow.run(await siteOn(await open(), strategy, flow.providers ?? []))
          }
        })
      }
    }
  })
}
