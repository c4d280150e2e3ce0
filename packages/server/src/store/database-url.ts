import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../user-error.ts'

/**
 * The path of the SQLite file that a database URL names: `file:relative.db`, `file:/absolute.db`,
 * `file:///absolute.db`.
 *
 * @throws {UserError} for anything else; the message never has the URL, which may hold a password.
 */
export function sqlitePath(url: string, directory: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme !== 'file')
    throw new UserError(
      scheme === undefined || /^[a-z]:[\\/]/i.test(url)
        ? 'database: must be a URL; write file: in front of the path of a SQLite file'
        : `database: ${scheme}: is not supported; only file: and the path of a SQLite file is`,
    )
  const path = url.slice('file:'.length)
  if (/[?#]/.test(path))
    throw new UserError('database: must not have a query or a fragment; use the path alone')
  if (path === '' || path.endsWith('/'))
    throw new UserError('database: names no file; write file: and the path of a SQLite file')
  if (path.startsWith('//')) return fromFileUrl(url)
  const plain = decode(path)
  return isAbsolute(plain) ? plain : resolve(directory, plain)
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url)
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
