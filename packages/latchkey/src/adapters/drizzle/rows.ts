import { and, asc, eq, gt, inArray, lt, lte, ne, type SQL, type Table } from 'drizzle-orm'
import { withDocs } from '../../base/option-error.ts'
import { primaryKeys, type RecordName, type Records } from '../records.ts'
import { again } from '../rows/again.ts'
import type { Row } from '../rows/coding.ts'
import type { Condition, Keys, Rows } from '../rows/rows.ts'
import {
  EXPIRING_KEY,
  isInserted,
  keysAfter,
  matches,
  removeInParts,
  takeRecord,
} from '../rows/shared.ts'
import type { ColumnMapping } from './columns.ts'
import type { DrizzleDatabase } from './database.ts'
import { isCollision, translate, withoutTransactions } from './errors.ts'
import type { Turns } from './turns.ts'

/** What is the same for all connections of one adapter. */
export interface DrizzleParts {
  readonly mappings: { readonly [Name in RecordName]: ColumnMapping<Name> | undefined }
  readonly dialect: 'pg' | 'mysql' | 'sqlite'
  readonly ids: 'latchkey' | 'column'
  readonly transactions: boolean
  /** Of this process, where one at a time may write. */
  readonly turns: Turns
}

/** What all of Drizzle's databases have in common; its own types differ by engine. */
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

/** @param transaction the one that everything happens in; without it each call is on its own. */
// oxlint-disable-next-line max-lines-per-function -- the methods of one table of rows, which call each other
export function drizzleRows(
  database: DrizzleDatabase,
  parts: DrizzleParts,
  transaction?: DrizzleDatabase,
): Rows {
  const { dialect, ids, transactions } = parts
  const db = (transaction ?? database) as unknown as Database
  /** Whether a statement that writes can give the rows. */
  const returning = dialect !== 'mysql'

  const mappingOf = <Name extends RecordName>(name: Name): ColumnMapping<Name> => {
    const mapping = parts.mappings[name]
    if (!mapping)
      throw new Error(
        withDocs(
          `the Drizzle adapter has no table ${name}; pass it to \`drizzleAdapter\``,
          'adapterCall',
        ),
      )
    return mapping
  }

  const ask = async (table: RecordName, query: () => Query): Promise<Row[]> => {
    const once = async () => await query()
    try {
      // In a transaction nothing can be repeated but the whole.
      return await (transaction ? once() : again(once, isCollision))
    } catch (error) {
      throw translate(error, table, mappingOf(table).columns)
    }
  }

  /** Runs one statement that writes. */
  const run = async (table: RecordName, query: () => Query): Promise<Row[]> => {
    const write = () => ask(table, query)
    return dialect === 'sqlite' && !transaction ? parts.turns.beside(write) : write()
  }

  const rows: Rows = {
    hasTransactions: transactions,
    has: (table) => parts.mappings[table] !== undefined,
    async find(table, keys) {
      return (await rows.list(table, keys))[0] ?? null
    },
    async list<Name extends RecordName>(table: Name, keys: Keys) {
      const mapping = mappingOf(table)
      const condition = where(mapping, keys)
      if (!condition) return []
      const found = await ask(table, () =>
        db.select(mapping.columns).from(mapping.table).where(condition),
      )
      return exactly(found.map(mapping.decode), keys)
    },
    async insert<Name extends RecordName>(table: Name, record: Records[Name]) {
      const mapping = mappingOf(table)
      const isOwn = table === 'user' && ids === 'column'
      const row = mapping.encode(isOwn ? { ...record, id: undefined } : record)
      const insert = () => db.insert(mapping.table).values(row)
      if (returning) {
        const [stored] = await run(table, () => insert().returning(mapping.columns))
        return mapping.decode(stored ?? row)
      }
      const [made] = await run(table, () => (isOwn ? insert().$returningId() : insert()))
      const inserted = mapping.decode(isOwn ? { ...row, ...made } : row)
      const key = primaryKeys[table].map((member) => [member, (inserted as unknown as Row)[member]])
      return (await rows.find(table, Object.fromEntries(key))) ?? inserted
    },
    async insertUnlessTaken(table, record) {
      const mapping = mappingOf(table)
      if (!returning) return isInserted(() => rows.insert(table, record))
      const row = mapping.encode(record)
      const added = await run(table, () =>
        db.insert(mapping.table).values(row).onConflictDoNothing().returning(mapping.columns),
      )
      return added.length > 0
    },
    async update(table, keys, changes, condition) {
      const mapping = mappingOf(table)
      const selected = where(mapping, keys, condition)
      if (!selected) return false
      const row = mapping.encode(changes)
      const update = () => db.update(mapping.table).set(row).where(selected)
      if (!returning) return countOf(await run(table, update)) > 0
      return (await run(table, () => update().returning(mapping.columns))).length > 0
    },
    async change(table, keys, changes, condition) {
      const mapping = mappingOf(table)
      const row = mapping.encode(changes)
      if (Object.keys(row).length === 0) return rows.find(table, keys)
      const selected = where(mapping, keys, condition)
      if (!selected) return null
      const update = () => db.update(mapping.table).set(row).where(selected)
      const after = keysAfter(keys, changes)
      if (returning) {
        const changed = await run(table, () => update().returning(mapping.columns))
        return exactly(changed.map(mapping.decode), after)[0] ?? null
      }
      // Two statements, so a row that only the collation takes for this one must not be changed.
      if (!(await rows.find(table, keys))) return null
      return countOf(await run(table, update)) > 0 ? rows.find(table, after) : null
    },
    async take(table, keys) {
      const mapping = mappingOf(table)
      const condition = where(mapping, keys)
      if (!condition) return null
      const remove = () => db.delete(mapping.table).where(condition)
      if (returning) {
        const taken = await run(table, () => remove().returning(mapping.columns))
        return exactly(taken.map(mapping.decode), keys)[0] ?? null
      }
      if (table === 'record') return (await takeRecord(rows, keys)) as Records[typeof table] | null
      // Another request may have found the row, too. The one that removed it receives it.
      const found = await rows.find(table, keys)
      return found && countOf(await run(table, remove)) > 0 ? found : null
    },
    async remove(table, keys, condition) {
      const mapping = mappingOf(table)
      const selected = where(mapping, keys, condition)
      return selected ? removeAll(table, mapping, selected) : 0
    },
    async removeExpired(table, now, batch) {
      const mapping: ColumnMapping = mappingOf(table)
      const key = mapping.columns[EXPIRING_KEY[table]]
      const isOver = compared(lt, mapping, 'expires', now)
      if (!key || !isOver) return 0
      return removeInParts(
        batch,
        (limit) =>
          ask(table, () => db.select({ key }).from(mapping.table).where(isOver).limit(limit)),
        (found) => {
          const keys = (found as Row[]).map((row) => row['key'])
          return removeAll(table, mapping, and(inArray(key, keys), isOver))
        },
      )
    },
    async page<Name extends RecordName>(
      table: Name,
      field: string,
      limit: number,
      after?: string,
      keys: Keys = {},
    ) {
      const mapping = mappingOf(table)
      const column = mapping.columns[field]
      const isAfter = after === undefined ? undefined : compared(gt, mapping, field, after)
      const selected = conditionsOf(mapping, keys)
      if (!column || !selected || (after !== undefined && !isAfter)) return []
      const found = await ask(table, () =>
        db
          .select(mapping.columns)
          .from(mapping.table)
          .where(and(...selected, isAfter))
          .orderBy(asc(column))
          .limit(limit),
      )
      return found.map(mapping.decode)
    },
    async userByAccount(keys) {
      const [account, user] = [mappingOf('account'), mappingOf('user')]
      const [found] = await joined(account, user, keys)
      return found ? user.decode(found['user'] as Row) : null
    },
    async sessionAndUser(sessionToken) {
      const [session, user] = [mappingOf('session'), mappingOf('user')]
      const [found] = await joined(session, user, { sessionToken })
      if (!found) return null
      return {
        session: session.decode(found['child'] as Row),
        user: user.decode(found['user'] as Row),
      }
    },
    async inTransaction(work) {
      if (transaction || !transactions) return work(rows)
      const once = async (): Promise<unknown> => {
        let hasBegun = false
        try {
          return await db.transaction((inside) => {
            hasBegun = true
            return work(drizzleRows(database, parts, inside))
          })
        } catch (error) {
          throw hasBegun ? error : withoutTransactions(error)
        }
      }
      const start = () => again(once, isCollision)
      const result = await (dialect === 'sqlite' ? parts.turns.alone(start) : start())
      return result as Awaited<ReturnType<typeof work>>
    },
  }
  return rows

  /** Rows of a table with its user, those that have exactly these keys. */
  async function joined(
    child: ColumnMapping<'account' | 'session'>,
    user: ColumnMapping<'user'>,
    keys: Keys,
  ): Promise<Row[]> {
    const condition = where(child, keys)
    const [userId, id] = [child.columns['userId'], user.columns['id']]
    if (!condition || !userId || !id) return []
    const found = await ask('user', () =>
      db
        .select({ child: child.columns, user: user.columns })
        .from(child.table)
        .innerJoin(user.table, eq(userId, id))
        .where(condition),
    )
    return found.filter((row) => matches(child.decode(row['child'] as Row), keys))
  }

  /** @returns how many there were. */
  async function removeAll(
    table: RecordName,
    mapping: ColumnMapping,
    condition: SQL | undefined,
  ): Promise<number> {
    const remove = () => db.delete(mapping.table).where(condition)
    if (!returning) return countOf(await run(table, remove))
    return (await run(table, () => remove().returning(mapping.columns))).length
  }
}

/** How many rows a statement has changed, where the driver says so instead of giving them. */
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
function exactly<Value extends object>(found: readonly Value[], keys: Keys): Value[] {
  return found.filter((record) => matches(record, keys))
}
