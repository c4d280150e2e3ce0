import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkSchema, migrate } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import type { Settings } from '../../settings.ts'
import { firstLine, UserError } from '../../user-error.ts'
import { codeOf } from '../data-dir.ts'
import { isDiskFull, saysDiskFull } from '../disk.ts'
import type { Database } from '../store.ts'
import { sqliteProbe, sqliteProblem } from './sqlite-probe.ts'

/**
 * Opens an SQLite file.
 *
 * @param options `make`: creates a missing file, which only its owner can read; otherwise a missing file is an error.
 * @throws {UserError} if the file cannot be opened.
 */
export async function openSqliteFile(
  path: string,
  {
    make,
    naming,
    records,
  }: { make: boolean; naming?: Settings['databaseNaming']; records?: boolean },
): Promise<Database> {
  makeFile(path, make)
  const sql = await attempt(path, async () => openNodeSqlite(path))
  return {
    where: path,
    sql,
    migrate: () => attempt(path, async () => (await migrate(sql, { naming, records })).length),
    findings: (how) => attempt(path, () => checkSchema(sql, { naming, records, ...how })),
    ...sqliteProbe(path),
    wordFor: sqliteProblem,
    close: () => sql.close(),
  }
}

/**
 * Creates the file if it is missing, so that only its owner can read it. SQLite gives its additional files the same
 * permissions.
 *
 * @throws {UserError} if the file cannot be created, or if `make` is false.
 */
export function makeFile(path: string, make: boolean): void {
  if (existsSync(path)) return
  if (!existsSync(dirname(path)))
    throw new UserError(`database: there is no directory ${dirname(path)}; create it`)
  if (!make)
    throw new UserError(
      `database: there is no file ${path}; run "latchkey migrate" with the same --database to create it`,
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
  const fix =
    saysDiskFull(error) || isDiskFull(path)
      ? `the disk of ${dirname(path)} is full; free some space`
      : /locked|busy/i.test(text)
        ? 'another process uses it; stop that process'
        : /not a database|malformed/i.test(text)
          ? 'the file is not a SQLite database; choose another with --database'
          : 'check that this process may read and write the file and its directory'
  return new UserError(`database: cannot use ${path} (${reason(error, text)}): ${fix}`, {
    cause: error,
  })
}

function reason(error: unknown, text: string): string {
  const code = codeOf(error)
  return /^E[A-Z]+$/.test(code) ? code : text
}
