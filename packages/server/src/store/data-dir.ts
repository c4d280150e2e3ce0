import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../user-error.ts'

/** Creates the data directory, which only its owner can read. */
export function makeDataDir(directory: string): void {
  try {
    if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined)
      chmodSync(directory, 0o700)
  } catch (error) {
    throw new UserError(
      `dataDir: cannot create ${directory} (${codeOf(error)}); ${fixFor(error, directory)}`,
    )
  }
}

/** Returns a value that is made once and kept in a file, which only its owner can read. */
export function keptValue(directory: string, name: string, make: () => string): string {
  const file = join(directory, name)
  makeDataDir(directory)
  try {
    writeFileSync(file, make(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      // If the disk is full, the file exists, but its content could not be written.
      rmSync(file, { force: true })
      throw new UserError(
        `dataDir: cannot write ${file} (${codeOf(error)}); ${fixFor(error, directory)}`,
      )
    }
  }
  const value = readFileSync(file, 'utf8').trim()
  if (value === '') throw new UserError(`dataDir: ${file} is empty; remove it and start again`)
  return value
}

function fixFor(error: unknown, directory: string): string {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
    ? `the disk of ${directory} is full; free some space, or set LATCHKEY_DATA to a directory on another disk`
    : 'set LATCHKEY_DATA to a writable directory'
}

/** Returns the code of a system error, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code
    ? String(error.code)
    : 'unknown error'
}
