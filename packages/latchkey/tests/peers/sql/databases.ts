import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import type { SqlStore } from '../../../src/adapters/sql/index.ts'
import { tableNames } from '../../../src/adapters/sql/tables.ts'

/** A database of a test's own on a server that runs, which goes when the test ends, however it does. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  /** The same, for those who keep it for several tests. */
  drop(): Promise<void>
}

const POSTGRES = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'

/** @returns `undefined` when no server answers. */
export async function postgresDatabase(): Promise<TestDatabase | undefined> {
  const name = `latchkey_${randomBytes(6).toString('hex')}`
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: POSTGRES })
    try {
      await client.connect()
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  try {
    await ask(`CREATE DATABASE ${name}`)
  } catch (error) {
    return withoutServer('PostgreSQL', 'TEST_POSTGRES_URL', error)
  }
  const url = new URL(POSTGRES)
  url.pathname = `/${name}`
  const drop = () =>
    unused(() => ask(`DROP DATABASE ${name}`)).catch(() =>
      ask(`DROP DATABASE ${name} WITH (FORCE)`),
    )
  return { url: url.href, drop, [Symbol.asyncDispose]: drop }
}

const MYSQL = process.env['TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306'

/** @returns `undefined` when no server answers. */
export async function mysqlDatabase(): Promise<TestDatabase | undefined> {
  const name = `latchkey_${randomBytes(6).toString('hex')}`
  const ask = async (text: string) => {
    const connection = await createConnection(MYSQL)
    try {
      await connection.query(text)
    } finally {
      await connection.end()
    }
  }
  try {
    await ask(`CREATE DATABASE ${name}`)
  } catch (error) {
    return withoutServer('MariaDB', 'TEST_MYSQL_URL', error)
  }
  const url = new URL(MYSQL)
  url.pathname = `/${name}`
  const drop = () => ask(`DROP DATABASE ${name}`)
  return { url: url.href, drop, [Symbol.asyncDispose]: drop }
}

/** Tries again for a while: a pool says that it has ended before its connections are closed. */
async function unused(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 20) throw error
      await pause(50)
    }
  }
}

/** A test that cannot run is skipped with a word, but not where all of them must. */
function withoutServer(name: string, variable: string, error: unknown): undefined {
  if (process.env['CI']) throw new Error(`no ${name} to test with`, { cause: error })
  console.warn(`skipped: there is no ${name} at ${variable} or its default address`)
  return undefined
}

/** Removes all rows of our tables. */
export async function empty({ db, dialect }: SqlStore): Promise<void> {
  for (const table of tableNames.toReversed()) {
    await sql.raw(`DELETE FROM ${dialect.quote(table)}`).execute(db)
  }
}
