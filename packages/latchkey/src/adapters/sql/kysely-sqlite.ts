import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { AnyDatabase } from './dialect.ts'

/** For drivers that manage concurrent transactions themselves. */
export class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Creates a Kysely instance for SQLite with a driver. */
export function sqliteKysely(createDriver: () => Driver): AnyDatabase {
  return new Kysely({
    dialect: {
      createDriver,
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  })
}
