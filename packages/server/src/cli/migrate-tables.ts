import { existsSync } from 'node:fs'
import { mariadb, mssql, mysql, postgres, printSchema, sqlite } from 'latchkey/adapters/sql'
import { loadDatabaseSettings, type Sources } from '../settings.ts'
import { databaseAddress, openDatabase } from '../store/database.ts'
import type { Database } from '../store/store.ts'
import { UserError } from '../user-error.ts'

const dialects = { postgres, mysql, mariadb, sqlite, mssql }

/** Prints the tables as SQL. */
export async function printTables(name: keyof typeof dialects, sources: Sources): Promise<void> {
  const { databaseNaming: naming, databaseRecords: records } = await loadDatabaseSettings(sources)
  process.stdout.write(printSchema({ dialect: dialects[name], naming, records }))
}

/**
 * Creates the database and its tables, or updates them.
 *
 * @throws {UserError} if existing tables do not fit.
 */
export async function migrateTables(sources: Sources): Promise<void> {
  const settings = await loadDatabaseSettings(sources)
  const database = await openDatabase(settings, sources.directory, { make: true })
  await closing(database, async () => {
    const steps = await database.migrate()
    say(steps === 0 ? 'nothing to do' : 'done', database.where)
    const { length } = await database.findings({ rows: false })
    if (length > 0)
      throw new UserError(
        `database: existing tables do not fit and were not changed (${length} ${length === 1 ? 'finding' : 'findings'}); run the statements that "latchkey migrate --check" prints`,
      )
  })
}

/**
 * Prints what is missing, and changes nothing.
 *
 * @throws {UserError} if anything is missing.
 */
export async function checkTables(sources: Sources): Promise<void> {
  const settings = await loadDatabaseSettings(sources)
  const address = databaseAddress(settings, sources.directory)
  if (address.engine === 'sqlite' && !existsSync(address.path))
    throw new UserError(
      `database: there is no file ${address.path}; run "latchkey migrate" to create it`,
    )
  const database = await openDatabase(settings, sources.directory, { make: false })
  await closing(database, async () => {
    const findings = await database.findings()
    if (findings.length === 0) return say('up to date', database.where)
    for (const { problem, statement } of findings)
      process.stdout.write(
        `${problem}\n  ${statement ?? 'no statement fixes this: create the table again, or name its layout with --naming'}\n`,
      )
    if (findings.every(({ rows }) => rows))
      throw new UserError('database: some rows do not fit; run the statements above')
    throw new UserError(
      'database: its tables do not fit; run "latchkey migrate" if they do not exist yet, or the statements above',
    )
  })
}

async function closing(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await database.close()
  }
}

function say(what: string, where: string): void {
  process.stdout.write(`${what}: ${where}\n`)
}
