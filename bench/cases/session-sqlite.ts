import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { peer, peerConfig, sessionCookie } from '../contenders.ts'
import type { Case, Contender, Planned } from '../measure.ts'
import {
  type Adapter,
  ASKED_FOR,
  inTurns,
  isAda,
  ourReads,
  ourSignIns,
  reading,
  signedIn,
} from '../stored.ts'

export interface Stored {
  readonly path: string
  readonly adapter: Adapter
  /** `Cookie` headers of sessions that were begun with the library, which stores their hash. */
  readonly ourCookies: readonly string[]
  /** Tokens that are stored as they are, as the peer does. */
  readonly plainTokens: readonly string[]
  close(): void
}

/** A database file with `count` sessions, one for each of as many users. */
export async function store(count: number): Promise<Stored> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const path = join(folder, 'sessions.db')
  const database = openNodeSqlite(path)
  await migrate(database)
  fill(path, count - 2 * ASKED_FOR)
  const adapter: Adapter = sqlAdapter(database)

  const ourCookies: string[] = []
  const plainTokens: string[] = []
  for (let index = 0; index < ASKED_FOR; index++) {
    const ada = { id: `ours-${index}`, name: 'Ada', email: `ours-${index}@example.com` }
    await adapter.createUser?.({ ...ada, emailVerified: null })
    ourCookies.push(await signedIn(adapter, ada.id))

    const other = { id: `plain-${index}`, name: 'Ada', email: `plain-${index}@example.com` }
    await adapter.createUser?.({ ...other, emailVerified: null })
    const sessionToken = randomBytes(32).toString('base64url')
    const expires = new Date(Date.now() + 30 * 86_400_000)
    await adapter.createSession?.({ sessionToken, userId: other.id, expires })
    plainTokens.push(sessionToken)
  }
  return {
    path,
    adapter,
    ourCookies,
    plainTokens,
    close() {
      void database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Rows that nobody asks for, in the form of those that are asked for. */
function fill(path: string, count: number): void {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA foreign_keys = OFF;
    BEGIN;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO "user" ("id", "name", "email")
      SELECT 'user-' || i, 'Somebody', 'user-' || i || '@example.com' FROM n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO "session" ("sessionToken", "userId", "expires")
      SELECT CASE i % 2 WHEN 0 THEN 'lk1_' ELSE '' END || substr(hex(randomblob(22)), 1, 43),
        'user-' || i, ${Date.now() + 86_400_000} FROM n;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE);`)
  database.close()
}

function peerReads({ adapter, plainTokens }: Stored): Contender {
  const config = peerConfig({ providers: 2 })
  // The peer refuses to start with credentials and sessions in a database.
  config.providers = config.providers.slice(1)
  config.session = { strategy: 'database' }
  // The same store through the same object: the interfaces are alike where it counts.
  config.adapter = adapter as NonNullable<typeof config.adapter>
  return peer(config, reading(tokenCookies({ plainTokens })), isAda)
}

/** `Cookie` headers with tokens that are stored as they are. */
export function tokenCookies({ plainTokens }: Pick<Stored, 'plainTokens'>): string[] {
  return plainTokens.map((token) => `${sessionCookie}=${token}`)
}

export const QUERY =
  'SELECT * FROM "session" JOIN "user" ON "user"."id" = "session"."userId" WHERE "sessionToken" = ?'

/** One prepared statement, and an answer without a body. */
export function bareQuery({ path, plainTokens }: Stored): {
  contender: Contender
  close: () => void
} {
  const database = new DatabaseSync(path)
  const statement = database.prepare(QUERY)
  const contender = {
    prepare: inTurns(plainTokens),
    run: (token: string) => {
      const row = statement.get(token)
      return row?.['name'] === 'Ada' ? new Response(null) : undefined
    },
    verify: (response: Response | undefined) => response instanceof Response,
  }
  return { contender, close: () => database.close() }
}

async function read(count: number): Promise<Case> {
  const stored = await store(count)
  const { contender: limit, close } = bareQuery(stored)
  return {
    ask: 4,
    within: 2,
    ours: ourReads(stored),
    peer: peerReads(stored),
    limit,
    close() {
      close()
      stored.close()
    },
  }
}

async function growth(
  count: number,
  contender: (stored: Stored) => Contender | Promise<Contender>,
): Promise<Case> {
  const [thousand, million] = [await store(1000), await store(count)]
  return {
    within: 1.5,
    ours: await contender(million),
    limit: await contender(thousand),
    close() {
      thousand.close()
      million.close()
    },
  }
}

/** Every read of a session that is kept in a database. */
export const sessionSqlite: readonly Planned[] = [
  ['`GET session`, SQLite, 10^3 sessions', () => read(1000)],
  ['`GET session`, SQLite, 10^6 sessions', () => read(1_000_000)],
  ['`GET session`, SQLite: 10^5 sessions, limit: 10^3', () => growth(100_000, ourReads)],
  ['`GET session`, SQLite: 10^6 sessions, limit: 10^3', () => growth(1_000_000, ourReads)],
  ['sign-in, SQLite: 10^5 sessions, limit: 10^3', () => growth(100_000, ourSignIns)],
  ['sign-in, SQLite: 10^6 sessions, limit: 10^3', () => growth(1_000_000, ourSignIns)],
]
