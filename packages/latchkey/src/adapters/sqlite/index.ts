/**
 * Stores everything in one file, with the SQLite of Node.js.
 *
 * @module
 */

import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { optionError, withDocs } from '../../base/option-error.ts'
import { atomic, type UserAdapter } from '../../model/adapter.ts'
import { sqlite as dialect, sqlAdapter } from '../sql/index.ts'
import { tablesOf, toLayout } from '../sql/layout.ts'
import { statementsOfNew } from '../sql/migrate.ts'
import { nodeSqliteStore, openDatabase } from '../sql/node-sqlite-store.ts'

/** An adapter for a file that it has open. */
export interface SqliteAdapter extends UserAdapter {
  /** Closes the file. No method may be called afterwards. */
  close(): Promise<void>
}

const MEMORY = ':memory:'

/**
 * Creates an adapter that stores everything in an SQLite file.
 *
 * It creates the tables of a new file, and logs a line about it. It never changes the tables of a file that has some.
 *
 * @param file the path of the file, or `:memory:` for a database that ends with the process.
 * @throws if the file cannot be opened, or has tables but lacks one of the adapter.
 */
export function sqlite(file: string): SqliteAdapter {
  if (typeof file !== 'string' || file === '')
    throw optionError(
      `sqlite(): expected the path of a file, or ':memory:', got ${JSON.stringify(file)}`,
      'adapter',
    )
  const database = open(file)
  try {
    const has = tables(database, file)
    const lacks = NEEDED.filter((name) => name !== RECORDS && !has.has(name))
    if (lacks.length > 0) throw lacking(file, lacks)
    const store = nodeSqliteStore(database)
    const hasRecords = has.has(RECORDS)
    const adapter = sqlAdapter(store, { records: hasRecords })
    const close = (): Promise<void> => store.close()
    if (hasRecords) return { ...adapter, close }
    // Only a plugin needs them.
    const useRecords = (): never => {
      throw lacking(file, [RECORDS])
    }
    return { ...adapter, [atomic]: { ...adapter[atomic], useRecords }, close }
  } catch (error) {
    if (database.isOpen) database.close()
    throw error
  }
}

const layout = toLayout(undefined, dialect, true)
const NEEDED: readonly string[] = tablesOf(layout).map((name) => layout.tables[name].name)
const RECORDS: string = layout.tables.record.name

/** Opens a file. If it does not exist, it is created so that only its owner can read it. */
function open(file: string): DatabaseSync {
  try {
    if (file !== MEMORY && !existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600))
      chmodSync(file, 0o600)
    }
    return openDatabase(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      withDocs(
        `sqlite(): cannot open ${JSON.stringify(file)} (${reason}); check that its directory exists, and that this process may read and write both`,
        'adapter',
      ),
      { cause: error },
    )
  }
}

/** Returns the names of the tables, after creating those of a new file. Of several processes, one creates them. */
function tables(database: DatabaseSync, file: string): ReadonlySet<string> {
  const found = namesIn(database)
  if (found.size > 0) return found
  database.exec('BEGIN IMMEDIATE')
  try {
    const before = namesIn(database)
    if (before.size === 0) {
      for (const statement of statementsOfNew(dialect, { records: true })) database.exec(statement)
    }
    database.exec('COMMIT')
    if (before.size > 0) return before
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
  const lost = file === MEMORY ? ' in memory, which is lost when this process ends' : ''
  console.log(
    `[latchkey][info] sqlite: created the tables of ${file === MEMORY ? 'a database' : file}${lost}`,
  )
  return namesIn(database)
}

function namesIn(database: DatabaseSync): Set<string> {
  const rows = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all()
  return new Set(rows.map(({ name }) => String(name)))
}

function lacking(file: string, names: readonly string[]): Error {
  const what = names.length === 1 ? `the table ${names[0]}` : `the tables ${names.join(', ')}`
  return new Error(
    withDocs(
      `sqlite(): ${file} lacks ${what}; run npx latchkey-server migrate --database ${JSON.stringify(`file:${file}`)} to add ${names.length === 1 ? 'it' : 'them'}`,
      'adapter',
    ),
  )
}
