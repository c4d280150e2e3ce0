import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../user-error.ts'

/** Makes the data directory, readable by its owner only. */
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

/** A value that is made once and kept between two starts, in a file that only its owner reads. */
export function keptValue(directory: string, name: string, make: () => string): string {
  const file = join(directory, name)
  makeDataDir(directory)
  try {
    writeFileSync(file, make(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      // A full disk has room for the name of a file, but not for what is in it.
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

/** The code of a system error, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code
    ? String(error.code)
    : 'unknown error'
}
