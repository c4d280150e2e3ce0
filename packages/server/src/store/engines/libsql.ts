import { createClient } from '@libsql/client'
import { libsqlStore } from 'latchkey/adapters/sql/libsql'
import { UserError } from '../../user-error.ts'
import { answers, type Connected, type ServerLimits } from './connected.ts'

/** Opens a libSQL server, such as Turso, with its token as `authToken`; or a file through libSQL. */
export async function connect(
  url: URL,
  { pool: concurrency, timeout }: ServerLimits,
): Promise<Connected> {
  const client = createClient({ ...partsOf(url), concurrency, fetch: fetchWithin(timeout) })
  const sql = libsqlStore(client)
  try {
    await answers(sql)
  } catch (error) {
    client.close()
    throw error
  }
  return { sql, close: async () => client.close() }
}

/** Returns a `fetch` with a time limit. */
function fetchWithin(seconds: number): typeof fetch {
  return (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(seconds * 1000) })
}

function partsOf(url: URL): { url: string; authToken?: string } {
  const bare = new URL(url)
  const authToken = bare.searchParams.get('authToken')
  bare.searchParams.delete('authToken')
  const [other] = bare.searchParams.keys()
  if (other !== undefined)
    throw new UserError(
      `database: ${other} is not a parameter of a libsql URL; only authToken is supported`,
    )
  return { url: bare.href, ...(authToken === null ? {} : { authToken }) }
}
