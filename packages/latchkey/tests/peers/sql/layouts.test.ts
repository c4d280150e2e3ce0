import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mariadb,
  type SqlDialect,
  type SqlStore,
  sqlAdapter,
} from '../../../src/adapters/sql/index.ts'
import { toLayout } from '../../../src/adapters/sql/layout.ts'
import { mysql2Store } from '../../../src/adapters/sql/mysql2.ts'
import { openNodeSqlite } from '../../../src/adapters/sql/node-sqlite.ts'
import { pgStore } from '../../../src/adapters/sql/pg.ts'
import { type Adapter, atomic } from '../../../src/model/adapter.ts'
import { RECORD_ABILITIES } from '../../../src/testing/adapter/cases.ts'
import type { OpenedAdapter } from '../../../src/testing/adapter/index.ts'
import { describeAdapter } from '../../contracts/adapter-contract.ts'
import { mysqlDatabase, postgresDatabase, type TestDatabase } from './databases.ts'
import {
  ADA,
  ENDS,
  type ForeignLayout,
  mysqlLayouts,
  postgresLayouts,
  sqliteLayouts,
} from './layouts.ts'

const PASSKEYS = [
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const

interface Opened {
  readonly store: SqlStore
  close(): Promise<unknown>
}

const UUID = /^[\da-f-]{36}$/

/** The service gives users UUIDs; the rules of the contract, names. */
function withUuids(adapter: Adapter): OpenedAdapter {
  const named = (inside: Adapter): Adapter => ({
    ...inside,
    createUser: async (user) =>
      inside.createUser?.(UUID.test(user.id) ? user : { ...user, id: randomUUID() }) as never,
  })
  const transaction = adapter[atomic]?.transaction
  return {
    ...named(adapter),
    [atomic]: {
      ...adapter[atomic],
      ...(transaction && { transaction: (work) => transaction((inside) => work(named(inside))) }),
    },
  }
}

function suite(engine: string, layout: ForeignLayout, open: () => Promise<Opened>) {
  describe(`${layout.preset} on ${engine}`, () => {
    let opened: Opened
    const naming = layout.naming ?? layout.preset
    const run = (text: string) => sql.raw<Record<string, unknown>>(text).execute(opened.store.db)
    const runAll = async (text: string) => {
      for (const statement of text.split(';')) await run(statement)
    }
    const adapterOf = () => sqlAdapter(opened.store, { naming })
    const empty = async () => {
      const { tables, schema } = toLayout(naming, opened.store.dialect)
      const quote = (name: string) => opened.store.dialect.quote(name)
      for (const { name, absent } of Object.values(tables).toReversed()) {
        const table = schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`
        if (!absent) await run(`DELETE FROM ${table}`)
      }
    }
    beforeAll(async () => {
      opened = await open()
      await runAll(layout.tables)
    })
    afterAll(() => opened.close())

    test('reads rows of the other adapter, which finds rows of Latchkey', async () => {
      await runAll(layout.rows)
      const adapter = adapterOf()
      const id = layout.id ?? ADA
      const user = await adapter.getUserByEmail?.('ada@x.example')
      expect(user).toEqual({
        id,
        name: 'Ada',
        email: 'ada@x.example',
        emailVerified: ENDS,
        image: null,
      })
      expect(
        await adapter.getUserByAccount?.({ provider: 'acme', providerAccountId: 'subject' }),
      ).toEqual(user)
      const ends = engine === 'MariaDB' && layout.preset === 'drizzle' ? wholeSecond(ENDS) : ENDS
      const open = { sessionToken: 'open', userId: id, expires: ends }
      expect(await adapter.getSessionAndUser?.('open')).toEqual({ session: open, user })
      await adapter.createSession?.({ ...open, sessionToken: 'new' })
      const { rows } = await run(layout.expires)
      expect([
        '2026-03-29 01:30:00.123',
        '2026-03-29 01:30:00',
        '2026-03-29T01:30:00.123Z',
        '2026-03-29 01:30:00.123 +00:00',
        '1774747800123',
        1_774_747_800_123,
      ]).toContain(rows[0]?.['expires'])
      await adapter.deleteUser?.(id)
      expect(await adapter.getSessionAndUser?.('new')).toBeNull()
    })

    const { authenticator } = toLayout(naming, mariadb).tables
    describeAdapter(
      `sql on the ${layout.preset} layout`,
      async () => {
        await empty()
        return withUuids(adapterOf())
      },
      {
        except: layout.except,
        without: [...RECORD_ABILITIES, ...(authenticator.absent ? PASSKEYS : [])],
      },
    )
  })
}

function wholeSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000)
}

for (const layout of sqliteLayouts) {
  suite('SQLite', layout, async () => {
    const store = openNodeSqlite(':memory:')
    return { store, close: () => store.close() }
  })
}

/** A database for each layout, or none where there is no server. */
function onServer(
  engine: string,
  layouts: readonly ForeignLayout[],
  create: () => Promise<TestDatabase | undefined>,
  connect: (url: string) => Opened,
  there: boolean,
) {
  // oxlint-disable-next-line vitest/valid-title
  describe.skipIf(!there)(engine, () => {
    for (const layout of layouts) {
      suite(engine, layout, async () => {
        const database = await create()
        const opened = connect(database?.url ?? '')
        return {
          store: opened.store,
          async close() {
            await opened.close()
            await database?.drop()
          },
        }
      })
    }
  })
}

async function answers(create: () => Promise<TestDatabase | undefined>): Promise<boolean> {
  const database = await create()
  await database?.drop()
  return database !== undefined
}

onServer(
  'PostgreSQL',
  postgresLayouts,
  postgresDatabase,
  (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 4, options: '-c timezone=Asia/Kolkata' })
    return { store: pgStore(pool), close: () => pool.end() }
  },
  await answers(postgresDatabase),
)

const kinds: Readonly<Record<string, SqlDialect>> = { MariaDB: mariadb }
for (const [engine, dialect] of Object.entries(kinds)) {
  onServer(
    engine,
    mysqlLayouts,
    mysqlDatabase,
    (url) => {
      const pool = createPool({ uri: url, connectionLimit: 4 })
      return { store: mysql2Store(pool, dialect), close: () => pool.end() }
    },
    await answers(mysqlDatabase),
  )
}
