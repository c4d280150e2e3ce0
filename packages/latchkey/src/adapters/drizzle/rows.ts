import { and, asc, eq, gt, inArray, lt, lte, ne, type SQL, type Table } from 'drizzle-orm'
import { withDocs } from '../../base/option-error.ts'
import { primaryKeys, type RecordName, type Records } from '../records.ts'
import { again } from '../rows/again.ts'
import type { Row } from '../rows/coding.ts'
import type { Condition, EXPIRING, Keys, Rows } from '../rows/rows.ts'
import {
  EXPIRING_KEY,
  isInserted,
  keysAfter,
  matches,
  removeInParts,
  takeFound,
} from '../rows/shared.ts'
import type { ColumnMapping } from './columns.ts'
import type { DrizzleDatabase } from './database.ts'
import { isCollision, translate, withoutTransactions } from './errors.ts'
import type { Turns } from './turns.ts'

/** The parts that all connections of an adapter share. */
export interface DrizzleParts {
  readonly mappings: { readonly [Name in RecordName]: ColumnMapping<Name> | undefined }
  readonly dialect: 'pg' | 'mysql' | 'sqlite'
  readonly ids: 'latchkey' | 'column'
  readonly transactions: boolean
  /** The turns of this process, for engines with one writer at a time. */
  readonly turns: Turns
}

/** The methods that all databases of Drizzle have. Its own types differ by engine. */
interface Database {
  select(fields: object): Query
  insert(table: Table): Query
  update(table: Table): Query
  delete(table: Table): Query
  transaction(work: (transaction: DrizzleDatabase) => Promise<unknown>): Promise<unknown>
}

interface Query extends PromiseLike<Row[]> {
  from(table: Table): Query
  innerJoin(table: Table, on: SQL): Query
  where(condition: SQL | undefined): Query
  orderBy(order: SQL): Query
  limit(most: number): Query
  values(row: Row): Query
  set(row: Row): Query
  onConflictDoNothing(): Query
  returning(fields: object): Query
  $returningId(): Query
}

/** Returns the rows of a database of Drizzle. */
export function drizzleRows(database: DrizzleDatabase, parts: DrizzleParts): Rows {
  return new DrizzleRows(database, parts, false)
}

class DrizzleRows implements Rows {
  readonly hasTransactions: boolean
  readonly #db: Database
  readonly #parts: DrizzleParts
  readonly #isTransaction: boolean
  /** Whether a statement that changes rows can return them. */
  readonly #returning: boolean

  /** @param isTransaction whether the database is a transaction. Otherwise, each operation is on its own. */
  constructor(database: DrizzleDatabase, parts: DrizzleParts, isTransaction: boolean) {
    this.hasTransactions = parts.transactions
    this.#db = database as unknown as Database
    this.#parts = parts
    this.#isTransaction = isTransaction
    this.#returning = parts.dialect !== 'mysql'
  }

  has(table: RecordName): boolean {
    return this.#parts.mappings[table] !== undefined
  }

  async find<Name extends RecordName>(table: Name, keys: Keys) {
    return (await this.list(table, keys))[0] ?? null
  }

  async list<Name extends RecordName>(table: Name, keys: Keys) {
    const mapping = this.#mapping(table)
    const selected = where(mapping, keys)
    if (!selected) return []
    const found = await this.#read(table, () =>
      this.#db.select(mapping.columns).from(mapping.table).where(selected),
    )
    return withExactly(found.map(mapping.decode), keys)
  }

  async page<Name extends RecordName>(
    table: Name,
    field: string,
    limit: number,
    after?: string,
    keys: Keys = {},
  ) {
    const mapping = this.#mapping(table)
    const column = mapping.columns[field]
    const isAfter = after === undefined ? undefined : compared(gt, mapping, field, after)
    const selected = conditionsOf(mapping, keys)
    if (!column || !selected || (after !== undefined && !isAfter)) return []
    const found = await this.#read(table, () =>
      this.#db
        .select(mapping.columns)
        .from(mapping.table)
        .where(and(...selected, isAfter))
        .orderBy(asc(column))
        .limit(limit),
    )
    return found.map(mapping.decode)
  }

  async insert<Name extends RecordName>(table: Name, record: Records[Name]) {
    const mapping = this.#mapping(table)
    const hasOwnId = table === 'user' && this.#parts.ids === 'column'
    const row = mapping.encode(hasOwnId ? { ...record, id: undefined } : record)
    const insert = () => this.#db.insert(mapping.table).values(row)
    if (this.#returning) {
      const [stored] = await this.#write(table, () => insert().returning(mapping.columns))
      return mapping.decode(stored ?? row)
    }
    const [made] = await this.#write(table, () => (hasOwnId ? insert().$returningId() : insert()))
    const inserted = mapping.decode(hasOwnId ? { ...row, ...made } : row)
    const key = primaryKeys[table].map((member) => [member, (inserted as unknown as Row)[member]])
    return (await this.find(table, Object.fromEntries(key))) ?? inserted
  }

  async insertUnlessTaken<Name extends RecordName>(table: Name, record: Records[Name]) {
    if (!this.#returning) return isInserted(() => this.insert(table, record))
    const mapping = this.#mapping(table)
    const insert = () =>
      this.#db.insert(mapping.table).values(mapping.encode(record)).onConflictDoNothing()
    return (await this.#count(table, insert)) > 0
  }

  async update(table: RecordName, keys: Keys, changes: object, condition?: Condition) {
    const mapping = this.#mapping(table)
    const selected = where(mapping, keys, condition)
    if (!selected) return false
    const row = mapping.encode(changes)
    const update = () => this.#db.update(mapping.table).set(row).where(selected)
    return (await this.#count(table, update)) > 0
  }

  async change<Name extends RecordName>(
    table: Name,
    keys: Keys,
    changes: object,
    condition?: Condition,
  ) {
    const mapping = this.#mapping(table)
    const row = mapping.encode(changes)
    if (Object.keys(row).length === 0) return this.find(table, keys)
    const after = keysAfter(keys, changes)
    if (!this.#returning) {
      // Two statements: a row that only the collation takes for this one must not be changed.
      if (!(await this.find(table, keys))) return null
      return (await this.update(table, keys, changes, condition)) ? this.find(table, after) : null
    }
    const selected = where(mapping, keys, condition)
    if (!selected) return null
    const changed = await this.#write(table, () =>
      this.#db.update(mapping.table).set(row).where(selected).returning(mapping.columns),
    )
    return withExactly(changed.map(mapping.decode), after)[0] ?? null
  }

  async take<Name extends RecordName>(table: Name, keys: Keys): Promise<Records[Name] | null> {
    if (!this.#returning) return takeFound(this, table, keys)
    const mapping = this.#mapping(table)
    const selected = where(mapping, keys)
    if (!selected) return null
    const taken = await this.#write(table, () =>
      this.#db.delete(mapping.table).where(selected).returning(mapping.columns),
    )
    return withExactly(taken.map(mapping.decode), keys)[0] ?? null
  }

  async remove(table: RecordName, keys: Keys, condition?: Condition) {
    const selected = where(this.#mapping(table), keys, condition)
    return selected ? this.#remove(table, selected) : 0
  }

  async removeExpired(table: (typeof EXPIRING)[number], now: Date, batch: number) {
    const mapping: ColumnMapping = this.#mapping(table)
    const key = mapping.columns[EXPIRING_KEY[table]]
    const isOver = compared(lt, mapping, 'expires', now)
    if (!key || !isOver) return 0
    return removeInParts(
      batch,
      (limit) =>
        this.#read(table, () =>
          this.#db.select({ key }).from(mapping.table).where(isOver).limit(limit),
        ),
      (found) => {
        const keys = (found as Row[]).map((row) => row['key'])
        return this.#remove(table, and(inArray(key, keys), isOver))
      },
    )
  }

  async userByAccount(keys: Keys) {
    const [account, user] = [this.#mapping('account'), this.#mapping('user')]
    const [found] = await this.#joined(account, user, keys)
    return found ? user.decode(found['user'] as Row) : null
  }

  async sessionAndUser(sessionToken: string) {
    const [session, user] = [this.#mapping('session'), this.#mapping('user')]
    const [found] = await this.#joined(session, user, { sessionToken })
    if (!found) return null
    return {
      session: session.decode(found['child'] as Row),
      user: user.decode(found['user'] as Row),
    }
  }

  async inTransaction<Result>(work: (inside: Rows) => Promise<Result>): Promise<Result> {
    const { dialect, transactions, turns } = this.#parts
    if (this.#isTransaction || !transactions) return work(this)
    const once = async (): Promise<unknown> => {
      let hasBegun = false
      try {
        return await this.#db.transaction((inside) => {
          hasBegun = true
          return work(new DrizzleRows(inside, this.#parts, true))
        })
      } catch (error) {
        throw hasBegun ? error : withoutTransactions(error)
      }
    }
    const start = () => again(once, isCollision)
    return (await (dialect === 'sqlite' ? turns.runExclusive(start) : start())) as Result
  }

  #mapping<Name extends RecordName>(name: Name): ColumnMapping<Name> {
    const mapping = this.#parts.mappings[name]
    if (mapping) return mapping
    const message = `the Drizzle adapter has no table ${name}; pass it to \`drizzleAdapter\``
    throw new Error(withDocs(message, 'adapterCall'))
  }

  async #read(table: RecordName, query: () => Query): Promise<Row[]> {
    const once = async () => await query()
    try {
      // A transaction can only be repeated as a whole.
      return await (this.#isTransaction ? once() : again(once, isCollision))
    } catch (error) {
      throw translate(error, table, this.#mapping(table).columns)
    }
  }

  /** Runs a statement that changes rows. */
  async #write(table: RecordName, query: () => Query): Promise<Row[]> {
    const { dialect, turns } = this.#parts
    const write = () => this.#read(table, query)
    return dialect === 'sqlite' && !this.#isTransaction ? turns.runShared(write) : write()
  }

  /** Runs a statement that changes rows. @returns the number of these rows. */
  async #count(table: RecordName, query: () => Query): Promise<number> {
    if (!this.#returning) return countOf(await this.#write(table, query))
    const { columns } = this.#mapping(table)
    return (await this.#write(table, () => query().returning(columns))).length
  }

  #remove(table: RecordName, selected: SQL | undefined): Promise<number> {
    return this.#count(table, () => this.#db.delete(this.#mapping(table).table).where(selected))
  }

  /** Returns the rows of a table that have exactly these keys, each with its user. */
  async #joined(
    child: ColumnMapping<'account' | 'session'>,
    user: ColumnMapping<'user'>,
    keys: Keys,
  ): Promise<Row[]> {
    const selected = where(child, keys)
    const [userId, id] = [child.columns['userId'], user.columns['id']]
    if (!selected || !userId || !id) return []
    const found = await this.#read('user', () =>
      this.#db
        .select({ child: child.columns, user: user.columns })
        .from(child.table)
        .innerJoin(user.table, eq(userId, id))
        .where(selected),
    )
    return found.filter((row) => matches(child.decode(row['child'] as Row), keys))
  }
}

/** Returns the number of changed rows, for drivers that return it instead of the rows. */
function countOf(result: unknown): number {
  const { affectedRows, rowsAffected } = (Array.isArray(result) ? result[0] : result) as Row
  return Number(affectedRows ?? rowsAffected ?? 0)
}

/** Returns a condition for rows with these keys; `undefined` if no row can have them. */
function where(mapping: ColumnMapping, keys: Keys, condition?: Condition): SQL | undefined {
  const conditions = conditionsOf(mapping, keys)
  if (!conditions || !condition) return conditions && and(...conditions)
  const { field, is, value } = condition
  const comparison = compared(COMPARE[is], mapping, field, value)
  // Every row differs from a value that no row can have.
  return comparison || is === '<>' ? and(...conditions, comparison) : undefined
}

/** Returns one condition for each key; `undefined` if no row can have these keys. */
function conditionsOf(mapping: ColumnMapping, keys: Keys): readonly SQL[] | undefined {
  const conditions: SQL[] = []
  for (const [member, value] of Object.entries(keys)) {
    const condition = compared(eq, mapping, member, value)
    if (!condition) return undefined
    conditions.push(condition)
  }
  return conditions
}

const COMPARE = { '<': lt, '<=': lte, '<>': ne } as const

function compared(
  compare: typeof eq,
  mapping: ColumnMapping,
  member: string,
  value: unknown,
): SQL | undefined {
  const column = mapping.columns[member]
  const encoded = mapping.encodeKey(member, value)
  return column && encoded !== undefined ? compare(column, encoded) : undefined
}

/** Returns the records that have exactly these keys. */
function withExactly<Value extends object>(found: readonly Value[], keys: Keys): Value[] {
  return found.filter((record) => matches(record, keys))
}
