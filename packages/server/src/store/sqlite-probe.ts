import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { firstLine } from '../user-error.ts'
import { isDiskFull, saysDiskFull } from './disk.ts'

/** Milliseconds that another writer is waited for; the process does nothing else meanwhile. */
const PATIENCE = 50
/** Milliseconds for which an answer is used again, so that nobody can keep the process busy with questions. */
const FRESH = 100

/** What can be asked about a SQLite file that is open. */
export interface SqliteProbe {
  /**
   * Whether the file was removed or replaced: an open connection goes on working then, for nobody.
   * Cheap enough for each request.
   */
  gone(): boolean
  /**
   * Why the file cannot be written right now, in a word; it is opened anew for that. Nothing is written
   * yet.
   */
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

/** What an error means, in a word. */
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
