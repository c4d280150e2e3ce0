import { checkClient, type Mistaken } from '../expected.ts'
import type { AnyDatabase, SqlStore } from './dialect.ts'

/** Clients of databases that need an opener, with the members that identify them. */
const MISTAKEN: readonly Mistaken[] = [
  {
    what: 'a pool of mysql2',
    has: ['getConnection', 'execute'],
    write: 'mysql2Store(pool, mysql), with mysql2Store of latchkey/adapters/sql/mysql2',
  },
  {
    what: 'a pool of mssql',
    has: ['connect', 'request'],
    write: 'a Kysely instance of it, with MssqlDialect of kysely, and `dialect: mssql`',
  },
  {
    what: 'a pool or a client of pg',
    has: ['connect', 'query'],
    write: 'pgStore(pool), with pgStore of latchkey/adapters/sql/pg and a pool',
  },
  {
    what: 'a client of @libsql/client',
    has: ['execute', 'executeMultiple'],
    write: 'libsqlStore(client), with libsqlStore of latchkey/adapters/sql/libsql',
  },
  {
    what: 'a binding of D1',
    has: ['prepare', 'batch'],
    write: 'd1Store(binding), with d1Store of latchkey/adapters/sql/d1',
  },
  {
    what: 'a database of node:sqlite or better-sqlite3',
    has: ['prepare', 'exec'],
    write:
      'openNodeSqlite(path), with openNodeSqlite of latchkey/adapters/sql/node-sqlite, or a Kysely instance of it',
  },
  {
    what: 'a client of postgres',
    has: ['unsafe', 'begin'],
    write:
      'a Kysely instance of it, with the dialect of kysely-postgres-js, and `dialect: postgres`',
  },
  {
    what: 'a database of Drizzle',
    has: ['select', 'insert', 'transaction', '$count'],
    write: 'drizzleAdapter(db, tables), with drizzleAdapter of latchkey/adapters/drizzle',
  },
  {
    what: 'a Prisma client',
    has: ['$connect', '$transaction'],
    write: 'prismaAdapter(client), with prismaAdapter of latchkey/adapters/prisma',
  },
]

/** @throws {TypeError} unless the value is a Kysely instance or the result of an opener. */
export function checkDatabase(of: string, database: AnyDatabase | SqlStore): void {
  const isStore = 'dialect' in Object(database) && 'db' in Object(database)
  if (isStore) return
  const expected = 'a Kysely instance or the result of an opener such as pgStore'
  checkClient(of, database, expected, ['withoutPlugins'], MISTAKEN)
}
