import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { checkClient } from '../expected.ts'
import { nulFree } from '../rows/nul.ts'
import { noStream, type Row, type SqlDialect, type SqlStore } from './dialect.ts'
import { sqliteKysely } from './kysely-sqlite.ts'
import { sqlite } from './sqlite.ts'

/** The members of a client of `@libsql/client` that the adapter uses. */
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
  // The client has its own type for these values.
  // oxlint-disable-next-line typescript/no-explicit-any
  args: any[]
}

export interface LibsqlResult {
  columns: string[]
  rows: readonly ArrayLike<unknown>[]
  rowsAffected: number
}

/** The clients end a text at the first NUL. */
const libsql: SqlDialect = {
  ...sqlite,
  codecs: { ...sqlite.codecs, key: nulFree, text: nulFree },
}

/**
 * Opens a libSQL database, a file or a server, through a client of `@libsql/client`. The application closes the client.
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

/** Converts rows: those of the client are other objects, which also have numbers as names. */
function toResult<R>({ columns, rows, rowsAffected }: LibsqlResult): QueryResult<R> {
  return {
    rows: rows.map(
      (row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])) as R,
    ),
    numAffectedRows: BigInt(rowsAffected),
  }
}

/**
 * Lets one transaction run at a time. A client refuses statements while one of its transactions is open, or adds them
 * to it.
 */
class Turns {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Waits until nobody has a turn or waits for one. */
  async idle(): Promise<void> {
    while (this.#waiting > 0) await this.#last
  }

  /** Waits for a turn. @returns the function that ends it. */
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
    // Kysely would throw this error instead of the original one.
    await connection.end('rollback').catch(() => undefined)
  }

  async releaseConnection(): Promise<void> {}

  /** The application closes the client. */
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

  /** If a commit fails, the transaction stays open and is rolled back. */
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
