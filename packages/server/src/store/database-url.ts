import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UserError } from '../user-error.ts'

/** The database that a URL names. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | {
      readonly engine: 'libsql' | 'postgres' | 'mysql'
      /** With user and password; only the driver may see it. */
      readonly url: URL
    }

const SERVERS: Readonly<Record<string, 'libsql' | 'postgres' | 'mysql'>> = {
  libsql: 'libsql',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** The supported schemes, for messages. */
const KNOWN = 'file:, libsql:, postgres: or mysql:'

/**
 * Reads a database URL: `file:relative.db`, `file:/absolute.db`, `sqlite:…` likewise,
 * `postgres://user:password@host:5432/name`, `mysql://…`, `libsql://host?authToken=…`, and `libsql:file.db` for a file
 * that libSQL opens.
 *
 * @throws {UserError} for all other URLs; the message does not contain the URL, which may have a password.
 */
export function readDatabaseUrl(url: string, directory: string): DatabaseAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || scheme.length === 1)
    throw new UserError(
      'database: must be a URL; write file: in front of the path of a SQLite file',
    )
  if (scheme === 'file' || scheme === 'sqlite') {
    const path = url.slice(scheme.length + 1)
    return { engine: 'sqlite', path: sqlitePath(path, directory) }
  }
  const engine = Object.hasOwn(SERVERS, scheme) ? SERVERS[scheme] : undefined
  if (engine === undefined)
    throw new UserError(`database: ${scheme}: is not supported; use ${KNOWN}`)
  if (engine === 'libsql' && !url.slice(scheme.length).startsWith('://'))
    return { engine, url: pathToFileURL(sqlitePath(url.slice(scheme.length + 1), directory)) }
  if (!URL.canParse(url))
    throw new UserError(
      `database: cannot be read as a URL; write ${scheme}://user:password@host/name, with special characters of the password percent-encoded`,
    )
  const parsed = new URL(url)
  if (hasBrokenPercent(parsed))
    throw new UserError('database: has a broken percent sign; write %25 for the character itself')
  if (engine !== 'libsql' && parsed.pathname.length < 2)
    throw new UserError(
      `database: the URL has no database name; add it at the end, ${scheme}://…/name`,
    )
  return { engine, url: parsed }
}

/** Returns an address for people, without user and password. */
export function withoutPassword({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}

export function hasBrokenPercent({ username, password, pathname }: URL): boolean {
  return /%(?![0-9a-f]{2})/i.test(username + password + pathname)
}

function sqlitePath(path: string, directory: string): string {
  if (/[?#]/.test(path))
    throw new UserError('database: must not have a query or a fragment; use the path alone')
  if (path === ':memory:')
    throw new UserError(
      'database: a database in memory is lost at the end of the process; use the path of a SQLite file',
    )
  if (path === '' || path.endsWith('/'))
    throw new UserError('database: the URL has no path; write file: and the path of a SQLite file')
  if (path.startsWith('//')) return fromFileUrl(path)
  const plain = decode(path)
  return isAbsolute(plain) ? plain : resolve(directory, plain)
}

function fromFileUrl(path: string): string {
  try {
    return fileURLToPath(`file:${path}`)
  } catch {
    throw new UserError('database: file: must not name a host; write file: and the path')
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new UserError('database: has a broken percent sign; write %25 for the character itself')
  }
}
