import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { mariadb, type SqlStore } from '../../../src/adapters/sql/index.ts'
import { mysql2Store } from '../../../src/adapters/sql/mysql2.ts'
import { openNodeSqlite } from '../../../src/adapters/sql/node-sqlite.ts'
import { pgStore } from '../../../src/adapters/sql/pg.ts'
import { mysqlDatabase, postgresDatabase, type TestDatabase } from './databases.ts'

/** An empty database of a test's own. */
export interface OpenedEngine extends AsyncDisposable {
  readonly store: SqlStore
}

export interface TestEngine {
  readonly name: 'SQLite' | 'PostgreSQL' | 'MariaDB'
  open(): Promise<OpenedEngine>
}

const SQLITE: TestEngine = {
  name: 'SQLite',
  async open() {
    const store = openNodeSqlite(':memory:')
    return { store, [Symbol.asyncDispose]: () => store.close() }
  },
}

const POSTGRES = onServer('PostgreSQL', postgresDatabase, (url) => {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  return { store: pgStore(pool), close: () => pool.end() }
})

const MARIADB = onServer('MariaDB', mysqlDatabase, (url) => {
  const pool = createPool({ uri: url, connectionLimit: 4 })
  return { store: mysql2Store(pool, mariadb), close: () => pool.end() }
})

/** Those that are there. */
export async function engines(): Promise<TestEngine[]> {
  const there: TestEngine[] = [SQLITE]
  for (const [engine, create] of [
    [POSTGRES, postgresDatabase],
    [MARIADB, mysqlDatabase],
  ] as const) {
    const database = await create()
    if (!database) continue
    await database.drop()
    there.push(engine)
  }
  return there
}

function onServer(
  name: TestEngine['name'],
  create: () => Promise<TestDatabase | undefined>,
  connect: (url: string) => { store: SqlStore; close(): Promise<unknown> },
): TestEngine {
  return {
    name,
    async open() {
      const database = await create()
      if (!database) throw new Error(`${name} went away`)
      const { store, close } = connect(database.url)
      return {
        store,
        async [Symbol.asyncDispose]() {
          await close()
          await database.drop()
        },
      }
    },
  }
}
