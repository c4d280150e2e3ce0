import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from './data-dir.ts'

/** Bytes of free space below which a disk counts as full, since a few sign-ins would fill it. */
const LEAST = 256 * 1024

/** Whether the disk of a file is full. */
export function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(dirname(path))
    // Some file systems do not report their size.
    return blocks > 0 && bavail * bsize < LEAST
  } catch {
    return false
  }
}

/** Whether an error says that the disk is full: an error of the operating system, of a quota, or of SQLite. */
export function saysDiskFull(error: unknown): boolean {
  const { errcode } = Object(error) as { errcode?: unknown }
  return errcode === SQLITE_FULL || ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
}

const SQLITE_FULL = 13
