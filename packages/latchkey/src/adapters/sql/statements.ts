import { type CompiledQuery, type Expression, sql } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import type { Condition } from '../rows/rows.ts'
import type { AnyDatabase, Codec, NamedQuery, Row, SqlDialect } from './dialect.ts'
import type { Layout } from './layout.ts'
import type { Field, RowMappings } from './rows.ts'
import type { TableName } from './tables.ts'

/** A query that was built once. It runs with different values. */
export interface Statement {
  /** @param keys the values to look for. @param values the values to write. */
  with(keys: Row, values?: Row): NamedQuery
}

/** A query that is built for each call. */
export interface Unnamed {
  with(keys: Row, values?: Row): CompiledQuery
}

/** The name of the value of a {@link Condition} among the values to write. */
export const CONDITION = ' condition'

type Comparison = Omit<Condition, 'value'>

/** The prefix of the columns of the user where another table is read, too. */
export const USER_PREFIX = 'user.'
export const ACCOUNT_PREFIX = 'account.'

/** The place of a value in a built query. */
interface Place {
  readonly from: 'keys' | 'values'
  readonly name: string
}

const key = (name: string): Place => ({ from: 'keys', name })
const value = (name: string): Place => ({ from: 'values', name })

/**
 * The queries of an adapter. Kysely builds each of them once, because building a query takes longer than running it. Their
 * number is limited by the number of tables, and of sets of columns that updates change.
 */
export class Statements {
  readonly #db: AnyDatabase
  readonly #layout: Layout
  readonly #mappings: RowMappings
  readonly #dialect: SqlDialect
  readonly #kept = new Map<string, Statement>()
  #pages = 0

  constructor(db: AnyDatabase, layout: Layout, mappings: RowMappings, dialect: SqlDialect) {
    this.#db = db
    this.#layout = layout
    this.#mappings = mappings
    this.#dialect = dialect
  }

  find(table: TableName, keys: readonly string[]): Statement {
    return this.#keep(['find', table, keys], () => this.#found(table, keys))
  }

  /** Finds a row and locks it until the transaction ends. */
  lock(table: TableName, keys: readonly string[]): Statement {
    return this.#keep(['lock', table, keys], () => this.#found(table, keys).forUpdate())
  }

  insert(table: TableName, fields: readonly string[]): Statement {
    return this.#keep(['insert', table, fields], () => {
      const query = this.#inserted(table, fields)
      return this.#dialect.returning.insert && this.#hasGeneratedId(table)
        ? query.returning(
            this.#read(this.#mappings[table].fields.filter(({ field }) => field === 'id')),
          )
        : query
    })
  }

  /** Does nothing if a unique key exists. For engines with ON CONFLICT. */
  insertUnlessTaken(table: TableName, fields: readonly string[]): Statement {
    return this.#keep(['insert unless taken', table, fields], () =>
      this.#inserted(table, fields).onConflict((conflict) => conflict.doNothing()),
    )
  }

  /** Replaces the row with the same primary key if that meets the condition. For engines with ON CONFLICT. */
  insertOver(table: TableName, fields: readonly string[], compared: Comparison): Statement {
    const { primaryKey, name } = this.#layout.tables[table]
    return this.#keep(['insert over', table, fields, compared.field, compared.is], () => {
      const given = fields
        .filter((field) => !primaryKey.includes(field))
        .map((field) => this.#column(table, field))
        .map((column) => [column, sql.ref(`excluded.${column}`)])
      return this.#inserted(table, fields).onConflict((conflict) =>
        conflict
          .columns(primaryKey.map((field) => this.#column(table, field)))
          .doUpdateSet(Object.fromEntries(given))
          .where(this.#compare(table, compared, `${name}.`)),
      )
    })
  }

  update(
    table: TableName,
    keys: readonly string[],
    changed: readonly string[],
    compared: Comparison | undefined,
  ): Statement {
    return this.#keep(['update', table, keys, changed, compared?.field, compared?.is], () => {
      const query = this.#db
        .updateTable(this.#table(table))
        .set(this.#values(table, changed))
        .where(this.#which(table, keys, compared))
      return this.#dialect.returning.update
        ? query.returning(this.#read(this.#mappings[table].fields))
        : query
    })
  }

  /** @param returns whether it returns the removed rows, if the engine can. */
  remove(
    table: TableName,
    keys: readonly string[],
    returns: boolean,
    compared?: Comparison,
  ): Statement {
    return this.#keep(['remove', table, keys, returns, compared?.field, compared?.is], () => {
      const query = this.#db
        .deleteFrom(this.#table(table))
        .where(this.#which(table, keys, compared))
      return returns && this.#dialect.returning.delete
        ? query.returning(this.#read(this.#mappings[table].fields))
        : query
    })
  }

  /** Removes at most `limit` rows that meet a condition. It is not kept: the caller chooses the limit. */
  removeSome(table: TableName, compared: Comparison, limit: number): Unnamed {
    const condition = this.#compare(table, compared)
    const { limitedDelete } = this.#dialect
    const query = this.#db.deleteFrom(this.#table(table))
    if (limitedDelete === 'limit')
      return toUnnamed(query.where(condition).limit(sql.lit(limit)).compile())
    if (limitedDelete === 'top') return toUnnamed(query.top(limit).where(condition).compile())
    const keys = this.#layout.tables[table].primaryKey.map((field) => this.#column(table, field))
    let some = this.#db
      .selectFrom(this.#table(table))
      .select(keys)
      .where(condition)
      .limit(sql.lit(limit))
    if (limitedDelete === 'choose and lock') some = some.forUpdate().skipLocked()
    const list = sql.join(keys.map((name) => sql.ref(name)))
    // With a name, so that the engine chooses the rows once.
    const removed = this.#db
      .with('chosen', () => some)
      .deleteFrom(this.#table(table))
      .where(sql<boolean>`(${list}) in (select ${list} from chosen)`)
    return toUnnamed(removed.compile())
  }

  /**
   * Returns some rows in the order of a field, from the beginning or after a value, which is a key.
   *
   * @param keys further values to look for.
   */
  page(
    table: TableName,
    field: string,
    limit: number,
    isAfter: boolean,
    keys: readonly string[],
  ): Unnamed {
    const build = () => {
      const order = sql.ref(this.#column(table, field))
      let query = this.#db
        .selectFrom(this.#table(table))
        .select(this.#read(this.#mappings[table].fields))
        .orderBy(order)
      for (const each of keys) query = query.where(this.#equal(table, each))
      if (isAfter)
        query = query.where(sql<boolean>`${order} > ${this.#written(table, field, key(field))}`)
      return this.#dialect.limit === 'top' ? query.top(limit) : query.limit(sql.lit(limit))
    }
    return this.#keepFew(['page', table, field, limit, isAfter, keys], build)
  }

  /** The key of the account has the prefix {@link ACCOUNT_PREFIX}. */
  userByAccount(): Statement {
    return this.#keep(['userByAccount'], () => {
      const keys = this.#mappings.account.fields.filter(({ field }) => ACCOUNT_KEY.includes(field))
      return this.#joined('account')
        .select(this.#read(this.#mappings.user.fields, 'user.'))
        .select(this.#read(keys, 'account.', ACCOUNT_PREFIX))
        .where(
          all(
            keys.map(
              ({ name, field }) => sql<boolean>`${sql.ref(`account.${name}`)} = ${key(field)}`,
            ),
          ),
        )
    })
  }

  /** The columns of the user have the prefix {@link USER_PREFIX}. */
  sessionAndUser(): Statement {
    return this.#keep(['sessionAndUser'], () =>
      this.#joined('session')
        .select(this.#read(this.#mappings.session.fields, 'session.'))
        .select(this.#read(this.#mappings.user.fields, 'user.', USER_PREFIX))
        .where(
          sql<boolean>`${sql.ref(`session.${this.#column('session', 'sessionToken')}`)} = ${key('sessionToken')}`,
        ),
    )
  }

  #keep(parts: readonly unknown[], build: () => { compile(): CompiledQuery }): Statement {
    const name = parts.join(' ')
    const found = this.#kept.get(name)
    if (found) return found
    const statement = toStatement(build().compile())
    this.#kept.set(name, statement)
    return statement
  }

  /** For queries whose callers choose few numbers: the first ones are kept. */
  #keepFew(parts: readonly unknown[], build: () => { compile(): CompiledQuery }): Unnamed {
    if (!this.#kept.has(parts.join(' '))) {
      if (this.#pages === MOST_PAGES) return toUnnamed(build().compile())
      this.#pages += 1
    }
    return this.#keep(parts, build)
  }

  #table(table: TableName): string {
    const { schema, tables } = this.#layout
    const { name } = tables[table]
    return schema === undefined ? name : `${schema}.${name}`
  }

  #column(table: TableName, field: string): string {
    const found = this.#layout.tables[table].columns[field]
    if (!found)
      throw new Error(withDocs(`the table ${table} has no column for ${field}`, 'adapterCall'))
    return found.name
  }

  #codec(table: TableName, field: string): Codec | undefined {
    const content = this.#layout.tables[table].columns[field]?.content
    return content && this.#dialect.codecs[content]
  }

  #written(table: TableName, field: string, place: Place): unknown {
    return this.#codec(table, field)?.write?.(place) ?? place
  }

  /** @param alias of the table, if there are several. @param prefix of the names in the result. */
  #read(fields: readonly Field[], alias = '', prefix = '') {
    return fields.map(({ field, name, codec }) => {
      const bare = sql.ref(alias + name)
      return (codec?.read?.(bare) ?? bare).as(prefix + field)
    })
  }

  #values(table: TableName, fields: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
      fields.map((field) => [
        this.#column(table, field),
        this.#written(table, field, value(field)),
      ]),
    )
  }

  #found(table: TableName, keys: readonly string[]) {
    return this.#db
      .selectFrom(this.#table(table))
      .select(this.#read(this.#mappings[table].fields))
      .where(all(keys.map((field) => this.#equal(table, field))))
  }

  #inserted(table: TableName, fields: readonly string[]) {
    return this.#db.insertInto(this.#table(table)).values(this.#values(table, fields))
  }

  #joined(from: 'account' | 'session') {
    return this.#db
      .selectFrom(`${this.#table(from)} as ${from}`)
      .innerJoin(
        `${this.#table('user')} as user`,
        `user.${this.#column('user', 'id')}`,
        `${from}.${this.#column(from, 'userId')}`,
      )
  }

  #equal(table: TableName, field: string, place: Place = key(field)): Expression<boolean> {
    return sql<boolean>`${sql.ref(this.#column(table, field))} = ${this.#written(table, field, place)}`
  }

  /** The first comparison uses an index. The second excludes rows that only the collation takes for the same. */
  #exactly(table: TableName, field: string, place: Place): Expression<boolean> {
    const equals = this.#equal(table, field, place)
    if (this.#layout.tables[table].columns[field]?.content !== 'key') return equals
    const same = this.#dialect.sameBytes(sql.ref(this.#column(table, field)), sql`${place}`)
    return sql<boolean>`${equals} and ${same}`
  }

  /** @param alias of the table, if another row has the same columns. */
  #compare(table: TableName, { field, is }: Comparison, alias = ''): Expression<boolean> {
    const place = value(CONDITION)
    if (is === '<>') return sql<boolean>`not (${this.#exactly(table, field, place)})`
    const bare = sql.ref(alias + this.#column(table, field))
    const ordered = this.#codec(table, field)?.order?.(bare) ?? bare
    return sql<boolean>`${ordered} ${sql.raw(is)} ${this.#written(table, field, place)}`
  }

  #which(
    table: TableName,
    keys: readonly string[],
    compared: Comparison | undefined,
  ): Expression<boolean> {
    return all([
      ...keys.map((field) => this.#exactly(table, field, key(field))),
      ...(compared ? [this.#compare(table, compared)] : []),
    ])
  }

  /** Whether the database generates the ids, so that they must be read. */
  #hasGeneratedId(table: TableName): boolean {
    return table === 'user' && this.#layout.tables.user.columns['id']?.generated === 'database'
  }
}

function all(conditions: readonly Expression<boolean>[]): Expression<boolean> {
  return sql<boolean>`${sql.join([...conditions], sql` and `)}`
}

/** The number of pages that are kept: each of them is prepared on each connection. */
const MOST_PAGES = 32

const ACCOUNT_KEY: readonly string[] = ['provider', 'providerAccountId']

function toStatement(compiled: CompiledQuery): Statement {
  const unnamed = toUnnamed(compiled)
  const name = `latchkey_${fingerprint(compiled.sql)}`
  return { with: (keys, values) => ({ ...unnamed.with(keys, values), name }) }
}

function toUnnamed({ query, queryId, sql, parameters }: CompiledQuery): Unnamed {
  const places = parameters as readonly Place[]
  return {
    with: (keys, values = {}) => ({
      query,
      queryId,
      sql,
      parameters: places.map(({ from, name }) => (from === 'keys' ? keys : values)[name]),
    }),
  }
}

/**
 * Returns 64 bits of a text and its length, so that each text has one name on a connection that several adapters or
 * copies of this package share.
 */
function fingerprint(text: string): string {
  let [low, high] = [0x811c9dc5, 0x9dc5811c]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return `${(low >>> 0).toString(36)}_${(high >>> 0).toString(36)}_${text.length}`
}
