import { existsSync } from 'node:fs'
import { printSchema } from 'latchkey/adapters/sql'
import { loadDatabaseSettings, type Sources } from '../settings.ts'
import { type Database, databasePath, openDatabase } from '../store/database.ts'
import { UserError } from '../user-error.ts'

/** The tables, as SQL to read or to run. */
export function printTables(): void {
  process.stdout.write(printSchema())
}

/** Makes the database and its tables, or brings them up to date. */
export async function migrateTables(sources: Sources): Promise<void> {
  const settings = await loadDatabaseSettings(sources)
  const database = await openDatabase(settings, sources.directory, { make: true })
  await closing(database, async () => {
    const steps = await database.migrate()
    say(steps === 0 ? 'nothing to do' : 'done', database.path)
  })
}

/**
 * Says what is missing, and changes nothing.
 *
 * @throws {UserError} when anything is.
 */
export async function checkTables(sources: Sources): Promise<void> {
  const settings = await loadDatabaseSettings(sources)
  const path = databasePath(settings, sources.directory)
  if (!existsSync(path))
    throw new UserError(`database: there is no file ${path}; run "latchkey migrate" to make it`)
  const database = await openDatabase(settings, sources.directory, { make: false })
  await closing(database, async () => {
    const findings = await database.findings()
    if (findings.length === 0) return say('up to date', path)
    for (const { problem } of findings) process.stdout.write(`${problem}\n`)
    throw new UserError('database: its tables are out of date; run "latchkey migrate"')
  })
}

async function closing(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await database.sql.close()
  }
}

function say(what: string, path: string): void {
  process.stdout.write(`${what}: ${path}\n`)
}
