import type { CompiledQuery, Kysely } from 'kysely'
import type { AnyDatabase, Row, SqlDialect } from './dialect.ts'
import type { RowMappings } from './rows.ts'
import type { TableName } from './tables.ts'

/** A query that was built once. Running it takes values for its places. */
export interface Statement {
  /** @param keys what rows are looked for by. @param values what is written. */
  with(keys: Row, values?: Row): CompiledQuery
}

export interface Statements {
  find(table: TableName, keys: readonly string[]): Statement
  insert(table: TableName): Statement
  /** @param ceiling a column that must be below the value `ceiling`. */
  update(
    table: TableName,
    keys: readonly string[],
    changed: readonly string[],
    ceiling?: string,
  ): Statement
  remove(table: TableName, keys: readonly string[]): Statement
  userByAccount(): Statement
  /** The columns of the user come with {@link USER_PREFIX}. */
  sessionAndUser(): Statement
}

/** Stands before the user's columns where another table is read too. */
export const USER_PREFIX = 'user.'

type Tables = Record<TableName, Row>

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
export function createStatements(
  anyDatabase: AnyDatabase,
  mappings: RowMappings,
  { returning }: Pick<SqlDialect, 'returning'>,
): Statements {
  const db: Kysely<Tables> = anyDatabase
  const kept = new Map<string, Statement>()
  const keep = (name: string, build: () => { compile(): CompiledQuery }): Statement => {
    const found = kept.get(name)
    if (found) return found
    const statement = toStatement(build().compile())
    kept.set(name, statement)
    return statement
  }
  const qualified = (table: TableName) =>
    mappings[table].columns.map((name) => `${table}.${name}` as const)

  return {
    find: (table, keys) =>
      keep(`find ${table} ${keys.join()}`, () => {
        let query = db.selectFrom(table).select(mappings[table].columns)
        for (const name of keys) query = query.where(name, '=', key(name))
        return query
      }),
    insert: (table) =>
      keep(`insert ${table}`, () =>
        db
          .insertInto(table)
          .values(Object.fromEntries(mappings[table].columns.map((name) => [name, value(name)]))),
      ),
    update: (table, keys, changed, ceiling) =>
      keep(`update ${table} ${keys.join()} ${changed.join()} ${ceiling ?? ''}`, () => {
        let query = db
          .updateTable(table)
          .set(Object.fromEntries(changed.map((name) => [name, value(name)])))
        for (const name of keys) query = query.where(name, '=', key(name))
        if (ceiling !== undefined) query = query.where(ceiling, '<', value('ceiling'))
        return returning ? query.returning(mappings[table].columns) : query
      }),
    remove: (table, keys) =>
      keep(`remove ${table} ${keys.join()}`, () => {
        let query = db.deleteFrom(table)
        for (const name of keys) query = query.where(name, '=', key(name))
        return returning ? query.returning(mappings[table].columns) : query
      }),
    userByAccount: () =>
      keep('userByAccount', () =>
        db
          .selectFrom('account')
          .innerJoin('user', 'user.id', 'account.userId')
          .select(qualified('user'))
          .select(['account.provider as accountProvider', 'account.providerAccountId as accountId'])
          .where('account.provider', '=', key('provider'))
          .where('account.providerAccountId', '=', key('providerAccountId')),
      ),
    sessionAndUser: () =>
      keep('sessionAndUser', () =>
        db
          .selectFrom('session')
          .innerJoin('user', 'user.id', 'session.userId')
          .select(qualified('session'))
          .select(
            mappings.user.columns.map((name) => `user.${name} as ${USER_PREFIX}${name}` as const),
          )
          .where('session.sessionToken', '=', key('sessionToken')),
      ),
  }
}

function toStatement(compiled: CompiledQuery): Statement {
  const places = compiled.parameters as readonly Place[]
  const { query, queryId, sql } = compiled
  return {
    with: (keys, values = {}) => ({
      query,
      queryId,
      sql,
      parameters: places.map(({ from, name }) => (from === 'keys' ? keys : values)[name]),
    }),
  }
}
