import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { fromNodeRedis, redisAdapter } from 'latchkey/adapters/redis'
import pg from 'pg'
import { createClient } from 'redis'
import { administer, SERVER } from '../postgres.ts'

const REDIS = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** The secret of all instances. */
export const SECRET = 'mNq3vT9xB4nL8sW1cR6yH3jF5pD0gZaEuVtXkMbNqJw'
/** The id of the provider that everybody has an account with. */
export const PROVIDER = 'load'

/** Where the service keeps sessions; users are always in PostgreSQL. */
export type StoreName = 'PostgreSQL' | 'PostgreSQL and Redis'

/** A store of its own for one ramp after another. */
export interface LoadStore extends AsyncDisposable {
  readonly name: StoreName
  /** The environment of an instance that uses it. */
  readonly env: Readonly<Record<string, string>>
  /** Adds people, each with an account and a session, until there are so many. */
  fill(count: number): Promise<void>
  /** The processes that serve it, if they run on this machine. */
  processes(): Promise<Readonly<Record<string, readonly number[]>>>
}

export function userIdOf(person: number): string {
  return `user-${person}`
}

/** The session token that a person's browser has. */
export function sessionTokenOf(person: number): string {
  return `load-${String(person).padStart(38, '0')}`
}

/** The key with which the library hashes session tokens before it stores them. */
const hashKey = Buffer.from(hkdfSync('sha256', SECRET, 'latchkey', 'stored session token', 32))

/** What is stored instead of a session token. */
function storedTokenOf(person: number): string {
  return `lk1_${createHmac('sha256', hashKey).update(sessionTokenOf(person)).digest('base64url')}`
}

const DAYS = 24 * 60 * 60 * 1000

/** Makes a store. @param migrate brings the tables of a database up to date */
export async function createLoadStore(
  name: StoreName,
  migrate: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<LoadStore> {
  const unique = randomBytes(6).toString('hex')
  const database = `latchkey_load_${unique}`
  await administer(`CREATE DATABASE ${database}`)
  const url = new URL(SERVER)
  url.pathname = database
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  // Its connections may still be going when the database is dropped.
  pool.on('error', () => {})
  const redis = name === 'PostgreSQL' ? undefined : await redisFor(`latchkey-load-${unique}:`)
  const env = { DATABASE_URL: url.href, ...redis?.env }
  let filled = 0
  try {
    await migrate(env)
  } catch (error) {
    await pool.end()
    await administer(`DROP DATABASE ${database} WITH (FORCE)`)
    throw error
  }
  return {
    name,
    env,
    async fill(count) {
      await fillPostgres(pool, [filled + 1, count], redis === undefined)
      await redis?.fill([filled + 1, count])
      filled = count
    },
    async processes() {
      const { rows } = await pool.query(
        'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      const postgres = (rows as { pid: number }[]).map(({ pid }) => pid)
      return { PostgreSQL: postgres, ...(redis && { Redis: [await redis.pid()] }) }
    },
    async [Symbol.asyncDispose]() {
      await redis?.close()
      await pool.end()
      await administer(`DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}

type Range = readonly [from: number, to: number]

/**
 * Adds people as callbacks add them: user, account, session and the record of the session. Tokens of the provider
 * have no records, since only another callback of the same person would read them.
 */
async function fillPostgres(
  pool: pg.Pool,
  [from, to]: Range,
  withSessions: boolean,
): Promise<void> {
  const pad = (byte: number): string => {
    const padded = Buffer.alloc(64, byte)
    for (const [at, keyByte] of hashKey.entries()) padded[at] = keyByte ^ byte
    return `'\\x${padded.toString('hex')}'::bytea`
  }
  const people = `generate_series(${from}, ${to}) i`
  const token = `convert_to('load-' || lpad(i::text, 38, '0'), 'UTF8')`
  const hash = `sha256(${pad(0x5c)} || sha256(${pad(0x36)} || ${token}))`
  const sessionId = `sha256(convert_to('latchkey/session-id', 'UTF8') || '\\x00'::bytea || ${token})`
  const now = Date.now()
  const until = now + 30 * DAYS
  const data = JSON.stringify({
    begun: now,
    seen: now,
    until,
    abs: Math.floor((now + 90 * DAYS) / 1000),
    stored: ['TOKEN'],
    epo: 0,
    auth_time: Math.floor(now / 1000),
    amr: ['fed'],
    provider: PROVIDER,
    device: { browser: 'Firefox', system: 'Linux', kind: 'desktop' },
  })
  const client = await pool.connect()
  try {
    await client.query(`
      CREATE OR REPLACE FUNCTION pg_temp.base64url(bytes bytea) RETURNS text IMMUTABLE LANGUAGE sql
        AS $$ SELECT rtrim(translate(encode(bytes, 'base64'), '+/', '-_'), '=') $$;
      INSERT INTO "user" ("id", "name", "email")
        SELECT 'user-' || i, 'Person ' || i, 'user-' || i || '@example.com' FROM ${people};
      INSERT INTO "account" ("userId", "type", "provider", "providerAccountId", "token_type")
        SELECT 'user-' || i, 'oidc', '${PROVIDER}', 'user-' || i, 'bearer' FROM ${people};
      INSERT INTO "record" ("kind", "key", "userId", "data", "version", "createdAt", "expires")
        SELECT 'session', pg_temp.base64url(substring(${sessionId} for 16)), 'user-' || i,
          replace('${data}', 'TOKEN', 'lk1_' || pg_temp.base64url(${hash})), 1, now(), now() + interval '31 days'
        FROM ${people};`)
    if (withSessions) {
      await client.query(`
        INSERT INTO "session" ("sessionToken", "userId", "expires")
          SELECT 'lk1_' || pg_temp.base64url(${hash}), 'user-' || i, to_timestamp(${until / 1000}) FROM ${people}`)
    }
    await client.query('VACUUM ANALYZE')
    // Otherwise the server writes all of it to its files during the measurement; not every user may ask for it.
    await client.query('CHECKPOINT').catch(() => {})
  } finally {
    client.release()
  }
}

interface LoadRedis {
  readonly env: Readonly<Record<string, string>>
  fill(range: Range): Promise<void>
  pid(): Promise<number>
  close(): Promise<void>
}

/** Commands that are under way at the same time while Redis is filled. */
const IN_FLIGHT = 1000

async function redisFor(prefix: string): Promise<LoadRedis> {
  const client = createClient({ url: REDIS })
  await client.connect()
  const adapter = redisAdapter(fromNodeRedis(client), { prefix })
  // PostgreSQL has the addresses: what is here of a user is the id.
  const nobody = null as unknown as string
  return {
    env: { REDIS_URL: REDIS, REDIS_PREFIX: prefix },
    /** With the adapter's own calls, which the client sends many at a time: the id of each user, and the session. */
    async fill([from, to]) {
      const expires = new Date(Date.now() + 30 * DAYS)
      let next = from
      const worker = async (): Promise<void> => {
        while (next <= to) {
          const person = next++
          const userId = userIdOf(person)
          await adapter.createUser?.({ id: userId, email: nobody, emailVerified: null })
          await adapter.createSession?.({ sessionToken: storedTokenOf(person), userId, expires })
        }
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    },
    async pid() {
      return Number(/^process_id:(\d+)/m.exec(await client.info('server'))?.[1])
    },
    async close() {
      for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 10_000 })) {
        if (keys.length > 0) await client.unlink(keys)
      }
      await client.close()
    },
  }
}
