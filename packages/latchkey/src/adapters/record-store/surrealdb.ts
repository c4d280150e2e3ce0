import { withDocs } from '../../base/option-error.ts'
import {
  type CollectionName,
  collections,
  DuplicateRecord,
  type Fields,
  type RecordStoreClient,
  type StoredRecord,
} from './client.ts'

/** The members of a connected client of `surrealdb` that the adapter uses. */
export interface SurrealLike {
  query(statement: string, bindings: Record<string, unknown>): PromiseLike<unknown>
}

export interface SurrealClientOptions {
  /** The prefix of the names of tables. @default 'nextauth_' */
  readonly prefix?: string | undefined
}

const PREFIX = 'nextauth_'

/** Returns the statements that define the tables and their unique keys. Running them again changes nothing. */
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
 * Uses SurrealDB as a record store. Each call is one statement.
 *
 * @param surreal a connected client with a selected namespace and database.
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
    const [rows] = (await withRetries(name, () => surreal.query(statement, all))) as [unknown]
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
        if (found.length > 0 || look === MAX_READS) return found
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

/** The last change of each record. */
type Queue = Map<string, Promise<unknown>>

/** One queue for each connection: an embedded engine has only one connection. */
const queues = new WeakMap<SurrealLike, Queue>()

function queueOf(surreal: SurrealLike): Queue {
  let queue = queues.get(surreal)
  if (!queue) queues.set(surreal, (queue = new Map()))
  return queue
}

/**
 * Runs changes of a record one after the other. In embedded engines, two deletions of a record, and sometimes two
 * updates, both succeed. A server refuses one of them.
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

/** A record without an id does not exist, and a query for it is an error. */
function recordOf(table: string, id: string): string {
  return `(IF ${id} = '' { [] } ELSE { type::record(${table}, ${id}) })`
}

/** How often a statement that collides with others is repeated. */
const MAX_ATTEMPTS = 50

/**
 * How often a query is repeated that finds nothing. While other requests write a record, an index may not have it for a
 * moment, and a sign-out that finds no session would leave it alive.
 */
const MAX_READS = 3

/**
 * Repeats a statement that collides with others.
 *
 * @throws DuplicateRecord without the values in the message of SurrealDB.
 */
async function withRetries(
  name: CollectionName,
  run: () => PromiseLike<unknown>,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const { message } = error as Error
      if (/\balready (?:contains|exists)\b/.test(message)) throw new DuplicateRecord(name)
      if (attempt === MAX_ATTEMPTS || !/conflict|retried/i.test(message)) throw error
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

/** Returns `field = value` for each member, with links as links. */
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

/** Converts ids, links and dates, which are objects of the client. Other values stay as they are. */
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
