import { withDocs } from '../../base/option-error.ts'
import { isAdapterConflict } from '../../model/adapter.ts'
import type { RecordName, Records } from '../records.ts'
import { again, Superseded } from '../rows/again.ts'
import type { Row } from '../rows/coding.ts'
import type { Condition, Keys, Rows } from '../rows/rows.ts'
import { EXPIRING_KEY, keysAfter, matches, removeInParts, takeFound } from '../rows/shared.ts'
import { type Client, type Delegate, delegateOf, type ModelNames } from './client.ts'
import { isCollision, isImpossible, translate } from './errors.ts'
import type { FieldMapping } from './fields.ts'

/** The parts that all connections of an adapter share. */
export interface PrismaParts {
  readonly models: ModelNames
  readonly mappings: { readonly [Name in RecordName]: FieldMapping<Name> | undefined }
  readonly ids: 'latchkey' | 'column'
}

/** Sends the queries of a client. */
interface Queries {
  modelOf<Name extends RecordName>(name: Name): { model: Delegate; mapping: FieldMapping<Name> }
  run<Result>(table: RecordName, query: () => Promise<Result>): Promise<Result>
  read(table: RecordName, keys: Keys, include?: object): Promise<Row[]>
}

function createQueries(client: Client, parts: PrismaParts, bound: boolean): Queries {
  const modelOf = <Name extends RecordName>(
    name: Name,
  ): { model: Delegate; mapping: FieldMapping<Name> } => {
    const [model, mapping] = [delegateOf(client, parts.models[name]), parts.mappings[name]]
    if (!model || !mapping)
      throw new Error(withDocs(`the client has no model ${parts.models[name]}`, 'adapterCall'))
    return { model, mapping }
  }

  const run = async <Result>(table: RecordName, query: () => Promise<Result>): Promise<Result> => {
    try {
      // A transaction can only be repeated as a whole.
      return await (bound ? query() : again(query, isCollision))
    } catch (error) {
      throw translate(error, table)
    }
  }

  /** Returns the rows that have exactly these keys. */
  const read = async (table: RecordName, keys: Keys, include?: object): Promise<Row[]> => {
    const { model, mapping } = modelOf(table)
    const where = whereOf(mapping, keys)
    if (!where) return []
    try {
      const found = await run(table, () => model.findMany(include ? { where, include } : { where }))
      return found.filter((row) => matches(mapping.decode(row), keys))
    } catch (error) {
      if (isImpossible(error)) return []
      throw error
    }
  }

  return { modelOf, run, read }
}

/**
 * Returns the rows of a Prisma client.
 *
 * @param bound whether the client is the client of a transaction.
 */
export function prismaRows(client: Client, parts: PrismaParts, bound = false): Rows {
  const { modelOf, run, read } = createQueries(client, parts, bound)
  const rows: Rows = {
    hasTransactions: true,
    has: (table) => parts.mappings[table] !== undefined,
    async find(table, keys) {
      return (await rows.list(table, keys))[0] ?? null
    },
    async list<Name extends RecordName>(table: Name, keys: Keys) {
      return (await read(table, keys)).map(modelOf(table).mapping.decode)
    },
    async insert<Name extends RecordName>(table: Name, record: Records[Name]) {
      const { model, mapping } = modelOf(table)
      const isOwn = table === 'user' && parts.ids === 'column'
      const data = mapping.encode(isOwn ? { ...record, id: undefined } : record)
      return mapping.decode(await run(table, () => model.create({ data })))
    },
    async insertUnlessTaken<Name extends 'verificationToken' | 'record'>(
      table: Name,
      record: Records[Name],
    ) {
      // In PostgreSQL, a refused insert ends the transaction. The transaction then starts again, and finds the existing
      // record.
      const { kind, key } = record as unknown as Row
      if (bound && table === 'record' && (await rows.find(table, { kind, key }))) return false
      try {
        await rows.insert(table, record)
        return true
      } catch (error) {
        if (!isAdapterConflict(error)) throw error
        if (bound && table === 'record') throw new Superseded({ cause: error })
        return false
      }
    },
    async update(table, keys, changes, condition) {
      const { model, mapping } = modelOf(table)
      const where = whereOf(mapping, keys, condition)
      if (!where) return false
      const data = mapping.encode(changes)
      return (await run(table, () => model.updateMany({ where, data }))).count > 0
    },
    async change(table, keys, changes, condition) {
      if (Object.keys(modelOf(table).mapping.encode(changes)).length === 0)
        return rows.find(table, keys)
      // Two statements: a row that only the collation takes for this one must not be changed.
      if (!(await rows.find(table, keys))) return null
      const isChanged = await rows.update(table, keys, changes, condition)
      return isChanged ? rows.find(table, keysAfter(keys, changes)) : null
    },
    take: (table, keys) => takeFound(rows, table, keys),
    async remove(table, keys, condition) {
      const { model, mapping } = modelOf(table)
      const where = whereOf(mapping, keys, condition)
      if (!where) return 0
      return (await run(table, () => model.deleteMany({ where }))).count
    },
    async removeExpired(table, now, batch) {
      const { model, mapping } = modelOf(table)
      const key = EXPIRING_KEY[table]
      const isOver = { expires: { lt: mapping.encodeKey('expires', now) } }
      return removeInParts(
        batch,
        (take) =>
          run(table, () => model.findMany({ where: isOver, select: { [key]: true }, take })),
        async (found) => {
          const keys = (found as Row[]).map((row) => row[key])
          const where = { ...isOver, [key]: { in: keys } }
          return (await run(table, () => model.deleteMany({ where }))).count
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
      const { model, mapping } = modelOf(table)
      const where = whereOf(mapping, keys)
      const behind = after === undefined ? undefined : mapping.encodeKey(field, after)
      if (!where || (after !== undefined && behind === undefined)) return []
      if (behind !== undefined) where[field] = { gt: behind }
      const query = { where, orderBy: { [field]: 'asc' }, take: limit }
      return (await run(table, () => model.findMany(query))).map(mapping.decode)
    },
    async userByAccount(keys) {
      const [found] = await read('account', keys, WITH_USER)
      return found?.['user'] ? modelOf('user').mapping.decode(found['user'] as Row) : null
    },
    async sessionAndUser(sessionToken) {
      const [found] = await read('session', { sessionToken }, WITH_USER)
      if (!found?.['user']) return null
      return {
        session: modelOf('session').mapping.decode(found),
        user: modelOf('user').mapping.decode(found['user'] as Row),
      }
    },
    async inTransaction(work) {
      const transaction = client.$transaction?.bind(client)
      if (bound || !transaction) return work(rows)
      const once = () => transaction((inside) => work(prismaRows(inside, parts, true)))
      const result = await again(once, isCollision)
      return result as Awaited<ReturnType<typeof work>>
    },
  }
  return rows
}

const WITH_USER = { user: true }

/** Returns a condition for rows with these keys; `undefined` if no row can have them. */
function whereOf(mapping: FieldMapping, keys: Keys, condition?: Condition): Row | undefined {
  const where: Row = {}
  for (const [member, value] of Object.entries(keys)) {
    const encoded = mapping.encodeKey(member, value)
    // Prisma ignores conditions with the value `undefined`.
    if (encoded === undefined) return undefined
    where[member] = encoded
  }
  if (!condition) return where
  const { field, is, value } = condition
  const encoded = mapping.encodeKey(field, value)
  // Every row differs from a value that no row can have.
  if (encoded === undefined) return is === '<>' ? where : undefined
  return { ...where, [field]: { [COMPARE[is]]: encoded } }
}

const COMPARE = { '<': 'lt', '<=': 'lte', '<>': 'not' } as const
