import { type CompiledQuery, type Expression, sql } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import type { Condition } from '../rows/rows.ts'
import type { AnyDatabase, NamedQuery, Row, SqlDialect } from './dialect.ts'
import type { Layout } from './layout.ts'
import type { Field, RowMappings } from './rows.ts'
import type { TableName } from './tables.ts'

/** A query that was built once. Running it takes values for its places. */
export interface Statement {
  /** @param keys what rows are looked for by. @param values what is written. */
  with(keys: Row, values?: Row): NamedQuery
}

/** The same for a query that nobody keeps. */
export interface Unnamed {
  with(keys: Row, values?: Row): CompiledQuery
}

/** The value of a {@link Condition} stands among the values with this name. */
export const CONDITION = ' condition'

type Compared = Omit<Condition, 'value'> | undefined

export interface Statements {
  find(table: TableName, keys: readonly string[]): Statement
  /** Finds a row, and keeps others from it until the transaction is over. */
  lock(table: TableName, keys: readonly string[]): Statement
  insert(table: TableName, fields: readonly string[]): Statement
  /** Does nothing if a unique key exists. For engines with ON CONFLICT. */
  insertUnlessTaken(table: TableName, fields: readonly string[]): Statement
  /** Replaces the row with the same primary key, if there is one that meets the condition. */
  insertOver(
    table: TableName,
    fields: readonly string[],
    compared: Omit<Condition, 'value'>,
  ): Statement
  update(
    table: TableName,
    keys: readonly string[],
    changed: readonly string[],
    compared: Compared,
  ): Statement
  /** @param returns whether it says what it removed, if the engine can. */
  remove(
    table: TableName,
    keys: readonly string[],
    returns: boolean,
    compared?: Compared,
  ): Statement
  /** Removes some rows that are less than a value in one field. */
  removeSome(table: TableName, compared: Omit<Condition, 'value'>, limit: number): Unnamed
  /**
   * Some rows in the order of a field, from the beginning or behind a value, which is a key.
   *
   * @param keys what else they are looked for by.
   */
  page(
    table: TableName,
    field: string,
    limit: number,
    behind: boolean,
    keys: readonly string[],
  ): Unnamed
  /** The key of the account comes with {@link ACCOUNT_PREFIX}. */
  userByAccount(): Statement
  /** The columns of the user come with {@link USER_PREFIX}. */
  sessionAndUser(): Statement
}

/** Stands before the user's columns where another table is read too. */
export const USER_PREFIX = 'user.'
export const ACCOUNT_PREFIX = 'account.'

/** Where a value goes; it stands in the built query until there is one. */
interface Place {
  readonly from: 'keys' | 'values'
  readonly name: string
}

const key = (name: string): Place => ({ from: 'keys', name })
const value = (name: string): Place => ({ from: 'values', name })

/**
 * The queries, each built by Kysely when it is first needed and kept: building one costs more than
 * running it. Their number is bounded by the tables and the sets of columns that updates name.
 */
// oxlint-disable-next-line max-lines-per-function -- one statement after the other, over the same tables
export function createStatements(
  db: AnyDatabase,
  layout: Layout,
  mappings: RowMappings,
  dialect: SqlDialect,
): Statements {
  const { returning } = dialect
  const kept = new Map<string, Statement>()
  const keep = (name: string, build: () => { compile(): CompiledQuery }): Statement => {
    const found = kept.get(name)
    if (found) return found
    const statement = toStatement(build().compile())
    kept.set(name, statement)
    return statement
  }

  /** For queries with a number in their text, which is for the caller to choose. */
  const once = (build: () => { compile(): CompiledQuery }): Unnamed => toUnnamed(build().compile())

  let pages = 0
  /** For queries whose callers choose few numbers, so that the first ones are kept. */
  const keepFew = (name: string, build: () => { compile(): CompiledQuery }): Unnamed => {
    const found = kept.get(name)
    if (found) return found
    if (pages === MOST_PAGES) return once(build)
    pages += 1
    return keep(name, build)
  }

  const named = (table: TableName): string => {
    const { name } = layout.tables[table]
    return layout.schema === undefined ? name : `${layout.schema}.${name}`
  }
  const column = (table: TableName, field: string): string => {
    const found = layout.tables[table].columns[field]
    if (!found)
      throw new Error(withDocs(`the table ${table} has no column for ${field}`, 'adapterCall'))
    return found.name
  }
  const codec = (table: TableName, field: string) => {
    const content = layout.tables[table].columns[field]?.content
    return content && dialect.codecs[content]
  }
  const written = (table: TableName, field: string, place: Place): unknown =>
    codec(table, field)?.write?.(place) ?? place

  /** @param alias of the table, where there are several. @param prefix of the names in the result. */
  const read = (fields: readonly Field[], alias = '', prefix = '') =>
    fields.map(({ field, name, codec }) => {
      const bare = sql.ref(alias + name)
      return (codec?.read?.(bare) ?? bare).as(prefix + field)
    })

  const equal = (table: TableName, field: string, place: Place) =>
    sql<boolean>`${sql.ref(column(table, field))} = ${written(table, field, place)}`

  /** An index finds it, and nothing else is changed that the collation takes for the same. */
  const exactly = (table: TableName, field: string, place: Place): Expression<boolean> => {
    const equals = equal(table, field, place)
    if (layout.tables[table].columns[field]?.content !== 'key') return equals
    const same = dialect.sameBytes(sql.ref(column(table, field)), sql`${place}`)
    return sql<boolean>`${equals} and ${same}`
  }

  const all = (conditions: readonly Expression<boolean>[]) =>
    sql<boolean>`${sql.join([...conditions], sql` and `)}`

  /** @param alias of the table, where another row has the same columns. */
  const compare = (table: TableName, { field, is }: Omit<Condition, 'value'>, alias = '') => {
    const place = value(CONDITION)
    if (is === '<>') return sql<boolean>`not (${exactly(table, field, place)})`
    const bare = sql.ref(alias + column(table, field))
    const ordered = codec(table, field)?.order?.(bare) ?? bare
    return sql<boolean>`${ordered} ${sql.raw(is)} ${written(table, field, place)}`
  }

  const which = (table: TableName, keys: readonly string[], compared: Compared) =>
    all([
      ...keys.map((field) => exactly(table, field, key(field))),
      ...(compared ? [compare(table, compared)] : []),
    ])

  const valuesOf = (table: TableName, fields: readonly string[]) =>
    Object.fromEntries(
      fields.map((field) => [column(table, field), written(table, field, value(field))]),
    )

  const found = (table: TableName, keys: readonly string[]) =>
    db
      .selectFrom(named(table))
      .select(read(mappings[table].fields))
      .where(all(keys.map((field) => equal(table, field, key(field)))))

  const inserted = (table: TableName, fields: readonly string[]) =>
    db.insertInto(named(table)).values(valuesOf(table, fields))

  const joined = (from: 'account' | 'session') =>
    db
      .selectFrom(`${named(from)} as ${from}`)
      .innerJoin(
        `${named('user')} as user`,
        `user.${column('user', 'id')}`,
        `${from}.${column(from, 'userId')}`,
      )

  const text = (parts: readonly unknown[]): string => parts.join(' ')

  return {
    find: (table, keys) => keep(text(['find', table, keys]), () => found(table, keys)),
    lock: (table, keys) => keep(text(['lock', table, keys]), () => found(table, keys).forUpdate()),
    insertUnlessTaken: (table, fields) =>
      keep(text(['insert unless taken', table, fields]), () =>
        inserted(table, fields).onConflict((conflict) => conflict.doNothing()),
      ),
    insert: (table, fields) =>
      keep(text(['insert', table, fields]), () => {
        const query = inserted(table, fields)
        return returning.insert && counted(table)
          ? query.returning(read(mappings[table].fields.filter(({ field }) => field === 'id')))
          : query
      }),
    insertOver: (table, fields, compared) =>
      keep(text(['insert over', table, fields, compared.field, compared.is]), () => {
        const { primaryKey, name: stored } = layout.tables[table]
        const given = fields
          .filter((field) => !primaryKey.includes(field))
          .map((field) => column(table, field))
          .map((name) => [name, sql.ref(`excluded.${name}`)])
        return inserted(table, fields).onConflict((conflict) =>
          conflict
            .columns(primaryKey.map((field) => column(table, field)))
            .doUpdateSet(Object.fromEntries(given))
            .where(compare(table, compared, `${stored}.`)),
        )
      }),
    update: (table, keys, changed, compared) =>
      keep(text(['update', table, keys, changed, compared?.field, compared?.is]), () => {
        const query = db
          .updateTable(named(table))
          .set(valuesOf(table, changed))
          .where(which(table, keys, compared))
        return returning.update ? query.returning(read(mappings[table].fields)) : query
      }),
    remove: (table, keys, returns, compared) =>
      keep(text(['remove', table, keys, returns, compared?.field, compared?.is]), () => {
        const query = db.deleteFrom(named(table)).where(which(table, keys, compared))
        return returns && returning.delete ? query.returning(read(mappings[table].fields)) : query
      }),
    removeSome: (table, compared, limit) =>
      once(() => {
        const condition = compare(table, compared)
        const { limitedDelete } = dialect
        const query = db.deleteFrom(named(table))
        if (limitedDelete === 'limit') return query.where(condition).limit(sql.lit(limit))
        if (limitedDelete === 'top') return query.top(limit).where(condition)
        const keys = layout.tables[table].primaryKey.map((field) => column(table, field))
        let some = db.selectFrom(named(table)).select(keys).where(condition).limit(sql.lit(limit))
        if (limitedDelete === 'choose and lock') some = some.forUpdate().skipLocked()
        const list = sql.join(keys.map((name) => sql.ref(name)))
        // By name, so that it is certain that they are chosen once.
        return db
          .with('chosen', () => some)
          .deleteFrom(named(table))
          .where(sql<boolean>`(${list}) in (select ${list} from chosen)`)
      }),
    page: (table, field, limit, behind, keys) =>
      keepFew(text(['page', table, field, limit, behind, keys]), () => {
        const order = sql.ref(column(table, field))
        let query = db.selectFrom(named(table)).select(read(mappings[table].fields)).orderBy(order)
        for (const each of keys) query = query.where(equal(table, each, key(each)))
        if (behind)
          query = query.where(sql<boolean>`${order} > ${written(table, field, key(field))}`)
        return dialect.limit === 'top' ? query.top(limit) : query.limit(sql.lit(limit))
      }),
    userByAccount: () =>
      keep('userByAccount', () => {
        const keys = mappings.account.fields.filter(({ field }) => ACCOUNT_KEY.includes(field))
        return joined('account')
          .select(read(mappings.user.fields, 'user.'))
          .select(read(keys, 'account.', ACCOUNT_PREFIX))
          .where(
            all(
              keys.map(
                ({ name, field }) => sql<boolean>`${sql.ref(`account.${name}`)} = ${key(field)}`,
              ),
            ),
          )
      }),
    sessionAndUser: () =>
      keep('sessionAndUser', () =>
        joined('session')
          .select(read(mappings.session.fields, 'session.'))
          .select(read(mappings.user.fields, 'user.', USER_PREFIX))
          .where(
            sql<boolean>`${sql.ref(`session.${column('session', 'sessionToken')}`)} = ${key('sessionToken')}`,
          ),
      ),
  }

  /** Whether the database makes the ids, so that they must be read. */
  function counted(table: TableName): boolean {
    return table === 'user' && layout.tables.user.columns['id']?.generated === 'database'
  }
}

/** Pages that are kept, of any length: each is prepared on each connection. */
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
 * 64 bits of a text and its length. A connection that the application shares between several
 * adapters, or copies of this package, gets one name for each text.
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
