import { setTimeout as pause } from 'node:timers/promises'
import { checkSchema, migrate } from 'latchkey/adapters/sql'
import type { Settings } from '../../settings.ts'
import { firstLine, UserError } from '../../user-error.ts'
import { codeOf } from '../data-dir.ts'
import { type DatabaseAddress, withoutPassword } from '../database-url.ts'
import { isLate } from '../in-time.ts'
import type { Database } from '../store.ts'
import type { Connected, ServerLimits } from './connected.ts'

type ServerAddress = Exclude<DatabaseAddress, { engine: 'sqlite' }>

/** Opens each engine; only the driver of the chosen engine is loaded. */
const engines: Readonly<
  Record<ServerAddress['engine'], (url: URL, limits: ServerLimits) => Promise<Connected>>
> = {
  postgres: async (url, limits) => (await import('./postgres.ts')).connect(url, limits),
  mysql: async (url, limits) => (await import('./mysql.ts')).connect(url, limits),
  libsql: async (url, limits) => (await import('./libsql.ts')).connect(url, limits),
}

/**
 * Opens a database of another process.
 *
 * @throws {UserError} if it refuses the connection, or does not answer in time.
 */
export async function openServer(
  { engine, url }: ServerAddress,
  {
    naming,
    records,
    ...limits
  }: ServerLimits & { readonly naming: Settings['databaseNaming']; readonly records: boolean },
): Promise<Database> {
  const where = withoutPassword(url)
  const connected = await whenItAnswers(where, limits, () => engines[engine](url, limits))
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw unusable(where, error)
    }
  }
  return {
    where,
    sql: connected.sql,
    push: connected.push,
    migrate: () => attempt(async () => (await migrate(connected.sql, { naming, records })).length),
    findings: (how) => attempt(() => checkSchema(connected.sql, { naming, records, ...how })),
    // Only the error of a write shows a problem.
    problem: () => undefined,
    wordFor: (error) => (isAway(error) ? 'database-unreachable' : 'database-unwritable'),
    gone: () => false,
    close: () => connected.close(),
  }
}

/** Milliseconds between two attempts to reach a server that is still starting. */
const PAUSE = 250

async function whenItAnswers<T>(
  where: string,
  { timeout, log }: ServerLimits,
  open: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + timeout * 1000
  for (let attempt = 0; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw unusable(where, error)
      if (attempt === 0)
        log?.warn({ database: where, reason: codeOf(error) }, 'waiting for the database')
      await pause(PAUSE)
    }
  }
}

/** Error codes of a server that is starting, or of a network that is not up yet. */
const PASSING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  // PostgreSQL: cannot_connect_now, too_many_connections, admin_shutdown
  '57P03',
  '53300',
  '57P01',
])

function isAway(error: unknown): boolean {
  return mayPass(error) || isLate(error)
}

function mayPass(error: unknown): boolean {
  return PASSING.has(codeOf(error)) || /timeout|terminated unexpectedly/i.test(firstLine(error))
}

const SLOW = 'the operation took longer than DATABASE_TIMEOUT; increase it'

/** How to fix common errors, by code. */
const FIXES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'check that the server is running, and check host and port',
  ERR_SOCKET_BAD_PORT: 'check the port, also in the query of the URL and in PGPORT',
  ENOTFOUND: 'check the name of the host',
  '28P01': 'check user and password',
  '28000': 'check that this user may connect from this machine',
  '3D000': 'create the database, or choose another one',
  ER_ACCESS_DENIED_ERROR: 'check user and password',
  ER_BAD_DB_ERROR: 'create the database, or choose another one',
  SQLITE_NOTADB: 'the file is not a SQLite database; choose another with --database',
  '42501': 'grant the permission to this user',
  // PostgreSQL: disk_full
  '53100': 'its disk is full; free some space',
  ER_DISK_FULL: 'its disk is full; free some space',
  // PostgreSQL: query_canceled, which `statement_timeout` causes
  '57014': SLOW,
}

function unusable(where: string, error: unknown): UserError {
  if (error instanceof UserError) return error
  const code = codeOf(error)
  const reason = code === 'unknown error' ? firstLine(error) : code
  const fix =
    FIXES[code] ??
    (isLate(error) || /timeout/i.test(reason) ? SLOW : undefined) ??
    (where.startsWith('file:')
      ? 'check that this process may read and write the file and its directory'
      : 'check that the server is running and accepts this user')
  return new UserError(`database: cannot use ${where} (${reason}): ${fix}`, { cause: error })
}
