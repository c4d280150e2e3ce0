import type { CompiledQuery, QueryResult } from 'kysely'
import { AdapterConflict, type ConflictKind } from '../../model/adapter.ts'
import { explained, missingTable } from '../../model/missing-table.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { AnyDatabase, NamedQuery, Row, SqlStore } from './dialect.ts'
import type { Layout } from './layout.ts'
import type { RowMappings } from './rows.ts'
import {
  ACCOUNT_PREFIX,
  CONDITION,
  type Condition,
  nth,
  type Statements,
  USER_PREFIX,
} from './statements.ts'
import type { Resources, TableName } from './tables.ts'
import { inTransaction } from './transaction.ts'

/** What is the same for all connections of one adapter. */
export interface EngineParts {
  readonly store: SqlStore
  readonly layout: Layout
  readonly statements: Statements
  readonly mappings: RowMappings
}

/** How often something is tried that others get in the way of. */
const ATTEMPTS = 6

type Maybe<Value> = Value | null | Promise<Value | null>

/** Reads and writes resources through one connection, or through whichever is free. */
export interface Engine {
  find<Name extends TableName>(table: Name, keys: Row): Maybe<Resources[Name]>
  /** @param oneOf a field, and the values of which it has one. */
  list<Name extends TableName>(
    table: Name,
    keys: Row,
    oneOf?: readonly [field: string, values: readonly unknown[]],
  ): Promise<Resources[Name][]>
  /**
   * Some resources in the order of a field, from the beginning or behind a value.
   *
   * @param keys what else they are looked for by; a store that folds case or blanks finds others, too.
   */
  page<Name extends TableName>(
    table: Name,
    field: string,
    limit: number,
    behind?: string,
    keys?: Row,
  ): Promise<Resources[Name][]>
  /** @throws AdapterConflict when a unique key is taken. */
  insert<Name extends TableName>(table: Name, resource: Resources[Name]): Promise<Resources[Name]>
  /**
   * Changes one row in one step.
   *
   * @param condition besides the keys, or nothing happens.
   * @returns the row after the change, `null` when there was none.
   * @throws AdapterConflict when a unique key is taken.
   */
  change<Name extends TableName>(
    table: Name,
    keys: Row,
    changes: object,
    condition?: Condition,
  ): Promise<Resources[Name] | null>
  /**
   * Inserts a row, or replaces as a whole the one with its primary key if that meets a condition.
   *
   * @returns whether it did. A key that is taken is no error, so that a transaction goes on.
   */
  insertOver<Name extends TableName>(
    table: Name,
    resource: Resources[Name],
    condition: Condition,
  ): Promise<boolean>
  /** Changes one row in one step, without reading it. @returns whether there was one. */
  update(table: TableName, keys: Row, changes: object, condition?: Condition): Promise<boolean>
  /** Removes one row in one step: of many that try, one gets it. */
  take<Name extends TableName>(table: Name, keys: Row): Promise<Resources[Name] | null>
  /** @returns how many were removed. */
  remove(table: TableName, keys: Row, condition?: Condition): Promise<number>
  /** Removes some rows, no more than a number of them. */
  removeSome(table: TableName, condition: Condition, limit: number): Promise<number>
  /**
   * Keeps others from a row, and from adding what refers to it, until the transaction is over.
   *
   * @returns the row as it is now, where rows are locked: MySQL goes on to show it as the transaction
   *   first saw it.
   */
  lock<Name extends TableName>(table: Name, keys: Row): Promise<Resources[Name] | null>
  /** Whether the database has a table. */
  has(table: TableName): boolean
  /** Removes rows of several tables in one step, and takes one that belongs to them. */
  takeWith<Name extends TableName>(
    others: readonly (readonly [table: TableName, keys: Row])[],
    table: Name,
    keys: Row,
  ): Promise<Resources[Name] | null>
  userByAccount(keys: { provider: string; providerAccountId: string }): Maybe<AdapterUser>
  sessionAndUser(sessionToken: string): Maybe<{ session: AdapterSession; user: AdapterUser }>
  /** Runs `work` in the transaction that this engine is bound to, or in a new one. */
  inTransaction<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result>
}

/** @param transaction the one that everything happens in; without it each call is on its own. */
// oxlint-disable-next-line max-lines-per-function -- the operations of one database, each of some ten lines
export function createEngine(parts: EngineParts, transaction?: AnyDatabase): Engine {
  const { store, layout, statements, mappings } = parts
  const { dialect } = store
  const readNow = transaction ? undefined : store.readNow

  const run = (query: CompiledQuery | NamedQuery): Promise<QueryResult<Row>> => {
    if (transaction) return transaction.executeQuery<Row>(query)
    return again(() => (store.run ? store.run(query) : store.db.executeQuery<Row>(query)))
  }

  /** Several times if need be. In a transaction nothing can be repeated but the whole. */
  const again = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt === ATTEMPTS || !causes(error).some(dialect.isCollision)) {
          throw explainedIn(layout, error)
        }
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt))
      }
    }
  }

  const now = ({ sql, parameters }: NamedQuery) => {
    try {
      return readNow?.(sql, parameters)
    } catch (error) {
      throw explainedIn(layout, error)
    }
  }

  const read = <Result>(
    query: NamedQuery,
    decode: (row: Row | undefined) => Result,
  ): Result | Promise<Result> => {
    const rows = now(query)
    if (rows) return decode(rows[0])
    return run(query).then(({ rows }) => decode(rows[0]))
  }

  const write = async (table: TableName, query: NamedQuery): Promise<QueryResult<Row>> => {
    try {
      return await run(query)
    } catch (cause) {
      const taken = dialect.takenKey(cause)
      if (taken === undefined) throw cause
      const conflict = isOfEmail(table, taken) ? 'user.email' : (table as ConflictKind)
      throw new AdapterConflict(conflict, { cause: withoutValues(cause) })
    }
  }

  const isOfEmail = (table: TableName, taken: string): boolean =>
    table === 'user' &&
    ['email', layout.tables.user.columns['email']?.name ?? ''].some((name) => taken.includes(name))

  const encodedCondition = (table: TableName, { field, value }: Condition): Row => ({
    [CONDITION]: mappings[table].encodeChanges({ [field]: value })[field],
  })

  const decoded = <Name extends TableName>(
    table: Name,
    row: Row | undefined,
    keys: Row,
  ): Resources[Name] | null =>
    row && mappings[table].matches(row, keys) ? mappings[table].decode(row) : null

  /** What is in the column for the rest stays there when something is added to it. */
  const restThere = async (table: TableName, keys: Row): Promise<Row | undefined> => {
    const stored = await (dialect.locksRows ? engine.lock(table, keys) : engine.find(table, keys))
    return stored ? mappings[table].rest(stored) : undefined
  }

  /** A row as it is now, which nobody else changes until the transaction is over. */
  const held = async <Name extends TableName>(table: Name, keys: Row) => {
    if (dialect.locksRows) return engine.lock(table, keys)
    await engine.update(table, keys, keys)
    return engine.find(table, keys)
  }

  const engine: Engine = {
    find<Name extends TableName>(table: Name, keys: Row) {
      const places = mappings[table].encodeKeys(keys)
      if (!places) return null
      const query = statements.find(table, Object.keys(keys)).with(places)
      return read(query, (row) => decoded(table, row, keys))
    },
    async list<Name extends TableName>(
      table: Name,
      keys: Row,
      oneOf?: readonly [string, readonly unknown[]],
    ) {
      const { matches, decode, encodeKeys } = mappings[table]
      const places = encodeKeys(keys)
      if (!places) return []
      const [field = '', values = []] = oneOf ?? []
      for (const [index, value] of values.entries()) {
        places[nth(field, index)] = encodeKeys({ [field]: value })?.[field] ?? null
      }
      const names = Object.keys(keys)
      const statement = statements.find(table, names, oneOf && [field, values.length])
      const { rows } = await run(statement.with(places))
      return rows.filter((row) => matches(row, keys)).map((row) => decode(row))
    },
    async page<Name extends TableName>(
      table: Name,
      field: string,
      limit: number,
      behind?: string,
      keys: Row = {},
    ) {
      const { decode, encodeKeys } = mappings[table]
      const all = behind === undefined ? keys : { ...keys, [field]: behind }
      const places = encodeKeys(all)
      if (!places) return []
      const names = Object.keys(keys)
      const query = statements.page(table, field, limit, behind !== undefined, names).with(places)
      const { rows } = await run(query)
      return rows.map((row) => decode(row))
    },
    async insert<Name extends TableName>(table: Name, resource: Resources[Name]) {
      const mapping = mappings[table]
      const row = mapping.encode(resource)
      const query = statements.insert(table, Object.keys(row)).with({}, row)
      const { rows, insertId } = await write(table, query)
      const id = rows[0]?.['id'] ?? insertId
      const stored = mapping.decode(id === undefined || 'id' in row ? row : { ...row, id })
      if (!mapping.extended) return stored
      const keys = layout.tables[table].primaryKey.map((field) => [field, (stored as Row)[field]])
      return (await engine.find(table, Object.fromEntries(keys))) ?? stored
    },
    async change<Name extends TableName>(
      table: Name,
      keys: Row,
      changes: object,
      condition?: Condition,
    ) {
      const { encodeKeys, encodeChanges, rest } = mappings[table]
      const adds = rest(changes) !== undefined
      if (adds && !transaction && !store.batch) {
        return engine.inTransaction((inside) => inside.change(table, keys, changes, condition))
      }
      const places = encodeKeys(keys)
      const all = adds ? { ...(await restThere(table, keys)), ...changes } : changes
      const values = encodeChanges(all)
      if (!places || Object.keys(values).length === 0) return engine.find(table, keys)
      const query = statements
        .update(table, Object.keys(keys), Object.keys(values), condition)
        .with(places, condition ? { ...values, ...encodedCondition(table, condition) } : values)
      const now = Object.fromEntries(
        Object.entries(keys).map(([name, value]) => [name, (changes as Row)[name] ?? value]),
      )
      if (dialect.returning.update) return decoded(table, (await write(table, query)).rows[0], now)
      if (!transaction)
        return engine.inTransaction((inside) => inside.change(table, keys, changes, condition))
      const { numAffectedRows = 0n } = await write(table, query)
      return numAffectedRows > 0n ? engine.find(table, now) : null
    },
    async insertOver<Name extends TableName>(
      table: Name,
      resource: Resources[Name],
      condition: Condition,
    ) {
      const row = mappings[table].encode(resource)
      const fields = Object.keys(row)
      if (dialect.replacesOnConflict) {
        const values = { ...row, ...encodedCondition(table, condition) }
        const query = statements.insertOver(table, fields, condition).with({}, values)
        return ((await run(query)).numAffectedRows ?? 0n) > 0n
      }
      const taken = layout.tables[table].primaryKey.map((name) => [name, (resource as Row)[name]])
      const keys: Row = Object.fromEntries(taken)
      // Again when the row in the way was removed meanwhile.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          await run(statements.insert(table, fields).with({}, row))
          return true
        } catch (error) {
          if (!causes(error).some((cause) => dialect.takenKey(cause) !== undefined)) throw error
        }
        // Whoever looks first does not wait in line to lock a row that stays. A transaction that sees
        // an older state goes on: the change meets the row that is there.
        const there = (await engine.find(table, keys)) as Row | null
        if (there && !meets(there[condition.field] as Date | null, condition)) return false
        if (await engine.update(table, keys, resource, condition)) return true
      }
      return false
    },
    async update(table, keys, changes, condition) {
      const { encodeKeys, encodeChanges } = mappings[table]
      const places = encodeKeys(keys)
      if (!places) return false
      const values = encodeChanges(changes)
      const query = statements
        .update(table, Object.keys(keys), Object.keys(values), condition)
        .with(places, condition ? { ...values, ...encodedCondition(table, condition) } : values)
      const { rows, numAffectedRows = 0n } = await run(query)
      return rows.length > 0 || numAffectedRows > 0n
    },
    async take<Name extends TableName>(table: Name, keys: Row) {
      const places = mappings[table].encodeKeys(keys)
      if (!places) return null
      const query = statements.remove(table, Object.keys(keys), true).with(places)
      if (dialect.returning.delete) return decoded(table, (await run(query)).rows[0], keys)
      if (!transaction) return engine.inTransaction((inside) => inside.take(table, keys))
      const found = await (table === 'record' ? held(table, keys) : engine.find(table, keys))
      const { numAffectedRows = 0n } = await run(query)
      // Another transaction may have seen it too; who removed it, has it.
      return numAffectedRows > 0n ? found : null
    },
    async remove(table, keys, condition) {
      const places = mappings[table].encodeKeys(keys)
      if (!places) return 0
      const values = condition && encodedCondition(table, condition)
      const query = statements
        .remove(table, Object.keys(keys), false, condition)
        .with(places, values)
      return Number((await run(query)).numAffectedRows ?? 0n)
    },
    async removeSome(table, condition, limit) {
      const values = encodedCondition(table, condition)
      const query = statements.removeSome(table, condition, limit).with({}, values)
      return Number((await run(query)).numAffectedRows ?? 0n)
    },
    async lock<Name extends TableName>(table: Name, keys: Row) {
      const places = mappings[table].encodeKeys(keys)
      if (!dialect.locksRows || !places) return null
      const { rows } = await run(statements.lock(table, Object.keys(keys)).with(places))
      return decoded(table, rows[0], keys)
    },
    has: (table) => !layout.tables[table].absent,
    async takeWith<Name extends TableName>(
      others: readonly (readonly [TableName, Row])[],
      table: Name,
      keys: Row,
    ) {
      const { batch } = store
      if (!batch) {
        return engine.inTransaction(async (inside) => {
          await inside.lock(table, keys)
          for (const [other, keys] of others) await inside.remove(other, keys)
          return inside.take(table, keys)
        })
      }
      const queries = [...others, [table, keys] as const].flatMap(([name, keys]) => {
        const places = mappings[name].encodeKeys(keys)
        return places ? [statements.remove(name, Object.keys(keys), true).with(places)] : []
      })
      const results = await again(() => batch(queries))
      return decoded(table, results.at(-1)?.rows[0], keys)
    },
    userByAccount(keys: { provider: string; providerAccountId: string }) {
      const places = mappings.account.encodeKeys(keys)
      if (!places) return null
      return read(statements.userByAccount().with(places), (row) =>
        row && mappings.account.matches(row, keys, ACCOUNT_PREFIX)
          ? mappings.user.decode(row)
          : null,
      )
    },
    sessionAndUser(sessionToken: string) {
      const places = mappings.session.encodeKeys({ sessionToken })
      if (!places) return null
      return read(statements.sessionAndUser().with(places), (row) =>
        row && mappings.session.matches(row, { sessionToken })
          ? {
              session: mappings.session.decode(row),
              user: mappings.user.decode(row, USER_PREFIX),
            }
          : null,
      )
    },
    inTransaction: (work) =>
      transaction
        ? work(engine)
        : again(() => inTransaction(store.db, (bound) => work(createEngine(parts, bound)))),
  }
  return engine
}

/** Nothing meets a condition less than something that is. */
function meets(stored: Date | null, { is, value }: Condition): boolean {
  if (stored === null) return false
  return is === '<' ? stored < (value as Date) : stored <= (value as Date)
}

/** What to do about a table that is missing. */
const CREATE =
  'create it with `migrate(store)` of latchkey/adapters/sql, or with the statements that its `printSchema()` returns; for the service, run `latchkey migrate`'
const CREATE_RECORDS =
  'create it with `migrate(store, { records: true })` of latchkey/adapters/sql, or with the statements that its `printSchema({ records: true })` returns; for the service, run `latchkey migrate --records`'

function explainedIn({ tables }: Layout, error: unknown): unknown {
  const isOfRecords = missingTable(error)?.split('.').at(-1) === tables.record.name
  return explained(error, isOfRecords ? CREATE_RECORDS : CREATE)
}

/** Where drivers say which value is taken: an address, or the key of a session. */
const TELLING = ['message', 'stack', 'sqlMessage', 'detail'] as const

/** What stands around a value: of MySQL, and of PostgreSQL. */
const VALUES = [
  ["Duplicate entry '", "' for key"],
  [')=(', ') already'],
] as const

/** Leaves out all that is between the first `before` and the last `after`. */
function hideBetween(text: string, [before, after]: readonly [string, string]): string {
  const start = text.indexOf(before) + before.length
  const end = text.lastIndexOf(after)
  return start < before.length || end < start ? text : `${text.slice(0, start)}…${text.slice(end)}`
}

/** The driver's error, with nothing of the value in it, since it may come into a log. */
function withoutValues(cause: unknown): unknown {
  for (const error of causes(cause) as Record<string, unknown>[]) {
    for (const place of TELLING) {
      const text = error[place]
      if (typeof text !== 'string') continue
      error[place] = VALUES.reduce(hideBetween, text)
    }
  }
  return cause
}

/** An error and what caused it: who runs in our transaction may have wrapped what the driver said. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = []
  let cause = error
  while (cause instanceof Error && found.length < 5) {
    found.push(cause)
    cause = cause.cause
  }
  return found
}
