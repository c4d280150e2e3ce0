import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Adapter, atomic } from 'latchkey/adapters'
import { type SqlStore, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { pgStore } from 'latchkey/adapters/sql/pg'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { killedLatchkey, latchkey } from './support/command.ts'
import { temporaryDatabase } from './support/servers.ts'
import { temporaryDirectory } from './support/temporary.ts'

const USERS = 400

/** What is stored, seen from outside. */
interface Bench extends AsyncDisposable {
  readonly adapter: Adapter
  readonly directory: string
  readonly env: Record<string, string>
  /** How many accounts have tokens in their columns, and how many records of tokens there are. */
  count(): Promise<{ columns: number; records: number }>
}

async function sqlite(): Promise<Bench> {
  const directory = temporaryDirectory()
  const path = join(directory.path, 'tokens.db')
  const env = envWith(`file:${path}`)
  await migrated(directory.path, env)
  const store = openNodeSqlite(path)
  return benchOf(store, directory.path, env, async () => {
    await store.close()
    directory[Symbol.dispose]()
  })
}

async function postgres(): Promise<Bench> {
  const directory = temporaryDirectory()
  const database = await temporaryDatabase()
  const env = envWith(database.url)
  await migrated(directory.path, env)
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  return benchOf(pgStore(pool), directory.path, env, async () => {
    await pool.end()
    await database[Symbol.asyncDispose]()
    directory[Symbol.dispose]()
  })
}

function envWith(database: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    AUTH_URL: 'https://login.example',
    AUTH_SECRET: 'vY0Jk4hGq3mB8sX1pT6wZ9rC2nD5fL7e',
    AUTH_PROVIDERS: 'github',
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'given',
    DATABASE_URL: database,
  }
}

async function migrated(directory: string, env: Record<string, string>): Promise<void> {
  const { code, err } = await latchkey(['migrate'], {
    directory,
    env: { DATABASE_URL: env['DATABASE_URL'] ?? '' },
  })
  if (code !== 0) throw new Error(err)
}

function benchOf(
  store: SqlStore,
  directory: string,
  env: Record<string, string>,
  close: () => Promise<void>,
): Bench {
  const one = async (from: string): Promise<number> => {
    const { rows } = await sql<{ n: number | string }>`${sql.raw(from)}`.execute(store.db)
    return Number(rows[0]?.n)
  }
  return {
    adapter: sqlAdapter(store),
    directory,
    env,
    count: async () => ({
      columns: await one('SELECT count(*) AS n FROM account WHERE access_token IS NOT NULL'),
      records: await one(`SELECT count(*) AS n FROM record WHERE kind = 'provider-tokens'`),
    }),
    [Symbol.asyncDispose]: close,
  }
}

/** Stores people who have tokens in plain columns. @returns their ids. */
async function fill({ adapter }: Bench, users = USERS, provider = 'github'): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < users; i++) {
    const user = await adapter.createUser?.({
      id: randomUUID(),
      email: `${provider}${i}@x.example`,
      emailVerified: null,
    })
    if (!user) throw new Error('no user')
    ids.push(user.id)
    await adapter.linkAccount?.({
      userId: user.id,
      type: 'oauth',
      provider,
      providerAccountId: `account-${i}`,
      ...tokensOf(i),
    })
  }
  return ids
}

const tokensOf = (i: number) => ({
  access_token: `access-${i}`,
  refresh_token: `refresh-${i}`,
  expires_at: 1_900_000_000 + i,
  token_type: 'bearer' as const,
  scope: 'read:user',
})

/** What is in the columns of these people. */
async function columnsOf({ adapter }: Bench, ids: readonly string[]): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const id of ids) rows.push((await adapter[atomic]?.listAccountsByUserId?.(id))?.[0])
  return rows
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('"latchkey tokens" with %s', { timeout: 120_000 }, (_, open) => {
  test('PT-3: seals and restores all tokens, also if it is killed meanwhile', async () => {
    await using bench = await open()
    const ids = await fill(bench)
    const killed = await killedLatchkey(['tokens', 'seal'], bench, async () => {
      return (await bench.count()).records > 5
    })
    expect(killed.out).toBe('')
    const { columns, records } = await bench.count()
    expect(columns).toBeGreaterThan(0)
    expect(records).toBeGreaterThan(5)
    expect(columns + records).toBeGreaterThanOrEqual(USERS)

    const rest = await latchkey(['tokens', 'seal'], bench)
    expect(rest).toEqual({ code: 0, err: '', out: `moved ${columns}, left 0, failed 0\n` })
    expect(await bench.count()).toEqual({ columns: 0, records: USERS })
    expect(await latchkey(['tokens', 'seal'], bench)).toMatchObject({
      code: 0,
      out: 'moved 0, left 0, failed 0\n',
    })
    expect(JSON.stringify(await columnsOf(bench, ids))).not.toMatch(/access-|refresh-/)

    const again = await killedLatchkey(['tokens', 'restore'], bench, async () => {
      return (await bench.count()).columns > 5
    })
    expect(again.out).toBe('')
    expect((await bench.count()).columns).toBeLessThan(USERS)
    expect(await latchkey(['tokens', 'restore'], bench)).toMatchObject({ code: 0, err: '' })
    expect(await bench.count()).toEqual({ columns: USERS, records: 0 })
    expect(await columnsOf(bench, ids)).toEqual(
      ids.map((__, i) => expect.objectContaining(tokensOf(i))),
    )
  })

  test('PT-3: loses nothing and seals nothing twice if two run at once', async () => {
    await using bench = await open()
    const ids = await fill(bench, 60)
    const both = await Promise.all([1, 2].map(() => latchkey(['tokens', 'seal'], bench)))
    for (const each of both) expect(each).toMatchObject({ code: 0, err: '' })
    expect(await bench.count()).toEqual({ columns: 0, records: 60 })
    await latchkey(['tokens', 'restore'], bench)
    expect(await columnsOf(bench, ids)).toEqual(
      ids.map((__, i) => expect.objectContaining(tokensOf(i))),
    )
  })
})

describe('"latchkey tokens"', () => {
  test('PT-3: keeps tokens of providers that the service does not have', async () => {
    await using bench = await sqlite()
    await fill(bench, 3, 'gitlab')
    expect(await latchkey(['tokens', 'seal'], bench)).toEqual({
      code: 0,
      err: '',
      out: 'moved 0, left 3, failed 0\n',
    })
    expect(await bench.count()).toEqual({ columns: 3, records: 0 })
  })

  test('PT-3: fails for a record sealed with another secret, names the missing secret, and shows no token', async () => {
    await using bench = await sqlite()
    await fill(bench, 2)
    await latchkey(['tokens', 'seal'], bench)
    const env = { ...bench.env, AUTH_SECRET: 'qW8eR3tY6uI1oP4aS7dF0gH2jK5lZ9xC' }
    const { code, out, err } = await latchkey(['tokens', 'restore'], { ...bench, env })
    expect({ code, out }).toEqual({ code: 1, out: 'moved 0, left 0, failed 2\n' })
    expect(err).toContain('sealed with a secret that is not configured')
    expect(err).toContain('latchkey: tokens: the tokens of 2 accounts could not be moved')
    expect(err).not.toMatch(/access-|refresh-|qW8eR3/)
    expect(await bench.count()).toEqual({ columns: 0, records: 2 })
  })

  test.each<[Record<string, string>, string]>([
    [{ LATCHKEY_PROVIDER_TOKENS: 'false' }, 'providerTokens: is off'],
    [{ DATABASE_URL: 'file:./none/none.db' }, 'database: there is no directory'],
  ])('explains why it can do nothing with %j', async (changes, message) => {
    await using bench = await sqlite()
    const env = { ...bench.env, ...changes }
    const { code, out, err } = await latchkey(['tokens', 'seal'], { ...bench, env })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(message)
  })

  test("explains why nothing is sealed with columns: 'keep'", async () => {
    await using bench = await sqlite()
    await fill(bench, 1)
    const config = join(bench.directory, 'keep.config.mts')
    const plugin = JSON.stringify(import.meta.resolve('latchkey/plugins/provider-tokens'))
    writeFileSync(
      config,
      `import { providerTokens } from ${plugin}
export default { auth: { plugins: [providerTokens({ columns: 'keep' })] } }`,
    )
    const { code, err } = await latchkey(['tokens', 'seal', '--config', config], bench)
    expect(code).toBe(1)
    expect(err).toContain("`columns` is 'keep'")
  })
})
