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

/** What is used of a pool of `pg`, or of another package that has the same. */
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
   * Whether connections keep statements prepared under a name. Say `false` behind a pooler that gives
   * each transaction another connection and knows nothing of prepared statements.
   *
   * @default true
   */
  readonly prepare?: boolean | undefined
}

/**
 * PostgreSQL through a pool of `pg` that the application has, and goes on to have: nobody else ends it.
 *
 * @param pool also one that is compatible, such as Neon's.
 */
export function pgStore(pool: PgPool, options: PgStoreOptions = {}): SqlStore {
  checkClient('pgStore', pool, 'a pool of pg', ['connect', 'query'])
  checkNames('pgStore', options, ['prepare'])
  const { prepare = true } = options
  const asker = new Asker(prepare)
  return {
    db: new Kysely({
      dialect: {
        createDriver: () => new PgDriver(pool, asker),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    }),
    dialect: postgres,
    run: (query) => asker.ask<Row>(pool, query),
  }
}

/** What the server says is decoded here and nowhere else, whatever parsers the application has set. */
const asText: NonNullable<PgQuery['types']> = { getTypeParser: () => (text) => text }

class Asker {
  readonly #prepare: boolean
  #generation = 0

  constructor(prepare: boolean) {
    this.#prepare = prepare
  }

  async ask<R>(
    on: Pick<PgPool, 'query'>,
    query: CompiledQuery | NamedQuery,
  ): Promise<QueryResult<R>> {
    const generation = this.#generation
    try {
      return toResult<R>(await on.query(this.#toQuery(query)))
    } catch (error) {
      // A table is another than when it was prepared. What is prepared from now on has other names,
      // and whoever asked tries again.
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

/** As Kysely's own, but statements that have a name are prepared under it. */
class PgDriver implements Driver {
  readonly #pool: PgPool
  readonly #asker: Asker

  constructor(pool: PgPool, asker: Asker) {
    this.#pool = pool
    this.#asker = asker
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PgConnection> {
    return new PgConnection(await this.#pool.connect(), this.#asker)
  }

  async beginTransaction(
    connection: PgConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await connection.command(`begin${level}${accessMode ? ` ${accessMode}` : ''}`)
  }

  async commitTransaction(connection: PgConnection): Promise<void> {
    // A transaction in which something failed cannot be committed; the server says so in passing.
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
      // Kysely would throw this error instead of the one that led here.
      connection.broken = true
    }
  }

  async releaseConnection(connection: PgConnection): Promise<void> {
    connection.release()
  }

  /** The pool is the application's. */
  async destroy(): Promise<void> {}
}

class PgConnection implements DatabaseConnection {
  readonly #client: PgClient
  readonly #asker: Asker
  /** Nobody knows what state it is in; it goes away instead of back to the pool. */
  broken = false
  readonly streamQuery: DatabaseConnection['streamQuery'] = noStream
  /** A connection that breaks between two statements says so; unheard, it would end the process. */
  readonly #onError = (): void => {
    this.broken = true
  }

  constructor(client: PgClient, asker: Asker) {
    this.#client = client
    this.#asker = asker
    client.on?.('error', this.#onError)
  }

  /** @returns what the server says it did. */
  async command(text: string): Promise<string> {
    return (await this.#client.query({ text, values: [] })).command
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#asker.ask<R>(this.#client, query)
  }

  release(): void {
    this.#client.off?.('error', this.#onError)
    this.#client.release(this.broken)
  }
}
