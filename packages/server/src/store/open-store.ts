import { sqlAdapter } from 'latchkey/adapters/sql'
import type { Settings } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { type Database, openDatabase } from './database.ts'
import { sqliteProbe } from './sqlite-probe.ts'
import type { Store } from './store.ts'

/**
 * Opens the database and makes sure that its tables are there.
 *
 * The embedded one, and any in development, is made and brought up to date here. One that was named
 * is left alone in production: whoever runs several processes decides when its tables change.
 *
 * @throws {UserError} when it cannot be used.
 */
export async function openStore(settings: Settings, directory: string): Promise<Store> {
  const embedded = settings.database === undefined
  const mayChange = embedded || !settings.production
  const database = await openDatabase(settings, directory, { make: mayChange })
  try {
    if (mayChange) await database.migrate()
    else await needCurrent(database)
    return {
      adapter: sqlAdapter(database.sql),
      where: database.path,
      ...sqliteProbe(database.path),
      close: () => database.sql.close(),
    }
  } catch (error) {
    await database.sql.close()
    throw error
  }
}

async function needCurrent(database: Database): Promise<void> {
  const [first] = await database.findings()
  if (first !== undefined)
    throw new UserError(
      `database: its tables are out of date (${first.problem}); run "latchkey migrate" with the same --database`,
    )
}
