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
  /** Closes the file, also if nothing was read yet. */
  close(): Promise<void>
}

/** Milliseconds to wait for another process while the file is opened. This process is blocked meanwhile. */
const OPEN_TIMEOUT = 5000

/**
 * Milliseconds that a query waits for another process that writes, from when the query was queued. The queries behind
 * it do not wait for as long again. This process is not blocked.
 */
const PATIENCE = 3000
/** Milliseconds between the first attempts, and between all later ones. */
const PAUSES = [1, 2, 5, 10, 15, 20] as const
const LONGEST_PAUSE = 25

/**
 * The adapter has about thirty statements; the application may share the connection. Above the number, the oldest one
 * is removed, and prepared again when it is needed.
 */
const STATEMENTS_KEPT = 200

/**
 * Opens a file, which is created if it does not exist, or `:memory:`.
 *
 * @throws the error of SQLite.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    timeout: OPEN_TIMEOUT,
    enableForeignKeyConstraints: true,
  })
  useWriteAheadLog(database)
  // In the write-ahead log, NORMAL syncs only at checkpoints: changes survive the end of this process, because the
  // operating system has the pages, but not a power cut. FULL syncs at each commit.
  database.exec('PRAGMA synchronous = FULL')
  return database
}

/** Returns the store of an open database, which nobody else uses from now on. */
export function nodeSqliteStore(database: DatabaseSync): NodeSqlite {
  // SQLite's own waiting would block the event loop, so the driver waits.
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
      // There is one connection: during a transaction it would return uncommitted changes.
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
 * Turns the write-ahead log on. SQLite refuses it without waiting if another process does the same. The file keeps the
 * setting, so a later attempt succeeds.
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

/** Includes the extended codes, for example `SQLITE_BUSY_RECOVERY`: the lowest byte is the kind. */
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
    // A new statement: another use of the kept one would disturb the iteration.
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

/** Gives out its only connection, in the order of the requests. */
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
    // Kysely 0.28 has its own lock here.
    await super.releaseConnection()
    this.#free()
  }

  /**
   * Locks at once: SQLite refuses a transaction that reads first and writes later, without waiting, if another process
   * wrote in between.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** SQLite rolls back by itself, for example if the disk is full. Kysely would throw that error instead of the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined)
  }
}

/** Repeats a query while another process holds the lock, without blocking this process. */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  #since: number | undefined

  /** @param asked the time when the first query was requested. */
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
