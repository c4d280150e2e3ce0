import type { CompiledQuery, QueryResult } from 'kysely'
import { AdapterConflict } from '../../model/adapter.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { AnyDatabase, Row, SqlStore } from './dialect.ts'
import type { RowMappings } from './rows.ts'
import { type Statements, USER_PREFIX } from './statements.ts'
import type { Resources, TableName } from './tables.ts'

/** What is the same for all connections of one adapter. */
export interface EngineParts {
  readonly store: SqlStore
  readonly statements: Statements
  readonly mappings: RowMappings
}

type Maybe<Value> = Value | null | Promise<Value | null>

/** Reads and writes resources through one connection, or through whichever is free. */
export interface Engine {
  find<Name extends TableName>(table: Name, keys: Row): Maybe<Resources[Name]>
  list<Name extends TableName>(table: Name, keys: Row): Promise<Resources[Name][]>
  /** @throws AdapterConflict when a unique key is taken. */
  insert<Name extends TableName>(table: Name, resource: Resources[Name]): Promise<Resources[Name]>
  /**
   * Changes one row in one step.
   *
   * @param ceiling a column that must be lower than a value, or nothing happens.
   * @returns the row after the change, `null` when there was none.
   * @throws AdapterConflict when a unique key is taken.
   */
  change<Name extends TableName>(
    table: Name,
    keys: Row,
    changes: object,
    ceiling?: readonly [column: string, below: unknown],
  ): Promise<Resources[Name] | null>
  /** Removes one row in one step: of many that try, one gets it. */
  take<Name extends TableName>(table: Name, keys: Row): Promise<Resources[Name] | null>
  remove(table: TableName, keys: Row): Promise<void>
  userByAccount(keys: { provider: string; providerAccountId: string }): Maybe<AdapterUser>
  sessionAndUser(sessionToken: string): Maybe<{ session: AdapterSession; user: AdapterUser }>
  /** Runs `work` in the transaction that this engine is bound to, or in a new one. */
  inTransaction<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result>
}

/** @param transaction the one that everything happens in; without it each call is on its own. */
export function createEngine(parts: EngineParts, transaction?: AnyDatabase): Engine {
  const { store, statements, mappings } = parts
  const { dialect } = store
  const db = transaction ?? store.db
  const readNow = transaction ? undefined : store.readNow

  const read = <Result>(
    query: CompiledQuery,
    decode: (row: Row | undefined) => Result,
  ): Result | Promise<Result> => {
    const rows = readNow?.(query.sql, query.parameters)
    if (rows) return decode(rows[0])
    return db.executeQuery<Row>(query).then(({ rows }) => decode(rows[0]))
  }

  const write = async (
    table: TableName,
    query: CompiledQuery,
    through: AnyDatabase = db,
  ): Promise<QueryResult<Row>> => {
    try {
      return await through.executeQuery<Row>(query)
    } catch (cause) {
      const taken = dialect.takenKey(cause)
      if (taken === undefined) throw cause
      const conflict = table === 'user' && taken.includes('email') ? 'user.email' : table
      throw new AdapterConflict(conflict, { cause })
    }
  }

  const encodedIn = (table: TableName, column: string, value: unknown): unknown =>
    mappings[table].encodeChanges({ [column]: value })[column]

  const inTransaction = <Result>(work: (inside: Engine, bound: AnyDatabase) => Promise<Result>) =>
    transaction
      ? work(engine, transaction)
      : store.db.transaction().execute((bound) => work(createEngine(parts, bound), bound))

  const engine: Engine = {
    find<Name extends TableName>(table: Name, keys: Row) {
      return read(statements.find(table, Object.keys(keys)).with(keys), (row) =>
        row && matches(row, keys) ? mappings[table].decode(row) : null,
      )
    },
    async list<Name extends TableName>(table: Name, keys: Row) {
      const query = statements.find(table, Object.keys(keys)).with(keys)
      const { rows } = await db.executeQuery<Row>(query)
      return rows.filter((row) => matches(row, keys)).map((row) => mappings[table].decode(row))
    },
    async insert<Name extends TableName>(table: Name, resource: Resources[Name]) {
      const row = mappings[table].encode(resource)
      await write(table, statements.insert(table).with({}, row))
      return mappings[table].decode(row)
    },
    async change<Name extends TableName>(
      table: Name,
      keys: Row,
      changes: object,
      ceiling?: readonly [string, unknown],
    ) {
      const values = mappings[table].encodeChanges(changes)
      if (Object.keys(values).length === 0) return engine.find(table, keys)
      const query = statements
        .update(table, Object.keys(keys), Object.keys(values), ceiling?.[0])
        .with(keys, ceiling ? { ...values, ceiling: encodedIn(table, ...ceiling) } : values)
      const now = Object.fromEntries(
        Object.entries(keys).map(([name, value]) => [name, values[name] ?? value]),
      )
      if (dialect.returning) {
        const row = (await write(table, query)).rows[0]
        return row && matches(row, now) ? mappings[table].decode(row) : null
      }
      return inTransaction(async (inside, bound) => {
        const { numAffectedRows = 0n } = await write(table, query, bound)
        return numAffectedRows > 0n ? inside.find(table, now) : null
      })
    },
    async take<Name extends TableName>(table: Name, keys: Row) {
      const query = statements.remove(table, Object.keys(keys)).with(keys)
      if (dialect.returning) {
        const row = (await db.executeQuery<Row>(query)).rows[0]
        return row && matches(row, keys) ? mappings[table].decode(row) : null
      }
      return inTransaction(async (inside, bound) => {
        const found = await inside.find(table, keys)
        const { numAffectedRows = 0n } = await bound.executeQuery(query)
        // Another transaction may have seen it too; who removed it, has it.
        return numAffectedRows > 0n ? found : null
      })
    },
    async remove(table, keys) {
      await db.executeQuery(statements.remove(table, Object.keys(keys)).with(keys))
    },
    userByAccount(keys: { provider: string; providerAccountId: string }) {
      return read(statements.userByAccount().with(keys), (row) =>
        row?.['accountProvider'] === keys.provider && row['accountId'] === keys.providerAccountId
          ? mappings.user.decode(row)
          : null,
      )
    },
    sessionAndUser(sessionToken: string) {
      return read(statements.sessionAndUser().with({ sessionToken }), (row) =>
        row?.['sessionToken'] === sessionToken
          ? {
              session: mappings.session.decode(row),
              user: mappings.user.decode(row, USER_PREFIX),
            }
          : null,
      )
    },
    inTransaction,
  }
  return engine
}

/** A store that folds case or blanks finds rows that were not asked for. */
function matches(row: Row, keys: Row): boolean {
  for (const name in keys) if (row[name] !== keys[name]) return false
  return true
}
