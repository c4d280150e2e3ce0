import { randomBytes } from 'node:crypto'
import PgAdapter from '@auth/pg-adapter'
import { migrate, postgres, printSchema, sqlAdapter } from 'latchkey/adapters/sql'
import { pgStore } from 'latchkey/adapters/sql/pg'
import pg from 'pg'
import { peer, peerConfig, sessionCookie } from '../contenders.ts'
import type { Case, Contender, Planned } from '../measure.ts'
import { administer, SERVER } from '../postgres.ts'
import {
  type Adapter,
  ASKED_FOR,
  inTurns,
  isAda,
  ourReads,
  ourReadsInside,
  ourSignIns,
  reading,
  signedIn,
} from '../stored.ts'

/** Connections of each contender, and requests at the same time. */
const CONNECTIONS = 8
const IN_FLIGHT = 32

interface Stored {
  /** Each contender has connections of its own. */
  readonly pool: pg.Pool
  readonly adapter: Adapter
  readonly ourCookies: readonly string[]
  /** Of the peer's tables. */
  readonly peerTokens: readonly string[]
  connect(): pg.Pool
  close(): Promise<void>
}

/** A database with `count` sessions in our tables and as many in the peer's. */
async function store(count: number): Promise<Stored> {
  const name = `latchkey_bench_${randomBytes(6).toString('hex')}`
  await administer(`CREATE DATABASE ${name}`)
  const url = new URL(SERVER)
  url.pathname = name
  const pools: pg.Pool[] = []
  const connect = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString: url.href, max: CONNECTIONS })
    // Its connections may still be going when the database is dropped.
    pool.on('error', () => {})
    pools.push(pool)
    return pool
  }
  const pool = connect()
  const ours = pgStore(pool)
  await migrate(ours)
  // The peer's tables are called otherwise, and live beside ours.
  await pool.query(printSchema({ dialect: postgres, naming: 'pg' }))
  await fill(pool, count)
  const adapter: Adapter = sqlAdapter(ours)
  const ourCookies: string[] = []
  const peerTokens: string[] = []
  for (let index = 0; index < ASKED_FOR; index++) {
    const ada = { id: `ours-${index}`, name: 'Ada', email: `ours-${index}@example.com` }
    await adapter.createUser?.({ ...ada, emailVerified: null })
    ourCookies.push(await signedIn(adapter, ada.id))
    peerTokens.push(await peerSession(pool, index))
  }
  await pool.query('ANALYZE')
  return {
    pool,
    adapter,
    ourCookies,
    peerTokens,
    connect,
    async close() {
      await Promise.all(pools.map((each) => each.end()))
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** Rows that nobody asks for, in the form of those that are asked for. */
async function fill(pool: pg.Pool, count: number): Promise<void> {
  const token = `substr(encode(sha256(i::text::bytea), 'hex'), 1, 43)`
  await pool.query(`
    INSERT INTO "user" ("id", "name", "email")
      SELECT 'user-' || i, 'Somebody', 'user-' || i || '@example.com' FROM generate_series(1, ${count}) i;
    INSERT INTO "session" ("sessionToken", "userId", "expires")
      SELECT 'lk1_' || ${token}, 'user-' || i, now() + interval '1 day' FROM generate_series(1, ${count}) i;
    INSERT INTO users (name, email)
      SELECT 'Somebody', 'user-' || i || '@example.com' FROM generate_series(1, ${count}) i;
    INSERT INTO sessions ("sessionToken", "userId", expires)
      SELECT ${token}, id, now() + interval '1 day' FROM users, LATERAL (SELECT id AS i) n;`)
}

async function peerSession(pool: pg.Pool, index: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `WITH ada AS (INSERT INTO users (name, email) VALUES ('Ada', $1) RETURNING id)
     INSERT INTO sessions ("sessionToken", "userId", expires)
       SELECT $2, id, now() + interval '30 days' FROM ada`,
    [`plain-${index}@example.com`, token],
  )
  return token
}

function peerReads({ connect, peerTokens }: Stored): Contender {
  const config = peerConfig({ providers: 2 })
  // The peer refuses to start with credentials and sessions in a database.
  config.providers = config.providers.slice(1)
  config.session = { strategy: 'database' }
  config.adapter = PgAdapter(connect())
  const cookies = peerTokens.map((token) => `${sessionCookie}=${token}`)
  return peer(config, reading(cookies), isAda)
}

/** One prepared statement through the same driver, and what is made of its row. */
async function bareQuery({ connect, pool }: Stored, answer: () => unknown): Promise<Contender> {
  const { rows } = await pool.query(
    `SELECT "sessionToken" FROM "session" WHERE "userId" LIKE 'ours-%'`,
  )
  const own = connect()
  const text = `SELECT s."sessionToken", s."userId", s."expires", u."id", u."name", u."email",
      u."emailVerified", u."image"
    FROM "session" s JOIN "user" u ON u."id" = s."userId" WHERE s."sessionToken" = $1`
  return {
    prepare: inTurns((rows as { sessionToken: string }[]).map((row) => row.sessionToken)),
    async run(token) {
      const found = await own.query({ name: 'bare', text, values: [token] })
      const [row] = found.rows as { name: string }[]
      return row?.name === 'Ada' ? answer() : undefined
    },
    verify: (answered) => answered !== undefined,
  }
}

/** Several at the same time, as one run. */
function together({ prepare, run, verify }: Contender): Contender {
  return {
    prepare: () => Array.from({ length: IN_FLIGHT }, () => prepare()),
    run: (inputs) => Promise.all((inputs as unknown[]).map((input) => run(input))),
    async verify(results) {
      const verdicts = await Promise.all((results as unknown[]).map((each) => verify(each)))
      return verdicts.every(Boolean)
    },
  }
}

type Shape = (contender: Contender) => Contender

const alone: Shape = (contender) => contender

/** `GET session`: both, and the query with an answer without a body. */
async function get(shape: Shape): Promise<Case> {
  const stored = await store(1000)
  return {
    ours: shape(ourReads(stored)),
    peer: shape(peerReads(stored)),
    limit: shape(await bareQuery(stored, () => new Response(null))),
    close: () => stored.close(),
  }
}

/** Who is signed in, asked in the process: ours, and the query alone. */
async function inside(within: number, shape: Shape): Promise<Case> {
  const stored = await store(1000)
  return {
    within,
    ours: shape(ourReadsInside(stored)),
    limit: shape(await bareQuery(stored, () => true)),
    close: () => stored.close(),
  }
}

async function growth(
  count: number,
  contender: (stored: Stored) => Contender | Promise<Contender>,
): Promise<Case> {
  const [few, many] = [await store(1000), await store(count)]
  return {
    within: 1.5,
    ours: await contender(many),
    limit: await contender(few),
    async close() {
      await few.close()
      await many.close()
    },
  }
}

/** Every read of a session that is kept in PostgreSQL, and what becomes of it and of sign-in as sessions grow many. */
export const sessionPostgres: readonly Planned[] = [
  ['`GET session`, PostgreSQL, one at a time', () => get(alone)],
  [
    `\`GET session\`, PostgreSQL, ${IN_FLIGHT} at a time on ${CONNECTIONS} connections`,
    () => get(together),
  ],
  ['session read in the process, PostgreSQL, one at a time', () => inside(1.5, alone)],
  [
    `session read in the process, PostgreSQL, ${IN_FLIGHT} at a time on ${CONNECTIONS} connections`,
    () => inside(2, together),
  ],
  ['`GET session`, PostgreSQL: 10^5 sessions, limit: 10^3', () => growth(100_000, ourReads)],
  ['`GET session`, PostgreSQL: 10^6 sessions, limit: 10^3', () => growth(1_000_000, ourReads)],
  ['sign-in, PostgreSQL: 10^5 sessions, limit: 10^3', () => growth(100_000, ourSignIns)],
  ['sign-in, PostgreSQL: 10^6 sessions, limit: 10^3', () => growth(1_000_000, ourSignIns)],
]
