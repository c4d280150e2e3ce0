import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkSchema, type Finding, migrate } from 'latchkey/adapters/sql'
import { type NodeSqlite, openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import type { Settings } from '../settings.ts'
import { firstLine, UserError } from '../user-error.ts'
import { codeOf, makeDataDir } from './data-dir.ts'
import { sqlitePath } from './database-url.ts'

/** An opened database, before anybody knows whether its tables fit. */
export interface Database {
  readonly path: string
  readonly sql: NodeSqlite
  /** @returns how many steps it took. */
  migrate(): Promise<number>
  findings(): Promise<readonly Finding[]>
}

/** The file of the configured database, or of the embedded one. */
export function databasePath(
  { database, dataDir }: Pick<Settings, 'database' | 'dataDir'>,
  directory: string,
): string {
  return database === undefined ? join(dataDir, 'latchkey.db') : sqlitePath(database, directory)
}

/**
 * Opens the database.
 *
 * @param options `make`: a missing file is made, for its owner only; otherwise that is an error.
 * @throws {UserError} when it cannot be opened.
 */
export async function openDatabase(
  settings: Pick<Settings, 'database' | 'dataDir'>,
  directory: string,
  { make }: { make: boolean },
): Promise<Database> {
  const path = databasePath(settings, directory)
  if (settings.database === undefined) makeDataDir(settings.dataDir)
  if (!existsSync(path)) makeFile(path, make)
  const database = await attempt(path, async () => openNodeSqlite(path))
  return {
    path,
    sql: database,
    migrate: () => attempt(path, async () => (await migrate(database)).length),
    findings: () => attempt(path, () => checkSchema(database)),
  }
}

/** SQLite gives its side files the rights of this one. */
function makeFile(path: string, make: boolean): void {
  if (!existsSync(dirname(path)))
    throw new UserError(`database: there is no directory ${dirname(path)}; make it first`)
  if (!make)
    throw new UserError(
      `database: there is no file ${path}; run "latchkey migrate" with the same --database to make it`,
    )
  try {
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
  } catch (error) {
    throw unusable(path, error)
  }
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): UserError {
  const text = firstLine(error)
  const fix = /locked|busy/i.test(text)
    ? 'another process holds it; stop that one'
    : /not a database|malformed/i.test(text)
      ? 'it is no SQLite database; choose another with --database'
      : 'see that this process may read and write it and its directory'
  return new UserError(`database: cannot use ${path} (${reason(error, text)}): ${fix}`, {
    cause: error,
  })
}

function reason(error: unknown, text: string): string {
  const code = codeOf(error)
  return /^E[A-Z]+$/.test(code) ? code : text
}
