import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import { checkClient, checkNames } from '../expected.ts'
import { type NamedQuery, noStream, type Row, type SqlStore } from './dialect.ts'
import { isStale, postgres } from './postgres.ts'

/** The members of a pool of `pg`, or of a compatible package, that the adapter uses. */
export interface PgPool {
  connect(): Promise<PgClient>
  query(query: PgQuery): Promise<PgResult>
}

export interface PgClient {
  query(query: PgQuery): Promise<PgResult>
  release(destroy?: boolean): void
  on?(event: 'error', listener: () => void): unknown
  off?(event: 'error', listener: () => void): unknown
}

export interface PgQuery {
  text: string
  values: unknown[]
  name?: string
  types?: { getTypeParser(): (text: string) => unknown }
}

export interface PgResult {
  rows: unknown[]
  rowCount: number | null
  command: string
}

export interface PgStoreOptions {
  /**
   * Whether connections prepare statements with a name. Set it to `false` behind a pooler that gives each transaction
   * another connection and does not support prepared statements.
   *
   * @default true
   */
  readonly prepare?: boolean | undefined
}

/**
 * Opens a PostgreSQL database through a pool of `pg`. The application ends the pool.
 *
 * @param pool a pool of `pg` or a compatible one, for example of Neon.
 */
export function pgStore(pool: PgPool, options: PgStoreOptions = {}): SqlStore {
  checkClient('pgStore', pool, 'a pool of pg', ['connect', 'query'])
  checkNames('pgStore', options, ['prepare'])
  const { prepare = true } = options
  const queries = new PgQueries(prepare)
  return {
    db: new Kysely({
      dialect: {
        createDriver: () => new PgDriver(pool, queries),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    }),
    dialect: postgres,
    run: (query) => queries.run<Row>(pool, query),
  }
}

/** The codecs decode the texts of the server. Parsers of the application have no effect. */
const asText: NonNullable<PgQuery['types']> = { getTypeParser: () => (text) => text }

class PgQueries {
  readonly #prepare: boolean
  #generation = 0

  constructor(prepare: boolean) {
    this.#prepare = prepare
  }

  async run<R>(
    on: Pick<PgPool, 'query'>,
    query: CompiledQuery | NamedQuery,
  ): Promise<QueryResult<R>> {
    const generation = this.#generation
    try {
      return toResult<R>(await on.query(this.#toQuery(query)))
    } catch (error) {
      // A table changed after the statement was prepared. New statements get other names, and the caller repeats the
      // query.
      if (isStale(error) && generation === this.#generation) this.#generation++
      throw error
    }
  }

  #toQuery(query: CompiledQuery | NamedQuery): PgQuery {
    const { sql: text, parameters } = query
    const values = parameters as unknown[]
    if (!('name' in query)) return { text, values }
    if (!this.#prepare) return { text, values, types: asText }
    const name = this.#generation === 0 ? query.name : `${query.name}_${this.#generation}`
    return { text, values, types: asText, name }
  }
}

function toResult<R>({ rows, rowCount }: PgResult): QueryResult<R> {
  return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
}

/** The driver of Kysely, with named statements that are prepared. */
class PgDriver implements Driver {
  readonly #pool: PgPool
  readonly #queries: PgQueries

  constructor(pool: PgPool, queries: PgQueries) {
    this.#pool = pool
    this.#queries = queries
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PgConnection> {
    return new PgConnection(await this.#pool.connect(), this.#queries)
  }

  async beginTransaction(
    connection: PgConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await connection.command(`begin${level}${accessMode ? ` ${accessMode}` : ''}`)
  }

  async commitTransaction(connection: PgConnection): Promise<void> {
    // PostgreSQL does not commit a transaction with a failed statement. It reports that only in the result.
    if ((await connection.command('commit')) === 'ROLLBACK') {
      throw new Error(
        withDocs(
          'the transaction was rolled back, because a statement in it failed',
          'adapterCall',
        ),
      )
    }
  }

  async rollbackTransaction(connection: PgConnection): Promise<void> {
    try {
      await connection.command('rollback')
    } catch {
      // Kysely would throw this error instead of the original one.
      connection.broken = true
    }
  }

  async releaseConnection(connection: PgConnection): Promise<void> {
    connection.release()
  }

  /** The application ends the pool. */
  async destroy(): Promise<void> {}
}

class PgConnection implements DatabaseConnection {
  readonly #client: PgClient
  readonly #queries: PgQueries
  /** Whether the state of the connection is unknown. It is then closed instead of returned to the pool. */
  broken = false
  readonly streamQuery: DatabaseConnection['streamQuery'] = noStream
  /** A connection that breaks between two statements emits an event, which ends the process without a listener. */
  readonly #onError = (): void => {
    this.broken = true
  }

  constructor(client: PgClient, queries: PgQueries) {
    this.#client = client
    this.#queries = queries
    client.on?.('error', this.#onError)
  }

  /** @returns the command that the server reports. */
  async command(text: string): Promise<string> {
    return (await this.#client.query({ text, values: [] })).command
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#queries.run<R>(this.#client, query)
  }

  release(): void {
    this.#client.off?.('error', this.#onError)
    this.#client.release(this.broken)
  }
}
