import type { CompiledQuery, QueryResult } from 'kysely'
import { AdapterConflict, type ConflictKind } from '../../model/adapter.ts'
import { explained, missingTable } from '../../model/missing-table.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { RecordName, Records } from '../records.ts'
import { again } from '../rows/again.ts'
import type { Condition, EXPIRING, Keys, Rows, Selection } from '../rows/rows.ts'
import type { AnyDatabase, NamedQuery, Row, SqlStore } from './dialect.ts'
import type { Layout } from './layout.ts'
import type { RowMappings } from './rows.ts'
import { ACCOUNT_PREFIX, CONDITION, type Statements, USER_PREFIX } from './statements.ts'
import { inTransaction } from './transaction.ts'

/** The parts that all connections of an adapter share. */
export interface EngineParts {
  readonly store: SqlStore
  readonly layout: Layout
  readonly statements: Statements
  readonly mappings: RowMappings
}

/**
 * Returns the rows of an SQL database.
 *
 * @param transaction the transaction of all statements. Without it, each operation is on its own.
 */
export function sqlRows(parts: EngineParts, transaction?: AnyDatabase): Rows {
  return new SqlRows(parts, transaction)
}

class SqlRows implements Rows {
  readonly hasTransactions: boolean
  readonly insertOver?: NonNullable<Rows['insertOver']>
  readonly lock?: NonNullable<Rows['lock']>
  readonly takeWith?: NonNullable<Rows['takeWith']>
  readonly #parts: EngineParts
  readonly #transaction: AnyDatabase | undefined

  constructor(parts: EngineParts, transaction: AnyDatabase | undefined) {
    const { dialect, batch } = parts.store
    this.#parts = parts
    this.#transaction = transaction
    this.hasTransactions = !batch
    if (dialect.replacesOnConflict)
      this.insertOver = (table, record, condition) => this.#insertOver(table, record, condition)
    if (dialect.locksRows) this.lock = (table, keys) => this.#lock(table, keys)
    if (batch) this.takeWith = (others, table, keys) => this.#takeWith(batch, others, table, keys)
  }

  has(table: RecordName): boolean {
    return !this.#parts.layout.tables[table].absent
  }

  find<Name extends RecordName>(table: Name, keys: Keys) {
    const { mappings, statements } = this.#parts
    const places = mappings[table].encodeKeys(keys)
    if (!places) return null
    const query = statements.find(table, Object.keys(keys)).with(places)
    return this.#read(query, (row) => this.#decode(table, row, keys))
  }

  async list<Name extends RecordName>(table: Name, keys: Keys) {
    const { mappings, statements } = this.#parts
    const { matches, decode, encodeKeys } = mappings[table]
    const places = encodeKeys(keys)
    if (!places) return []
    const { rows } = await this.#run(statements.find(table, Object.keys(keys)).with(places))
    return rows.filter((row) => matches(row, keys)).map((row) => decode(row))
  }

  async page<Name extends RecordName>(
    table: Name,
    field: string,
    limit: number,
    after?: string,
    keys: Keys = {},
  ) {
    const { mappings, statements } = this.#parts
    const { decode, encodeKeys } = mappings[table]
    const places = encodeKeys(after === undefined ? keys : { ...keys, [field]: after })
    if (!places) return []
    const names = Object.keys(keys)
    const query = statements.page(table, field, limit, after !== undefined, names).with(places)
    const { rows } = await this.#run(query)
    return rows.map((row) => decode(row))
  }

  async insert<Name extends RecordName>(table: Name, record: Records[Name]) {
    const { layout, mappings, statements } = this.#parts
    const mapping = mappings[table]
    const row = mapping.encode(record)
    const query = statements.insert(table, Object.keys(row)).with({}, row)
    const { rows, insertId } = await this.#write(table, query)
    const id = rows[0]?.['id'] ?? insertId
    const stored = mapping.decode(id === undefined || 'id' in row ? row : { ...row, id })
    if (!mapping.extended) return stored
    const keys = layout.tables[table].primaryKey.map((field) => [field, (stored as Row)[field]])
    return (await this.find(table, Object.fromEntries(keys))) ?? stored
  }

  async insertUnlessTaken<Name extends RecordName>(table: Name, record: Records[Name]) {
    const { mappings, statements, store } = this.#parts
    const row = mappings[table].encode(record)
    const fields = Object.keys(row)
    if (store.dialect.replacesOnConflict) {
      const { numAffectedRows } = await this.#run(
        statements.insertUnlessTaken(table, fields).with({}, row),
      )
      return (numAffectedRows ?? 0n) > 0n
    }
    try {
      await this.#run(statements.insert(table, fields).with({}, row))
      return true
    } catch (error) {
      if (!causes(error).some((cause) => store.dialect.takenKey(cause) !== undefined)) throw error
      return false
    }
  }

  async update(table: RecordName, keys: Keys, changes: object, condition?: Condition) {
    const { encodeKeys, encodeChanges } = this.#parts.mappings[table]
    const places = encodeKeys(keys)
    if (!places) return false
    const query = this.#update(table, Object.keys(keys), places, encodeChanges(changes), condition)
    const { rows, numAffectedRows = 0n } = await this.#run(query)
    return rows.length > 0 || numAffectedRows > 0n
  }

  async change<Name extends RecordName>(
    table: Name,
    keys: Keys,
    changes: object,
    condition?: Condition,
  ): Promise<Records[Name] | null> {
    const { mappings, store } = this.#parts
    const { encodeKeys, encodeChanges, rest } = mappings[table]
    const inTransaction = () =>
      this.inTransaction((inside) => inside.change(table, keys, changes, condition))
    const adds = rest(changes) !== undefined
    if (adds && !this.#transaction && this.hasTransactions) return inTransaction()
    const places = encodeKeys(keys)
    const all = adds ? { ...(await this.#restThere(table, keys)), ...changes } : changes
    const values = encodeChanges(all)
    if (!places || Object.keys(values).length === 0) return this.find(table, keys)
    const query = this.#update(table, Object.keys(keys), places, values, condition)
    const after = Object.fromEntries(
      Object.entries(keys).map(([name, value]) => [name, (changes as Row)[name] ?? value]),
    )
    if (store.dialect.returning.update)
      return this.#decode(table, (await this.#write(table, query)).rows[0], after)
    if (!this.#transaction) return inTransaction()
    const { numAffectedRows = 0n } = await this.#write(table, query)
    return numAffectedRows > 0n ? this.find(table, after) : null
  }

  async take<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name] | null> {
    const { mappings, statements, store } = this.#parts
    const places = mappings[table].encodeKeys(keys)
    if (!places) return null
    const query = statements.remove(table, Object.keys(keys), true).with(places)
    if (store.dialect.returning.delete)
      return this.#decode(table, (await this.#run(query)).rows[0], keys)
    if (!this.#transaction) return this.inTransaction((inside) => inside.take(table, keys))
    const found = await (table === 'record'
      ? this.#lockAndFind(table, keys)
      : this.find(table, keys))
    const { numAffectedRows = 0n } = await this.#run(query)
    // Another transaction may have found the row, too. The one that removed it receives it.
    return numAffectedRows > 0n ? found : null
  }

  async remove(table: RecordName, keys: Keys, condition?: Condition) {
    const { mappings, statements } = this.#parts
    const places = mappings[table].encodeKeys(keys)
    if (!places) return 0
    const values = condition && this.#encodeCondition(table, condition)
    const query = statements.remove(table, Object.keys(keys), false, condition).with(places, values)
    return Number((await this.#run(query)).numAffectedRows ?? 0n)
  }

  async removeExpired(table: (typeof EXPIRING)[number], now: Date, batch: number) {
    const condition = { field: 'expires', is: '<', value: now } as const
    const values = this.#encodeCondition(table, condition)
    const query = this.#parts.statements.removeSome(table, condition, batch).with({}, values)
    return Number((await this.#run(query)).numAffectedRows ?? 0n)
  }

  userByAccount(
    keys: Readonly<Record<'provider' | 'providerAccountId', string>>,
  ): AdapterUser | null | Promise<AdapterUser | null> {
    const { mappings, statements } = this.#parts
    const places = mappings.account.encodeKeys(keys)
    if (!places) return null
    return this.#read(statements.userByAccount().with(places), (row) =>
      row && mappings.account.matches(row, keys, ACCOUNT_PREFIX) ? mappings.user.decode(row) : null,
    )
  }

  sessionAndUser(sessionToken: string) {
    const { mappings, statements } = this.#parts
    const places = mappings.session.encodeKeys({ sessionToken })
    if (!places) return null
    return this.#read(
      statements.sessionAndUser().with(places),
      (row): { session: AdapterSession; user: AdapterUser } | null =>
        row && mappings.session.matches(row, { sessionToken })
          ? {
              session: mappings.session.decode(row),
              user: mappings.user.decode(row, USER_PREFIX),
            }
          : null,
    )
  }

  inTransaction<Result>(work: (inside: Rows) => Promise<Result>): Promise<Result> {
    if (this.#transaction) return work(this)
    const { db } = this.#parts.store
    return this.#again(() =>
      inTransaction(db, (transaction) => work(new SqlRows(this.#parts, transaction))),
    )
  }

  async #insertOver<Name extends 'record'>(
    table: Name,
    record: Records[Name],
    condition: Condition,
  ): Promise<boolean> {
    const { mappings, statements } = this.#parts
    const row = mappings[table].encode(record)
    const values = { ...row, ...this.#encodeCondition(table, condition) }
    const query = statements.insertOver(table, Object.keys(row), condition).with({}, values)
    return ((await this.#run(query)).numAffectedRows ?? 0n) > 0n
  }

  /** Returns the locked row as it is now. MySQL otherwise returns rows as the transaction first saw them. */
  async #lock<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name] | null> {
    const { mappings, statements } = this.#parts
    const places = mappings[table].encodeKeys(keys)
    if (!places) return null
    const { rows } = await this.#run(statements.lock(table, Object.keys(keys)).with(places))
    return this.#decode(table, rows[0], keys)
  }

  async #takeWith<Name extends RecordName>(
    batch: NonNullable<SqlStore['batch']>,
    others: readonly Selection[],
    table: Name,
    keys: Keys,
  ): Promise<Records[Name] | null> {
    const { mappings, statements } = this.#parts
    const queries = [...others, [table, keys] as const].flatMap(([name, keys]) => {
      const places = mappings[name].encodeKeys(keys)
      return places ? [statements.remove(name, Object.keys(keys), true).with(places)] : []
    })
    const results = await this.#again(() => batch(queries))
    return this.#decode(table, results.at(-1)?.rows[0], keys)
  }

  /** Returns the row as it is now, and prevents changes of it until the transaction ends. */
  async #lockAndFind<Name extends RecordName>(
    table: Name,
    keys: Keys,
  ): Promise<Records[Name] | null> {
    if (this.lock) return this.#lock(table, keys)
    await this.update(table, keys, keys)
    return this.find(table, keys)
  }

  /** Returns the members that have no column of their own, which a change keeps. */
  async #restThere(table: RecordName, keys: Keys): Promise<Row | undefined> {
    const stored = await (this.lock ? this.#lock(table, keys) : this.find(table, keys))
    return stored ? this.#parts.mappings[table].rest(stored) : undefined
  }

  #update(
    table: RecordName,
    keys: readonly string[],
    places: Row,
    values: Row,
    condition: Condition | undefined,
  ) {
    return this.#parts.statements
      .update(table, keys, Object.keys(values), condition)
      .with(places, condition ? { ...values, ...this.#encodeCondition(table, condition) } : values)
  }

  #encodeCondition(table: RecordName, { field, value }: Condition): Row {
    return { [CONDITION]: this.#parts.mappings[table].encodeChanges({ [field]: value })[field] }
  }

  #decode<Name extends RecordName>(
    table: Name,
    row: Row | undefined,
    keys: Keys,
  ): Records[Name] | null {
    const mapping = this.#parts.mappings[table]
    return row && mapping.matches(row, keys) ? mapping.decode(row) : null
  }

  #read<Result>(
    query: NamedQuery,
    decode: (row: Row | undefined) => Result,
  ): Result | Promise<Result> {
    const rows = this.#readNow(query)
    if (rows) return decode(rows[0])
    return this.#run(query).then(({ rows }) => decode(rows[0]))
  }

  #readNow({ sql, parameters }: NamedQuery): readonly Row[] | undefined {
    const { layout, store } = this.#parts
    if (this.#transaction || !store.readNow) return undefined
    try {
      return store.readNow(sql, parameters)
    } catch (error) {
      throw explainedIn(layout, error)
    }
  }

  async #write(table: RecordName, query: NamedQuery): Promise<QueryResult<Row>> {
    const { layout, store } = this.#parts
    try {
      return await this.#run(query)
    } catch (cause) {
      const taken = store.dialect.takenKey(cause)
      if (taken === undefined) throw cause
      const conflict = isOfEmail(layout, table, taken) ? 'user.email' : (table as ConflictKind)
      throw new AdapterConflict(conflict, { cause: withoutValues(cause) })
    }
  }

  #run(query: CompiledQuery | NamedQuery): Promise<QueryResult<Row>> {
    const { store } = this.#parts
    // A transaction can only be repeated as a whole.
    if (this.#transaction) return this.#transaction.executeQuery<Row>(query)
    return this.#again(() => (store.run ? store.run(query) : store.db.executeQuery<Row>(query)))
  }

  async #again<Result>(work: () => Promise<Result>): Promise<Result> {
    const { layout, store } = this.#parts
    try {
      return await again(work, (error) => causes(error).some(store.dialect.isCollision))
    } catch (error) {
      throw explainedIn(layout, error)
    }
  }
}

function isOfEmail({ tables }: Layout, table: RecordName, taken: string): boolean {
  const column = tables.user.columns['email']?.name ?? ''
  return table === 'user' && ['email', column].some((name) => taken.includes(name))
}

/** What to do if a table is missing. */
const CREATE =
  'create it with `migrate(store)` of latchkey/adapters/sql, or with the statements that its `printSchema()` returns; for the service, run `latchkey migrate`'
const CREATE_RECORDS =
  'create it with `migrate(store, { records: true })` of latchkey/adapters/sql, or with the statements that its `printSchema({ records: true })` returns; for the service, run `latchkey migrate --records`'

function explainedIn({ tables }: Layout, error: unknown): unknown {
  const isOfRecords = missingTable(error)?.split('.').at(-1) === tables.record.name
  return explained(error, isOfRecords ? CREATE_RECORDS : CREATE)
}

/** The members of drivers' errors that contain the value of the key: an address or a session token. */
const MEMBERS_WITH_VALUE = ['message', 'stack', 'sqlMessage', 'detail'] as const

/** The texts around a value, in MySQL and in PostgreSQL. */
const AROUND_VALUE = [
  ["Duplicate entry '", "' for key"],
  [')=(', ') already'],
] as const

/** Replaces the text between the first `before` and the last `after`. */
function hideBetween(text: string, [before, after]: readonly [string, string]): string {
  const start = text.indexOf(before) + before.length
  const end = text.lastIndexOf(after)
  return start < before.length || end < start ? text : `${text.slice(0, start)}…${text.slice(end)}`
}

/** Returns the driver's error without the value of the key, since a log may receive it. */
function withoutValues(cause: unknown): unknown {
  for (const error of causes(cause) as Record<string, unknown>[]) {
    for (const place of MEMBERS_WITH_VALUE) {
      const text = error[place]
      if (typeof text !== 'string') continue
      error[place] = AROUND_VALUE.reduce(hideBetween, text)
    }
  }
  return cause
}

/** Returns an error and its causes: code in our transaction may have wrapped the error of the driver. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = []
  let cause = error
  while (cause instanceof Error && found.length < 5) {
    found.push(cause)
    cause = cause.cause
  }
  return found
}
