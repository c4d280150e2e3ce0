import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import type { AnyDatabase, Row, SqlStore } from './dialect.ts'
import { sqlite } from './sqlite.ts'

export interface NodeSqlite extends SqlStore {
  readonly db: AnyDatabase
  readonly readNow: NonNullable<SqlStore['readNow']>
  /** Closes the file. Also when nothing was asked of it yet. */
  close(): Promise<void>
}

/** How long to wait for another process that is writing; meanwhile this one stands still. */
const BUSY_TIMEOUT = 5000

/**
 * Ours are some thirty; the rest is for an application that shares the connection. When there are
 * more, the one that was prepared first goes, and is prepared again if it comes back.
 */
const STATEMENTS_KEPT = 200

/**
 * Opens an SQLite database with what Node.js brings along.
 *
 * @param path a file, which is made when it is missing, or `:memory:`.
 */
export function openNodeSqlite(path: string): NodeSqlite {
  const database = new DatabaseSync(path, {
    timeout: BUSY_TIMEOUT,
    enableForeignKeyConstraints: true,
  })
  useWriteAheadLog(database)
  // In the write-ahead log NORMAL survives the death of this process (the pages are with the
  // operating system), but not of the machine: it syncs at checkpoints only. FULL syncs at each
  // commit, so what was answered is also there after a power cut.
  database.exec('PRAGMA synchronous = FULL')

  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    const kept = statements.get(sql)
    if (kept) return kept
    const statement = prepareStatement(database, sql)
    statements.set(sql, statement)
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }

  const db = new Kysely({
    dialect: new NodeSqliteDialect({
      database: { prepare, close: () => database.close() },
    }),
  })

  return {
    db,
    dialect: sqlite,
    // One connection: in the middle of a transaction it shows what nobody else may see yet.
    readNow: (sql, parameters) =>
      database.isTransaction ? undefined : (prepare(sql).all(parameters) as Row[]),
    async close() {
      await db.destroy()
      if (database.isOpen) database.close()
    },
  }
}

/**
 * The switch is refused at once, whatever the timeout, when another process is just doing the same;
 * it stays with the file, so it is there a moment later.
 */
function useWriteAheadLog(database: DatabaseSync): void {
  const until = performance.now() + BUSY_TIMEOUT
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || performance.now() > until) {
        database.close()
        throw error
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

const SQLITE_BUSY = 5

function prepareStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    // One of its own: whoever iterates must not be disturbed by the next who asks the same.
    iterate: (parameters) => database.prepare(sql).iterate(...values(parameters)),
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new NodeSqliteDriver(this.#config)
  }
}

class NodeSqliteDriver extends SqliteDriver {
  /**
   * Takes the lock at once: a transaction that begins by reading and writes later is refused without
   * waiting when another process wrote in between.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
