import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate, type Row, type SqlStore, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../../src/adapters/sql/node-sqlite.ts'
import { type PgPool, type PgQuery, pgStore } from '../../../src/adapters/sql/pg.ts'
import { type Adapter, atomic } from '../../../src/model/adapter.ts'
import { postgresDatabase } from './databases.ts'

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

const now = new Date('2030-01-01T00:00:00.123Z')
const later = new Date('2030-01-02T00:00:00.123Z')
const over = new Date('2029-01-01T00:00:00.123Z')

/** Calls everything that an adapter has. */
async function callAll(adapter: Adapter): Promise<void> {
  const userId = 'ada'
  const abilities = adapter[atomic]
  const key = { provider: 'acme', providerAccountId: 'subject' }
  const session = { sessionToken: 's', userId, expires: later }
  await adapter.createUser?.({ id: userId, email: 'ada@x.example', emailVerified: null })
  await adapter.getUser?.(userId)
  await adapter.getUserByEmail?.('ada@x.example')
  await adapter.updateUser?.({ id: userId, name: 'Ada' })
  await adapter.linkAccount?.({ userId, type: 'webauthn', ...key })
  await adapter.getUserByAccount?.(key)
  await adapter.getAccount?.('subject', 'acme')
  await abilities?.updateAccount?.({ ...key, scope: 'openid' })
  await adapter.createSession?.(session)
  await adapter.getSessionAndUser?.('s')
  await adapter.updateSession?.({ sessionToken: 's', expires: now })
  await abilities?.renameSession?.('s', 't')
  await abilities?.listSessionsByUserId?.(userId)
  await abilities?.listAccountsByUserId?.(userId)
  await adapter.deleteSession?.('t')
  await abilities?.deleteSessionsByUserId?.(userId)
  await abilities?.deleteSessionsByUserId?.(userId, 's')
  await adapter.createVerificationToken?.({ identifier: 'a', token: 'b', expires: over })
  await adapter.useVerificationToken?.({ identifier: 'a', token: 'b' })
  await adapter.createAuthenticator?.({
    userId,
    providerAccountId: 'subject',
    credentialID: 'subject',
    credentialPublicKey: 'k',
    counter: 0,
    credentialDeviceType: 'singleDevice',
    credentialBackedUp: false,
  })
  await adapter.getAuthenticator?.('subject')
  await adapter.listAuthenticatorsByUserId?.(userId)
  await adapter.updateAuthenticatorCounter?.('subject', 1)
  await abilities?.countAttempt?.({ key: 'k', limit: 2, now, expires: later })
  await abilities?.countAttempt?.({ key: 'k', limit: 2, now: later, expires: later })
  await abilities?.acquireLease?.({ name: 'l', now, expires: later })
  await abilities?.cleanup?.({ now, batch: 10 })
  await abilities?.listUsers?.({ limit: 5 })
  await abilities?.listUsers?.({ limit: 5, after: 'a' })
  await adapter.unlinkAccount?.(key)
  await adapter.deleteUser?.(userId)
}

function unique(asked: readonly Asked[]): Asked[] {
  return [...new Map(asked.map((each) => [each.text, each])).values()]
}

describe('every query finds its rows by an index', () => {
  test('in SQLite', async () => {
    const store = openNodeSqlite(':memory:')
    await migrate(store)
    const asked: Asked[] = []
    const recording: SqlStore = {
      ...store,
      readNow(text, values) {
        asked.push({ text, values })
        return store.readNow(text, values)
      },
      run(query) {
        asked.push({ text: query.sql, values: query.parameters })
        return store.db.executeQuery<Row>(query)
      },
    }
    await callAll(sqlAdapter(recording))
    await store.close()
    const plain = openNodeSqlite(':memory:')
    await migrate(plain)
    const statements = unique(asked)
    expect(statements.length).toBeGreaterThan(20)
    for (const { text, values } of statements) {
      const plan = plain.readNow(`EXPLAIN QUERY PLAN ${text}`, values) ?? []
      for (const { detail } of plan) {
        // In the order of an index, as far as a page goes; and what was chosen by one.
        expect([text, detail]).not.toEqual([
          text,
          expect.stringMatching(/^SCAN (?!.*USING|chosen)/),
        ])
      }
    }
    await plain.close()
  })

  test('in PostgreSQL', async (context) => {
    await using database = await postgresDatabase()
    if (!database) return context.skip('there is no PostgreSQL')
    const pool = new pg.Pool({ connectionString: database.url, max: 4 })
    await migrate(pgStore(pool))
    const asked: Asked[] = []
    const record = (query: PgQuery) => {
      asked.push(query)
      return query
    }
    const recording: PgPool = {
      query: (query) => pool.query(record(query)),
      async connect() {
        const client = await pool.connect()
        return {
          query: (query) => client.query(record(query)),
          release: (destroy) => client.release(destroy),
        }
      },
    }
    await callAll(sqlAdapter(pgStore(recording)))
    const statements = unique(asked).filter(({ text }) => /^(select|update|delete|with)/.test(text))
    expect(statements.length).toBeGreaterThan(20)
    const client = await pool.connect()
    await client.query('SET enable_seqscan = off')
    for (const { text, values } of statements) {
      const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
      const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
      expect([text, plan]).not.toEqual([text, expect.stringContaining('Seq Scan')])
      expect(plan).toContain('Index')
    }
    client.release()
    await pool.end()
  })
})

describe('the store over pg', () => {
  async function preparedBy(options?: { prepare: boolean }): Promise<number | undefined> {
    await using database = await postgresDatabase()
    if (!database) return undefined
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    const store = pgStore(pool, options)
    await migrate(store)
    // Two that share the connection, and a third with other tables.
    for (const adapter of [sqlAdapter(store), sqlAdapter(pgStore(pool, options))]) {
      await callAll(adapter)
    }
    const prefixed = { naming: { prefix: 'second_' } }
    await migrate(store, prefixed)
    await callAll(sqlAdapter(store, prefixed))
    const { rows } = await sql<{ count: string }>`
      SELECT count(*) AS count FROM pg_prepared_statements`.execute(store.db)
    await pool.end()
    return Number(rows[0]?.count)
  }

  test('prepares each statement once on a connection', async (context) => {
    const count = await preparedBy()
    if (count === undefined) return context.skip('there is no PostgreSQL')
    expect(count).toBeGreaterThan(40)
    expect(count).toBeLessThan(80)
  })

  test('prepares no statement with `prepare: false`, for poolers that cannot', async (context) => {
    const count = await preparedBy({ prepare: false })
    if (count === undefined) return context.skip('there is no PostgreSQL')
    expect(count).toBe(0)
  })

  test('continues after a column got another type', async (context) => {
    await using database = await postgresDatabase()
    if (!database) return context.skip('there is no PostgreSQL')
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const store = pgStore(pool)
    await migrate(store)
    const adapter = sqlAdapter(store)
    const ada = { id: 'ada', email: 'ada@x.example', emailVerified: null }
    await adapter.createUser?.(ada)
    const inside = () =>
      adapter[atomic]?.transaction?.(async (bound) => {
        await bound.updateUser?.({ id: 'ada', name: 'Ada' })
        return await bound.getUser?.('ada')
      })
    await inside()
    await pool.query('ALTER TABLE "user" ALTER COLUMN name TYPE varchar(300)')
    expect(await inside()).toMatchObject({ name: 'Ada' })
    await pool.query('ALTER TABLE "user" ALTER COLUMN name TYPE varchar(400)')
    const reads = Array.from({ length: 10 }, () => adapter.getUser?.('ada'))
    for (const user of await Promise.all(reads)) expect(user).toMatchObject({ name: 'Ada' })
    const emailVerified = new Date('2026-02-03T04:05:06.789Z')
    await pool.query('ALTER TABLE "user" ALTER "emailVerified" TYPE text')
    await adapter.updateUser?.({ id: 'ada', emailVerified })
    await pool.query('ALTER TABLE "user" ALTER "emailVerified" TYPE timestamptz USING NULL')
    await adapter.updateUser?.({ id: 'ada', emailVerified })
    expect(await adapter.getUser?.('ada')).toMatchObject({ emailVerified })
    await pool.end()
  })
})
