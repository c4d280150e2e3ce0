import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { checkClient } from '../expected.ts'
import { type NamedQuery, noStream, type Row, type SqlDialect, type SqlStore } from './dialect.ts'

/** The members of a pool of `mysql2` that the adapter uses, with promises or with callbacks. */
export type Mysql2Pool = Mysql2PromisePool | { promise(): Mysql2PromisePool }

export interface Mysql2PromisePool {
  getConnection(): Promise<Mysql2Connection>
  execute(query: Mysql2Query): Promise<[unknown, unknown]>
}

export interface Mysql2Connection {
  execute(query: Mysql2Query): Promise<[unknown, unknown]>
  query(query: Mysql2Query): Promise<[unknown, unknown]>
  release(): void
  destroy(): void
}

export interface Mysql2Query {
  sql: string
  // The driver has its own type for these values.
  // oxlint-disable-next-line typescript/no-explicit-any
  values?: any
  rowsAsArray?: boolean
  nestTables?: boolean
}

/**
 * Opens a MySQL or MariaDB database through a pool of `mysql2`. The application ends the pool. Values are sent
 * separately from the statements, which are prepared once for each connection.
 *
 * @param dialect `mysql` or `mariadb`, as the server is.
 */
export function mysql2Store(pool: Mysql2Pool, dialect: SqlDialect): SqlStore {
  checkClient('mysql2Store', pool, 'a pool of mysql2', ['getConnection', 'execute'])
  checkClient('mysql2Store', dialect, 'the dialect `mysql` or `mariadb` as the second argument', [
    'inspect',
  ])
  const promisePool = 'promise' in pool ? pool.promise() : pool
  return {
    db: new Kysely({
      dialect: {
        createDriver: () => new Mysql2Driver(promisePool),
        createAdapter: () => new MysqlAdapter(),
        createQueryCompiler: () => new MysqlQueryCompiler(),
        createIntrospector: (db) => new MysqlIntrospector(db),
      },
    }),
    dialect,
    run: (query) => promisePool.execute(toQuery(query)).then(toResult<Row>),
  }
}

function toQuery({ sql, parameters }: CompiledQuery | NamedQuery): Mysql2Query {
  return { sql, values: parameters, rowsAsArray: false, nestTables: false }
}

function toResult<R>([result]: [unknown, unknown]): QueryResult<R> {
  if (Array.isArray(result)) return { rows: result, numAffectedRows: BigInt(result.length) }
  const { affectedRows, insertId } = result as { affectedRows?: number; insertId?: number }
  return {
    rows: [],
    numAffectedRows: BigInt(affectedRows ?? 0),
    ...(insertId && { insertId: BigInt(insertId) }),
  }
}

class Mysql2Driver implements Driver {
  readonly #pool: Mysql2PromisePool

  constructor(pool: Mysql2PromisePool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(await this.#pool.getConnection())
  }

  async beginTransaction(
    connection: Connection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    if (isolationLevel)
      await connection.command(`set transaction isolation level ${isolationLevel}`)
    await connection.command(accessMode ? `start transaction ${accessMode}` : 'start transaction')
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.command('commit')
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    try {
      await connection.command('rollback')
    } catch {
      // Kysely would throw this error instead of the original one.
      connection.broken = true
    }
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
  }

  /** The application ends the pool. */
  async destroy(): Promise<void> {}
}

class Connection implements DatabaseConnection {
  readonly #connection: Mysql2Connection
  /** Whether the state of the connection is unknown. It is then closed instead of returned to the pool. */
  broken = false
  readonly streamQuery: DatabaseConnection['streamQuery'] = noStream

  constructor(connection: Mysql2Connection) {
    this.#connection = connection
  }

  async command(sql: string): Promise<void> {
    await this.#connection.query({ sql })
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Some statements without values cannot be prepared.
    const prepared = query.parameters.length > 0
    const mysqlQuery = toQuery(query)
    return toResult<R>(
      prepared
        ? await this.#connection.execute(mysqlQuery)
        : await this.#connection.query(mysqlQuery),
    )
  }

  release(): void {
    if (this.broken) this.#connection.destroy()
    else this.#connection.release()
  }
}
