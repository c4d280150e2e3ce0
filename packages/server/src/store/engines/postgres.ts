import { pgStore } from 'latchkey/adapters/sql/pg'
import { postgresPush } from 'latchkey/adapters/sql/push'
import pg from 'pg'
import { answers, type Connected, type ServerLimits } from './connected.ts'

/** Additional milliseconds for the server to report a timeout itself. */
const GRACE = 1000

/** Opens PostgreSQL, or a cluster with the same protocol. `sslmode` and similar parameters belong in the URL. */
export async function connect(
  url: URL,
  { pool: max, timeout, log }: ServerLimits,
): Promise<Connected> {
  const limit = timeout * 1000
  const pool = new pg.Pool({
    connectionString: plainSpoken(url).href,
    max,
    application_name: 'latchkey',
    connectionTimeoutMillis: limit,
    statement_timeout: limit,
    // If the server disappears without closing the connection, the driver drops the connection after this time.
    query_timeout: limit + GRACE,
    idle_in_transaction_session_timeout: limit + GRACE,
    keepAlive: true,
  })
  // For a connection that breaks while it is idle; the pool opens a new one when needed.
  pool.on('error', (error) => log?.warn({ error }, 'database connection lost'))
  const sql = pgStore(pool)
  try {
    await answers(sql)
  } catch (error) {
    // Not awaited: after a failure before the first attempt, for example because of the port, this promise is never
    // resolved.
    pool.end().catch(() => {})
    throw error
  }
  // Notifications use one connection permanently.
  const push = max > 1 ? postgresPush(pool) : undefined
  return {
    sql,
    push,
    async close() {
      await push?.close()
      await pool.end()
    },
  }
}

/** Modes that the driver treats as `verify-full`, with a warning that a later version may be less strict. */
const AS_STRICT: ReadonlySet<string | undefined> = new Set(['prefer', 'require', 'verify-ca'])

/**
 * Returns the URL with `sslmode=verify-full` if the driver treats it so, and it stays as strict in later versions.
 * `uselibpqcompat=true` selects the meaning of libpq.
 */
function plainSpoken(url: URL): URL {
  const said = new URL(url)
  const { searchParams } = said
  const isStrict = searchParams.getAll('uselibpqcompat').at(-1) !== 'true'
  if (isStrict && AS_STRICT.has(searchParams.getAll('sslmode').at(-1)))
    searchParams.set('sslmode', 'verify-full')
  return said
}
