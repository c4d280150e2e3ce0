import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { firstLine } from '../../user-error.ts'
import { isDiskFull, saysDiskFull } from '../disk.ts'

/** Milliseconds to wait for another writer; the process is blocked meanwhile. */
const PATIENCE = 50
/** Milliseconds for which an answer is used again, so that frequent requests cannot block the process. */
const FRESH = 100

/** Checks of an open SQLite file. */
export interface SqliteProbe {
  /**
   * Whether the file was removed or replaced: an open connection would still write, but nothing would be kept. It is
   * fast enough for every request.
   */
  gone(): boolean
  /** Why the file cannot be written now, as a short code. It opens the file again for the check, and writes nothing. */
  problem(): string | undefined
}

export function sqliteProbe(path: string): SqliteProbe {
  const inode = inodeOf(path)
  const gone = kept(() => inodeOf(path) !== inode)
  const problem = (): string | undefined => {
    if (gone()) return 'database-gone'
    return tryLocking(path) ?? (isDiskFull(path) ? 'disk-full' : undefined)
  }
  return { gone, problem: kept(problem) }
}

function kept<Answer>(ask: () => Answer): () => Answer {
  let known: { until: number; answer: Answer } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.answer
    const answer = ask()
    known = { until: performance.now() + FRESH, answer }
    return answer
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/** Returns a short code for an error. */
export function sqliteProblem(error: unknown): string {
  if (saysDiskFull(error)) return 'disk-full'
  return /locked|busy/i.test(firstLine(error)) ? 'database-locked' : 'database-unusable'
}

function tryLocking(path: string): string | undefined {
  try {
    const database = new DatabaseSync(path, { timeout: PATIENCE })
    try {
      database.exec('BEGIN IMMEDIATE')
      database.exec('ROLLBACK')
    } finally {
      database.close()
    }
    return undefined
  } catch (error) {
    return sqliteProblem(error)
  }
}
