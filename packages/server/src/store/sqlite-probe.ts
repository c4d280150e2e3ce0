import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Milliseconds that another writer is waited for; the process does nothing else meanwhile. */
const PATIENCE = 50
/** Milliseconds for which an answer is used again, so that nobody can keep the process busy with questions. */
const FRESH = 100

/**
 * Makes a question for whether a SQLite file can be read and written right now.
 *
 * It opens the file anew: an open connection goes on working, for nobody, after the file is removed.
 */
export function sqliteProbe(path: string): () => string | undefined {
  const inode = inodeOf(path)
  let known: { until: number; answer: string | undefined } = { until: 0, answer: undefined }
  return () => {
    const now = performance.now()
    if (now < known.until) return known.answer
    const answer = inodeOf(path) === inode ? tryWriting(path) : 'database-gone'
    known = { until: performance.now() + FRESH, answer }
    return answer
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function tryWriting(path: string): string | undefined {
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
    return /locked|busy/i.test(String(error)) ? 'database-locked' : 'database-unusable'
  }
}
