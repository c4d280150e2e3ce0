import { withDocs } from '../../base/option-error.ts'
import {
  type CollectionName,
  collections,
  DuplicateRecord,
  type Fields,
  type RecordStoreClient,
  type StoredRecord,
} from './client.ts'

/** A connected client of the package `surrealdb`, as far as it is used. */
export interface SurrealLike {
  query(statement: string, bindings: Record<string, unknown>): PromiseLike<unknown>
}

export interface SurrealClientOptions {
  /** The prefix of the names of tables. @default 'nextauth_' */
  readonly prefix?: string | undefined
}

const PREFIX = 'nextauth_'

/** The statements that define the tables, with what is unique. Running them again changes nothing. */
export function surrealSchema({ prefix = PREFIX }: SurrealClientOptions = {}): string[] {
  return names().flatMap((name) => {
    const table = escaped(prefix + name)
    const { unique, links, dates } = collections[name]
    const owner = name === 'records' ? ['userId'] : Object.keys(links)
    const single = [...owner, ...dates.filter((date) => date === 'expires')]
    return [
      `DEFINE TABLE IF NOT EXISTS ${table} SCHEMALESS`,
      `DEFINE INDEX IF NOT EXISTS ${escaped(`${prefix}${name}_key`)} ON ${table} ` +
        `FIELDS ${unique.join(', ')} UNIQUE`,
      ...single.map(
        (field) =>
          `DEFINE INDEX IF NOT EXISTS ${escaped(`${prefix}${name}_${field}`)} ON ${table} ` +
          `FIELDS ${field}`,
      ),
    ]
  })
}

function names(): CollectionName[] {
  return Object.keys(collections) as CollectionName[]
}

/**
 * SurrealDB as a record store. Every call is one statement.
 *
 * @param surreal connected, with the namespace and the database chosen.
 */
export function surrealClient(
  surreal: SurrealLike,
  { prefix = PREFIX }: SurrealClientOptions = {},
): RecordStoreClient {
  const run = async (
    name: CollectionName,
    statement: string,
    bindings: Record<string, unknown> = {},
  ): Promise<StoredRecord[]> => {
    const all = { ...bindings, table: prefix + name }
    const [rows] = (await patiently(name, () => surreal.query(statement, all))) as [unknown]
    const list = Array.isArray(rows) ? rows : rows ? [rows] : []
    return list.map((row) => decoded(name, row as Fields))
  }
  const first = async (...args: Parameters<typeof run>): Promise<StoredRecord | null> =>
    (await run(...args))[0] ?? null
  const queue = queueOf(surreal)

  return {
    async create(name, { id, ...fields }) {
      const { sets, bindings } = assignments(name, fields, prefix)
      const target = id === undefined ? 'type::table($table)' : 'type::record($table, $id)'
      const set = sets.length > 0 ? ` SET ${sets.join(', ')}` : ''
      const created = await first(name, `CREATE ${target}${set}`, {
        ...bindings,
        ...(id === undefined ? {} : { id }),
      })
      if (!created)
        throw new Error(
          withDocs(`SurrealDB did not return the record that it created in ${name}`, 'adapterCall'),
        )
      return created
    },
    get: (name, id) => first(name, `SELECT * FROM ${RECORD}`, { id }),
    async query(name, where) {
      const { tests, bindings } = conditions(name, where, prefix)
      const statement = `SELECT * FROM type::table($table) WHERE ${tests.join(' AND ')}`
      for (let look = 1; ; look++) {
        const found = await run(name, statement, bindings)
        if (found.length > 0 || look === LOOKS) return found
        await new Promise((resolve) => setTimeout(resolve, look))
      }
    },
    update(name, id, changes, expected = {}) {
      const { sets, bindings } = assignments(name, changes, prefix)
      const { tests, bindings: others } = conditions(name, expected, prefix)
      const where = tests.length > 0 ? ` WHERE ${tests.join(' AND ')}` : ''
      const statement = `UPDATE ${RECORD} SET ${sets.join(', ')}${where}`
      return inTurn(queue, [name, id], () => first(name, statement, { ...bindings, ...others, id }))
    },
    delete: (name, id) =>
      inTurn(queue, [name, id], () => first(name, `DELETE ${RECORD} RETURN BEFORE`, { id })),
    takeOnce(name, where) {
      const { tests, bindings } = conditions(name, where, prefix)
      const statement = `DELETE type::table($table) WHERE ${tests.join(' AND ')} RETURN BEFORE`
      return inTurn(queue, [name, ...Object.values(where)], () => first(name, statement, bindings))
    },
    expired: (name, before, limit) =>
      run(name, 'SELECT * FROM type::table($table) WHERE expires < $before LIMIT $limit', {
        before,
        limit,
      }),
    page(name, { limit, after }) {
      const where = after === undefined ? '' : `WHERE id > ${recordOf('$table', '$after')} `
      const bindings = { limit, ...(after === undefined ? {} : { after }) }
      return run(
        name,
        `SELECT * FROM type::table($table) ${where}ORDER BY id LIMIT $limit`,
        bindings,
      )
    },
  }
}

/** The last of those who change a record, by what they change. */
type Queue = Map<string, Promise<unknown>>

/** One for each connection: engines within the process have no other. */
const queues = new WeakMap<SurrealLike, Queue>()

function queueOf(surreal: SurrealLike): Queue {
  let queue = queues.get(surreal)
  if (!queue) queues.set(surreal, (queue = new Map()))
  return queue
}

/**
 * One after the other: the engines that run within the process let two deletions of one record, and now and then two
 * updates, both succeed. A server's engines refuse one of them.
 */
async function inTurn<Result>(
  queue: Queue,
  changed: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify(changed)
  const turn = (queue.get(key) ?? Promise.resolve()).then(work, work)
  queue.set(key, turn)
  try {
    return await turn
  } finally {
    if (queue.get(key) === turn) queue.delete(key)
  }
}

const RECORD = recordOf('$table', '$id')

/** There is no record without an id, and asking for one is an error. */
function recordOf(table: string, id: string): string {
  return `(IF ${id} = '' { [] } ELSE { type::record(${table}, ${id}) })`
}

/** Statements that meet others are refused, and may be run again. */
const PATIENCE = 50

/**
 * How often a query finds nothing before there is nothing: while others write a record, an index may
 * miss it for a moment, and a sign-out that finds no session would leave it alive.
 */
const LOOKS = 3

/** @throws DuplicateRecord without the values that SurrealDB tells. */
async function patiently(name: CollectionName, run: () => PromiseLike<unknown>): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const { message } = error as Error
      if (/\balready (?:contains|exists)\b/.test(message)) throw new DuplicateRecord(name)
      if (attempt === PATIENCE || !/conflict|retried/i.test(message)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.min(attempt, 10)))
    }
  }
}

function assignments(name: CollectionName, fields: Fields, prefix: string) {
  const { parts: sets, bindings } = pairs(name, fields, { prefix, letter: 's', operator: '=' })
  return { sets, bindings }
}

function conditions(name: CollectionName, fields: Fields, prefix: string) {
  const { parts: tests, bindings } = pairs(name, fields, { prefix, letter: 'w', operator: '==' })
  return { tests, bindings }
}

/** `field = value` for each, with links as links. */
function pairs(
  name: CollectionName,
  fields: Fields,
  { prefix, letter, operator }: { prefix: string; letter: string; operator: string },
): { parts: string[]; bindings: Record<string, unknown> } {
  const { links } = collections[name]
  const parts: string[] = []
  const bindings: Record<string, unknown> = {}
  for (const [index, [field, value]] of Object.entries(fields).entries()) {
    const variable = letter + index
    bindings[variable] = value
    const target = links[field]
    if (target) bindings[`${variable}t`] = prefix + target
    const text = target ? recordOf(`$${variable}t`, `$${variable}`) : `$${variable}`
    parts.push(`${escaped(field)} ${operator} ${text}`)
  }
  return { parts, bindings }
}

function escaped(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
}

/** Ids, links and dates are objects of the client; everything else is as it was stored. */
function decoded(name: CollectionName, row: Fields): StoredRecord {
  const { links, dates } = collections[name]
  const record: Record<string, unknown> = { ...row, id: idOf(row['id']) }
  for (const link of Object.keys(links)) record[link] = idOf(record[link])
  for (const date of dates) record[date] = dateOf(record[date])
  return record as StoredRecord
}

function idOf(value: unknown): string {
  return String((value as { id: unknown }).id)
}

function dateOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toDate' in value)) return value
  return (value as { toDate(): Date }).toDate()
}
