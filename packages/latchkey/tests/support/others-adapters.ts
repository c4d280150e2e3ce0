import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Adapter, type AdapterMethod, atomic } from '../../src/model/adapter.ts'

/** What a stand-in does as the published adapter does. */
interface Habits {
  /** The type of its ids. @default the ids of a store are texts */
  readonly ids?: 'number' | 'bigint'
  /** Refuses an id of another type, as a typed client does. A database converts it instead. */
  readonly isStrict?: boolean
  /** Throws if there is nothing to remove or to change. */
  readonly missing?: (method: string) => Error | undefined
  /** Returns nothing from methods that remove or change something. */
  readonly isSilent?: boolean
}

type Row = Readonly<Record<string, unknown>>

/** An adapter with the interface of Auth.js, over a store in memory, which knows neither abilities nor records. */
function standIn({ ids, isStrict = false, missing, isSilent = false }: Habits): Adapter {
  const { [atomic]: _, ...inner } = memoryAdapter()
  let last = 0
  const given = (id: unknown): unknown =>
    ids === undefined || id === undefined ? id : ids === 'number' ? Number(id) : BigInt(String(id))
  const taken = (id: unknown): string => {
    const isOther = ids !== undefined && typeof id !== ids
    if (isStrict && isOther)
      throw new Error(`Argument \`id\`: Invalid value: expected Int, got ${typeof id}`)
    return String(id)
  }
  const out = (found: unknown): unknown => {
    if (Array.isArray(found)) return found.map(out)
    if (typeof found !== 'object' || found === null || found instanceof Date) return found
    const row = { ...found } as Record<string, unknown>
    if (row['session']) return { session: out(row['session']), user: out(row['user']) }
    for (const name of ['id', 'userId']) if (name in row) row[name] = given(row[name])
    return row
  }
  const into = (row: Row): Row => ({
    ...row,
    ...('id' in row && { id: taken(row['id']) }),
    ...('userId' in row && { userId: taken(row['userId']) }),
  })
  const isThere: Partial<Record<AdapterMethod, (...args: never[]) => unknown>> = {
    deleteSession: (token: string) => inner.getSessionAndUser?.(token),
    updateSession: ({ sessionToken }: { sessionToken: string }) =>
      inner.getSessionAndUser?.(sessionToken),
    deleteUser: (id: string) => inner.getUser?.(id),
    unlinkAccount: (account: never) => inner.getUserByAccount?.(account),
  }
  const byId = new Set<string>(['getUser', 'deleteUser', 'listAuthenticatorsByUserId'])
  const outer: Record<string, unknown> = {}
  for (const name of Object.keys(inner) as AdapterMethod[]) {
    const method = inner[name] as ((...args: unknown[]) => unknown) | undefined
    if (typeof method !== 'function') continue
    outer[name] = async (...asked: unknown[]): Promise<unknown> => {
      const [first] = asked
      let args = asked
      if (byId.has(name)) args = [taken(first)]
      // The database draws the id.
      else if (name === 'createUser' && ids) args = [{ ...(first as Row), id: String(++last) }]
      else if (typeof first === 'object') args = [into(first as Row), ...asked.slice(1)]
      const check = isThere[name] as ((...args: unknown[]) => unknown) | undefined
      const error = missing && check && !(await check(...args)) ? missing(name) : undefined
      if (error) throw error
      const answer = out(await method.apply(inner, args))
      return isSilent && check ? undefined : answer
    }
  }
  return outer
}

const notFound = (): Error =>
  Object.assign(new Error('No record was found for a delete.'), { code: 'P2025' })

/** Stand-ins with the documented behaviour of published adapters, by name. */
export const othersAdapters: Readonly<Record<string, () => Adapter>> = {
  /** `delete` and `update` of Prisma Client throw P2025 if there is no such row. */
  'Prisma, ids as text': () => standIn({ missing: notFound }),
  /** A client for a schema with `Int` takes no text. */
  'Prisma, ids as numbers': () => standIn({ ids: 'number', isStrict: true, missing: notFound }),
  'Prisma, ids as BigInt': () => standIn({ ids: 'bigint', isStrict: true, missing: notFound }),
  /** `SERIAL` columns: the driver returns numbers, and the database converts a text. */
  pg: () => standIn({ ids: 'number', isSilent: true }),
  Drizzle: () => standIn({ isSilent: true }),
  /** Ids of documents are their hexadecimal text. */
  MongoDB: () => standIn({}),
  'one that throws any error for what is gone': () =>
    standIn({
      missing: (method) => (method === 'deleteUser' ? undefined : new Error('instance not found')),
    }),
}
