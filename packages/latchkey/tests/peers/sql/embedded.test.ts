import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createClient } from '@libsql/client'
import { Kysely, PGliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkSchema,
  migrate,
  postgres,
  type SqlStore,
  sqlAdapter,
} from '../../../src/adapters/sql/index.ts'
import { libsqlStore } from '../../../src/adapters/sql/libsql.ts'
import { describeAdapter, sideBySide } from '../../contracts/adapter-contract.ts'
import { empty } from './databases.ts'

const records = true

describe('PGlite', () => {
  const pglite = new PGlite()
  const db = new Kysely({ dialect: new PGliteDialect({ pglite }) })
  const store: SqlStore = { db, dialect: postgres }
  const migrated = migrate(db, { dialect: postgres, records })
  afterAll(() => pglite.close())

  describeAdapter('sql on PGlite', async () => {
    await migrated
    await empty(store)
    return sideBySide(() => sqlAdapter(db, { dialect: postgres, records }))
  })

  test('passes the schema check after its migration', async () => {
    await migrated
    expect(await checkSchema(store, { records })).toEqual([])
  })
})

describe('libSQL in a file', () => {
  let folder = ''
  let store: SqlStore
  let other: SqlStore
  let close = () => {}
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-libsql-'))
    const clients = [1, 2].map(() => createClient({ url: `file:${join(folder, 'a.db')}` }))
    close = () => {
      for (const client of clients) client.close()
    }
    ;[store, other] = clients.map((client) => libsqlStore(client)) as [SqlStore, SqlStore]
    await migrate(store, { records })
  })
  afterAll(async () => {
    close()
    await rm(folder, { recursive: true })
  })

  describeAdapter('sql on libSQL', async () => {
    await empty(store)
    return sideBySide((index) => sqlAdapter(index === 0 ? store : other, { records }))
  })

  test('passes the schema check after its migration, which many processes may begin', async () => {
    const clients = Array.from({ length: 4 }, () =>
      createClient({ url: `file:${join(folder, 'b.db')}` }),
    )
    const answers = await Promise.all(clients.map((client) => migrate(libsqlStore(client))))
    expect(answers.flat()).toEqual([1])
    const [first] = clients
    expect(first && (await checkSchema(libsqlStore(first)))).toEqual([])
    for (const client of clients) client.close()
  })
})

describe('libSQL in memory', () => {
  const client = createClient({ url: ':memory:' })
  const store = libsqlStore(client)
  const migrated = migrate(store, { records })
  afterAll(() => client.close())

  describeAdapter('sql on libSQL in memory', async () => {
    await migrated
    await empty(store)
    return sideBySide(() => sqlAdapter(store, { records }))
  })
})
