import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  type SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import type { AnyDatabase, Row, SqlStore } from './dialect.ts'
import { ConcurrentSqliteAdapter } from './kysely-sqlite.ts'
import { sqlite } from './sqlite.ts'

export interface NodeSqlite extends SqlStore {
  readonly db: AnyDatabase
  readonly readNow: NonNullable<SqlStore['readNow']>
  /** Closes the file. Also when nothing was asked of it yet. */
  close(): Promise<void>
}

/** Milliseconds that opening waits for another process; meanwhile this one stands still. */
const OPEN_TIMEOUT = 5000

/**
 * Milliseconds that a query waits for another process that is writing, counted from when it was
 * asked for: those behind it in the queue do not wait once more. This process goes on meanwhile.
 */
const PATIENCE = 3000
/** Milliseconds between the first attempts, and between all that follow. */
const PAUSES = [1, 2, 5, 10, 15, 20] as const
const LONGEST_PAUSE = 25

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
    timeout: OPEN_TIMEOUT,
    enableForeignKeyConstraints: true,
  })
  useWriteAheadLog(database)
  // In the write-ahead log NORMAL survives the death of this process (the pages are with the
  // operating system), but not of the machine: it syncs at checkpoints only. FULL syncs at each
  // commit, so what was answered is also there after a power cut.
  database.exec('PRAGMA synchronous = FULL')
  // SQLite's own waiting would stop the event loop; from here on the driver waits.
  database.exec('PRAGMA busy_timeout = 0')

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
    readNow(sql, parameters) {
      // One connection: in the middle of a transaction it shows what nobody else may see yet.
      if (database.isTransaction) return undefined
      try {
        return prepare(sql).all(parameters) as Row[]
      } catch (error) {
        if (isBusy(error)) return undefined
        throw error
      }
    },
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
  const until = performance.now() + OPEN_TIMEOUT
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) {
        database.close()
        throw error
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

const SQLITE_BUSY = 5

/** Also its extended codes, such as `SQLITE_BUSY_RECOVERY`: the lowest byte is the kind. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY
}

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

  override createAdapter(): SqliteAdapter {
    return new ConcurrentSqliteAdapter()
  }

  override createDriver(): SqliteDriver {
    return new NodeSqliteDriver(this.#config)
  }
}

/** Hands out the one connection, to one at a time and in turn. */
class NodeSqliteDriver extends SqliteDriver {
  #last: Promise<void> = Promise.resolve()
  #free = (): void => {}

  override async acquireConnection(): Promise<DatabaseConnection> {
    const asked = performance.now()
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await before
    this.#free = turn.resolve
    return new PatientConnection(await super.acquireConnection(), asked)
  }

  override async releaseConnection(): Promise<void> {
    // Kysely 0.28 has a lock of its own here.
    await super.releaseConnection()
    this.#free()
  }

  /**
   * Takes the lock at once: a transaction that begins by reading and writes later is refused without
   * waiting when another process wrote in between.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** SQLite rolls back by itself, for example if the disk is full. Kysely would throw that error instead of the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined)
  }
}

/** Tries again while another process holds the lock, without stopping this one. */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  #since: number | undefined

  /** @param asked when the first query was asked for. */
  constructor(connection: DatabaseConnection, asked: number) {
    this.#connection = connection
    this.#since = asked
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const since = this.#since ?? performance.now()
    this.#since = undefined
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#connection.executeQuery<R>(query)
      } catch (cause) {
        if (!isBusy(cause)) throw cause
        if (performance.now() - since >= PATIENCE) throw new DatabaseLocked(cause)
        await pause(PAUSES[attempt] ?? LONGEST_PAUSE)
      }
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize)
  }
}

class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked'

  constructor(cause: unknown) {
    super(`the database is locked: another process holds it for longer than ${PATIENCE / 1000} s`, {
      cause,
    })
  }
}
