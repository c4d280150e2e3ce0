import { describe } from 'vitest'
import { describeAdapter } from '../../../tests/contracts/adapter-contract.ts'
import { migrate, sqlAdapter } from './index.ts'
import { openNodeSqlite } from './node-sqlite.ts'

describeAdapter('sql', async () => {
  const store = openNodeSqlite(':memory:')
  await migrate(store)
  return Object.assign(sqlAdapter(store), { [Symbol.asyncDispose]: () => store.close() })
})
describeAdapter('sql on a bare Kysely instance', async () => {
  const store = openNodeSqlite(':memory:')
  await migrate(store.db)
  return Object.assign(sqlAdapter(store.db), { [Symbol.asyncDispose]: () => store.close() })
})
