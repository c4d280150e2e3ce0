import { pgStore } from 'latchkey/adapters/sql/pg'
import { postgresPush } from 'latchkey/adapters/sql/push'
import pg from 'pg'
import { answers, type Connected, type ServerLimits } from './connected.ts'

/** Milliseconds that the server is given to say itself that a query takes too long. */
const GRACE = 1000

/** PostgreSQL, or a cluster that speaks as it does. `sslmode` and its kin belong into the URL. */
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
    // For a server that is gone without a word: the connection is given up then.
    query_timeout: limit + GRACE,
    idle_in_transaction_session_timeout: limit + GRACE,
    keepAlive: true,
  })
  // A connection that breaks while nobody uses it; the pool opens another when it is needed.
  pool.on('error', (error) => log?.warn({ error }, 'database connection lost'))
  const sql = pgStore(pool)
  try {
    await answers(sql)
  } catch (error) {
    // Not waited for: where not even an attempt could be made, because of the port say, it never ends.
    pool.end().catch(() => {})
    throw error
  }
  // It holds a connection for good.
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

/** What the driver takes for `verify-full`, with a warning that a later version may take it for less. */
const AS_STRICT: ReadonlySet<string | undefined> = new Set(['prefer', 'require', 'verify-ca'])

/** The URL with its meaning said, so that it stays as strict as it is. Whoever wants libpq's meaning says so. */
function plainSpoken(url: URL): URL {
  const said = new URL(url)
  const { searchParams } = said
  const isStrict = searchParams.getAll('uselibpqcompat').at(-1) !== 'true'
  if (isStrict && AS_STRICT.has(searchParams.getAll('sslmode').at(-1)))
    searchParams.set('sslmode', 'verify-full')
  return said
}
