import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { checkClient } from '../expected.ts'
import { nulFree } from '../rows/nul.ts'
import { noStream, type Row, type SqlDialect, type SqlStore } from './dialect.ts'
import { sqliteKysely } from './kysely-sqlite.ts'
import { sqlite } from './sqlite.ts'

/** What is used of a client of `@libsql/client`. */
export interface LibsqlClient {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>
  transaction(mode: 'write'): Promise<LibsqlTransaction>
}

export interface LibsqlTransaction {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>
  commit(): Promise<void>
  rollback(): Promise<void>
  close(): void
}

export interface LibsqlStatement {
  sql: string
  // What the client takes here is a type of its own.
  // oxlint-disable-next-line typescript/no-explicit-any
  args: any[]
}

export interface LibsqlResult {
  columns: string[]
  rows: readonly ArrayLike<unknown>[]
  rowsAffected: number
}

/** Its clients end a text at the first NUL. */
const libsql: SqlDialect = {
  ...sqlite,
  codecs: { ...sqlite.codecs, key: nulFree, text: nulFree },
}

/**
 * libSQL, a file or a server, through a client of `@libsql/client` that the application has, and goes
 * on to have: nobody else closes it.
 */
export function libsqlStore(client: LibsqlClient): SqlStore {
  checkClient('libsqlStore', client, 'a client of @libsql/client', ['execute', 'transaction'])
  const turns = new Turns()
  return {
    db: sqliteKysely(() => new LibsqlDriver(client, turns)),
    dialect: libsql,
    async run(query) {
      await turns.idle()
      return toResult<Row>(await client.execute(toStatement(query)))
    },
  }
}

function toStatement({ sql, parameters }: CompiledQuery): LibsqlStatement {
  return { sql, args: [...parameters] }
}

/** The client's rows are objects of another kind, with numbers for names besides. */
function toResult<R>({ columns, rows, rowsAffected }: LibsqlResult): QueryResult<R> {
  return {
    rows: rows.map(
      (row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])) as R,
    ),
    numAffectedRows: BigInt(rowsAffected),
  }
}

/**
 * One writes at a time. A client refuses who comes while a transaction of its own is open, or lets
 * them run into it.
 */
class Turns {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Waits for those who have a turn or wait for one. */
  async idle(): Promise<void> {
    while (this.#waiting > 0) await this.#last
  }

  /** @returns how to end the turn. */
  async take(): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    this.#waiting++
    await before
    return () => {
      this.#waiting--
      turn.resolve()
    }
  }
}

class LibsqlDriver implements Driver {
  readonly #client: LibsqlClient
  readonly #turns: Turns

  constructor(client: LibsqlClient, turns: Turns) {
    this.#client = client
    this.#turns = turns
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#client, this.#turns)
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // Kysely would throw this error instead of the one that led here.
    await connection.end('rollback').catch(() => undefined)
  }

  async releaseConnection(): Promise<void> {}

  /** The client is the application's. */
  async destroy(): Promise<void> {}
}

class Connection implements DatabaseConnection {
  readonly #client: LibsqlClient
  readonly #turns: Turns
  #transaction: LibsqlTransaction | undefined
  #endTurn = (): void => {}
  readonly streamQuery: DatabaseConnection['streamQuery'] = noStream

  constructor(client: LibsqlClient, turns: Turns) {
    this.#client = client
    this.#turns = turns
  }

  async begin(): Promise<void> {
    this.#endTurn = await this.#turns.take()
    try {
      this.#transaction = await this.#client.transaction('write')
    } catch (error) {
      this.#endTurn()
      throw error
    }
  }

  /** A commit that fails leaves it open, to be rolled back. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    try {
      await this.#transaction?.[how]()
    } catch (error) {
      if (how === 'rollback') this.#close()
      throw error
    }
    this.#close()
  }

  #close(): void {
    this.#transaction?.close()
    this.#transaction = undefined
    this.#endTurn()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#transaction) return toResult<R>(await this.#transaction.execute(toStatement(query)))
    await this.#turns.idle()
    return toResult<R>(await this.#client.execute(toStatement(query)))
  }
}
