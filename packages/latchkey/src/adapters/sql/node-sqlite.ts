import { type NodeSqlite, nodeSqliteStore, openDatabase } from './node-sqlite-store.ts'

export type { NodeSqlite } from './node-sqlite-store.ts'

/**
 * Opens an SQLite database with the SQLite of Node.js.
 *
 * @param path a file, which is created if it does not exist, or `:memory:`.
 */
export function openNodeSqlite(path: string): NodeSqlite {
  return nodeSqliteStore(openDatabase(path))
}
