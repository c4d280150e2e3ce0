import type { CompiledQuery, Driver, QueryResult } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import { checkClient } from '../expected.ts'
import { noStream, type Row, type SqlStore } from './dialect.ts'
import { sqliteKysely } from './kysely-sqlite.ts'
import { sqlite } from './sqlite.ts'

/** The members of a D1 binding, or of one of its sessions, that the adapter uses. */
export interface D1Binding {
  prepare(sql: string): D1Statement
  batch(statements: D1Statement[]): Promise<D1Result[]>
}

export interface D1Statement {
  bind(...values: unknown[]): D1Statement
  all(): Promise<D1Result>
}

export interface D1Result {
  results: unknown[]
  meta: { changes?: number; last_row_id?: number }
}

/**
 * Opens a database of Cloudflare D1. D1 has no interactive transactions, so the adapter has no `transaction`, and sends
 * statements that belong together as one batch.
 *
 * @param binding the binding; with replicas, a session that begins at the primary: `binding.withSession('first-primary')`.
 */
export function d1Store(binding: D1Binding): SqlStore {
  checkClient('d1Store', binding, 'a binding of D1', ['prepare', 'batch'])
  const prepared = ({ sql, parameters }: CompiledQuery) => binding.prepare(sql).bind(...parameters)
  const run = (query: CompiledQuery) =>
    prepared(query)
      .all()
      .then(toResult<Row>)
  return {
    db: sqliteKysely(() => d1Driver(run)),
    dialect: sqlite,
    run,
    batch: async (queries) => (await binding.batch(queries.map(prepared))).map(toResult<Row>),
  }
}

function toResult<R>({ results, meta }: D1Result): QueryResult<R> {
  return { rows: results as R[], numAffectedRows: BigInt(meta.changes ?? 0) }
}

function d1Driver(run: (query: CompiledQuery) => Promise<QueryResult<Row>>): Driver {
  const refuse = async (): Promise<never> => {
    throw new Error(withDocs('D1 has no transactions', 'adapterCall'))
  }
  return {
    init: async () => {},
    acquireConnection: async () => ({
      executeQuery: async <R>(query: CompiledQuery) => (await run(query)) as QueryResult<R>,
      streamQuery: noStream,
    }),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}
