import { mariadb, mysql } from 'latchkey/adapters/sql'
import { type Mysql2PromisePool, type Mysql2Query, mysql2Store } from 'latchkey/adapters/sql/mysql2'
import { createPool, type Pool, type PoolOptions } from 'mysql2/promise'
import { UserError } from '../../user-error.ts'
import { inTime } from '../in-time.ts'
import { answers, type Connected, type ServerLimits } from './connected.ts'

/** Opens MySQL or MariaDB; the server tells which one it is. */
export async function connect(
  url: URL,
  { pool: connectionLimit, timeout }: ServerLimits,
): Promise<Connected> {
  const pool = createPool({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...tlsOf(url),
    charset: 'utf8mb4',
    timezone: 'Z',
    connectionLimit,
    connectTimeout: timeout * 1000,
    enableKeepAlive: true,
  })
  try {
    const limited = limitedTo(timeout, pool)
    const [rows] = await limited.execute({ sql: 'SELECT VERSION() AS version' })
    const [row] = rows as { version: string }[]
    const sql = mysql2Store(limited, /mariadb/i.test(row?.version ?? '') ? mariadb : mysql)
    await answers(sql)
    return { sql, close: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/**
 * Returns the pool with a time limit for a connection and for an answer. If an answer is late, the connection is
 * destroyed: the next query on it would wait for that answer.
 */
function limitedTo(seconds: number, pool: Pool): Mysql2PromisePool {
  const getConnection: Mysql2PromisePool['getConnection'] = async () => {
    const coming = pool.getConnection()
    const connection = await inTime(coming, seconds, () => {
      coming.then((late) => late.release()).catch(() => {})
    })
    const answered = (answer: Promise<[unknown, unknown]>) =>
      inTime(answer, seconds, () => connection.destroy())
    return {
      execute: (query: Mysql2Query) => answered(connection.execute(query)),
      query: (query: Mysql2Query) => answered(connection.query(query)),
      release: () => connection.release(),
      destroy: () => connection.destroy(),
    }
  }
  const execute: Mysql2PromisePool['execute'] = async (query) => {
    const connection = await getConnection()
    return connection.execute(query).finally(() => connection.release())
  }
  return { getConnection, execute }
}

/**
 * Returns the TLS options for `sslmode`; without it there is no TLS. TLS includes a check of the certificate and its
 * host name, except with `no-verify`.
 */
function tlsOf({ searchParams }: URL): Pick<PoolOptions, 'ssl'> {
  for (const name of searchParams.keys())
    if (name !== 'sslmode')
      throw new UserError(
        `database: ${name} is not a parameter of a mysql URL; only sslmode is supported`,
      )
  const mode = searchParams.get('sslmode')
  switch (mode) {
    case null:
    case 'disable':
      return {}
    case 'require':
    case 'verify-full':
      return { ssl: { rejectUnauthorized: true, verifyIdentity: true } }
    case 'no-verify':
      return { ssl: { rejectUnauthorized: false } }
    default:
      throw new UserError(
        'database: sslmode must be disable, require, verify-full (both check the certificate) or no-verify',
      )
  }
}
