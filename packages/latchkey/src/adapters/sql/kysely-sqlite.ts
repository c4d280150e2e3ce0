import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { AnyDatabase } from './dialect.ts'

/** For drivers that know themselves whose turn it is. */
export class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** A Kysely instance that speaks SQLite through a driver. */
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
