import { withDocs } from '../../base/option-error.ts'
import { isAdapterConflict } from '../../model/adapter.ts'
import type { RecordName, Records } from '../records.ts'
import { again, Superseded } from '../rows/again.ts'
import type { Row } from '../rows/coding.ts'
import type { Keys, Rows } from '../rows/rows.ts'
import { type Client, type Delegate, delegateOf, type ModelNames } from './client.ts'
import { isCollision, isImpossible, translate } from './errors.ts'
import type { FieldMapping } from './fields.ts'

/** What is the same for all connections of one adapter. */
export interface PrismaParts {
  readonly models: ModelNames
  readonly mappings: { readonly [Name in RecordName]: FieldMapping<Name> | undefined }
  readonly ids: 'latchkey' | 'column'
}

/** How all queries of one client are sent. */
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
      // In a transaction nothing can be repeated but the whole.
      return await (bound ? query() : again(query, isCollision))
    } catch (error) {
      throw translate(error, table)
    }
  }

  /** Rows that have exactly these keys. */
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

/** @param bound whether the client is that of a transaction. */
export function prismaRows(client: Client, parts: PrismaParts, bound = false): Rows {
  const { modelOf, run, read } = createQueries(client, parts, bound)
  const rows: Rows = {
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
      // A refused insert would end a transaction in PostgreSQL; one that was refused all the same is
      // begun again, and sees what was in the way.
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
    async update(table, keys, changes) {
      const { model, mapping } = modelOf(table)
      const where = whereOf(mapping, keys)
      if (!where) return 0
      const data = mapping.encode(changes)
      return (await run(table, () => model.updateMany({ where, data }))).count
    },
    async change(table, keys, changes, below) {
      const { model, mapping } = modelOf(table)
      const data = mapping.encode(changes)
      if (Object.keys(data).length === 0) return rows.find(table, keys)
      // Two statements, so a row that only the collation takes for this one must not be changed.
      const before = await rows.find(table, keys)
      const where = whereOf(mapping, keys)
      if (!before || !where) return null
      const limit = below && { [below[0]]: { lt: mapping.encodeKey(...below) } }
      const { count } = await run(table, () =>
        model.updateMany({ where: { ...where, ...limit }, data }),
      )
      return count > 0 ? rows.find(table, { ...keys, ...given(changes, keys) }) : null
    },
    async take(table, keys) {
      const { model, mapping } = modelOf(table)
      const found = await rows.find(table, keys)
      const where = whereOf(mapping, keys)
      if (!found || !where) return null
      // Others may have found it, too; who removed it, has it.
      const { count } = await run(table, () => model.deleteMany({ where }))
      return count > 0 ? found : null
    },
    async remove(table, keys, except) {
      const mapping = parts.mappings[table]
      const where = mapping && whereOf(mapping, keys)
      if (!where) return 0
      const stays = except && { NOT: { [except[0]]: mapping.encodeKey(...except) } }
      const { count } = await run(table, () =>
        modelOf(table).model.deleteMany({ where: { ...where, ...stays } }),
      )
      return count
    },
    async removeExpired(table, now, batch) {
      const mapping = parts.mappings[table] as FieldMapping | undefined
      if (!mapping) return 0
      const { model } = modelOf(table)
      const key = EXPIRING[table]
      const isOver = { expires: { lt: mapping.encodeKey('expires', now) } }
      let removed = 0
      while (removed < batch) {
        const expired = await run(table, () =>
          model.findMany({ where: isOver, select: { [key]: true }, take: batch - removed }),
        )
        if (expired.length === 0) break
        const keys = expired.map((row) => row[key])
        // Asked again: a session may have been extended meanwhile, or removed by somebody else.
        const { count } = await run(table, () =>
          model.deleteMany({ where: { ...isOver, [key]: { in: keys } } }),
        )
        removed += count
      }
      return removed
    },
    async recordsAfter(keys, key, limit) {
      const { model, mapping } = modelOf('record')
      const where = whereOf(mapping, keys)
      if (!where) return []
      const isAfter = key === undefined ? {} : { key: { gt: mapping.encodeKey('key', key) } }
      const found = await run('record', () =>
        model.findMany({ where: { ...where, ...isAfter }, orderBy: { key: 'asc' }, take: limit }),
      )
      return found.map(mapping.decode)
    },
    async usersAfter(id, limit) {
      const { model, mapping } = modelOf('user')
      const after = id === undefined ? undefined : mapping.encodeKey('id', id)
      if (id !== undefined && after === undefined) return []
      const where = after === undefined ? {} : { id: { gt: after } }
      const found = await run('user', () =>
        model.findMany({ where, orderBy: { id: 'asc' }, take: limit }),
      )
      return found.map(mapping.decode)
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

/** By which member rows are removed that are over. */
const EXPIRING = { session: 'sessionToken', verificationToken: 'token', record: 'key' } as const

/** A condition that rows have these keys; nothing when no row can have them. */
function whereOf(mapping: FieldMapping, keys: Keys): Row | undefined {
  const where: Row = {}
  for (const [member, value] of Object.entries(keys)) {
    const encoded = mapping.encodeKey(member, value)
    // Prisma takes a missing value for no condition at all.
    if (encoded === undefined) return undefined
    where[member] = encoded
  }
  return where
}

/** A store that folds case or blanks finds rows that were not asked for. */
function matches(record: object, keys: Keys): boolean {
  return Object.entries(keys).every(([member, value]) => (record as Row)[member] === value)
}

/** The new values of keys that are changed. */
function given(changes: object, keys: Keys): Row {
  return Object.fromEntries(
    Object.entries(changes).filter(([member, value]) => member in keys && value !== undefined),
  )
}
