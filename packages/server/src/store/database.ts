import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../observe/log.ts'
import type { DatabaseSettings, Settings } from '../settings.ts'
import { makeDataDir } from './data-dir.ts'
import { type DatabaseAddress, readDatabaseUrl } from './database-url.ts'
import type { Database } from './store.ts'

/** Returns the configured database, or the embedded one. */
export function databaseAddress(
  { database, dataDir }: Pick<Settings, 'database' | 'dataDir'>,
  directory: string,
): DatabaseAddress {
  return database === undefined
    ? { engine: 'sqlite', path: join(dataDir, 'latchkey.db') }
    : readDatabaseUrl(database, directory)
}

/**
 * Opens the database. If a server does not answer yet, it waits.
 *
 * @param options `make`: creates a missing file; otherwise a missing file is an error.
 * @throws {UserError} if the database cannot be opened.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  directory: string,
  { make, log }: { make: boolean; log?: Log | undefined },
): Promise<Database> {
  const address = databaseAddress(settings, directory)
  const { databaseNaming: naming, databaseRecords: records } = settings
  if (address.engine === 'sqlite') {
    if (settings.database === undefined) makeDataDir(settings.dataDir)
    const { openSqliteFile } = await import('./engines/sqlite-file.ts')
    return openSqliteFile(address.path, { make, naming, records })
  }
  if (address.url.protocol === 'file:') {
    const { makeFile } = await import('./engines/sqlite-file.ts')
    makeFile(fileURLToPath(address.url), make)
  }
  const { openServer } = await import('./engines/database-server.ts')
  const { databasePool: pool, databaseTimeout: timeout } = settings
  return openServer(address, { pool, timeout, naming, records, log })
}
