import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import { createLatchkey } from '../../entries/index.ts'
import { type Adapter, atomic } from '../../model/adapter.ts'
import { sessions } from '../../plugins/sessions/index.ts'
import { checkSchema, sqlite as dialect, migrate, sqlAdapter } from '../sql/index.ts'
import { statementsOfNew } from '../sql/migrate.ts'
import { openNodeSqlite } from '../sql/node-sqlite.ts'
import { type SqliteAdapter, sqlite } from './index.ts'

const ADA = { id: 'ada', email: 'ada@example.com', emailVerified: null }

let lines: string[]
let folder: string
let file: string
beforeEach(async () => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  folder = await mkdtemp(join(tmpdir(), 'latchkey-sqlite-'))
  file = join(folder, 'app.db')
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

/** Opens the file, and closes it with the test. */
function opened(path: string = file): SqliteAdapter {
  const adapter = sqlite(path)
  onTestFinished(() => adapter.close())
  return adapter
}

/** A file that another program made. */
async function made(...statements: string[]): Promise<void> {
  const database = new DatabaseSync(file)
  for (const statement of statements) database.exec(statement)
  database.close()
}

/** Runs a program with `sqlite` in a process of its own. @returns what it printed */
async function run(program: string): Promise<string> {
  const module = new URL('./index.ts', import.meta.url).href
  const text = `import { sqlite } from ${JSON.stringify(module)}\n${program}`
  const args = ['--conditions=source', '--input-type=module', '-e', text]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

async function quiet<Result>(work: () => Promise<Result>): Promise<Result> {
  const spy = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

const closing = (adapter: Adapter, ...all: SqliteAdapter[]) =>
  Object.assign(adapter, {
    async [Symbol.asyncDispose]() {
      for (const each of all) await each.close()
    },
  })

describeAdapter('sqlite in memory', () =>
  quiet(async () => {
    const adapter = sqlite(':memory:')
    return closing(adapter, adapter)
  }),
)

describeAdapter('sqlite in a file with two connections', () =>
  quiet(async () => {
    const place = await mkdtemp(join(tmpdir(), 'latchkey-sqlite-'))
    const all = [1, 2].map(() => sqlite(join(place, 'app.db')))
    const adapter = await sideBySide((index) => all[index] as SqliteAdapter)
    return Object.assign(adapter, {
      async [Symbol.asyncDispose]() {
        for (const each of all) await each.close()
        await rm(place, { recursive: true })
      },
    })
  }),
)

describe('ACC-24: a new file', () => {
  test('gets all tables with that of the records, and one line of the log', async () => {
    const adapter = opened()
    expect(lines).toEqual([`[latchkey][info] sqlite: created the tables of ${file}`])
    await adapter.createUser?.(ADA)
    expect(await adapter.getUserByEmail?.('ada@example.com')).toMatchObject({ id: 'ada' })
    const store = openNodeSqlite(file)
    expect(await checkSchema(store, { records: true })).toEqual([])
    expect(await migrate(store, { records: true })).toEqual([])
    await store.close()
  })

  test('is opened again without a line, and has what was stored', async () => {
    await sqlite(file).close()
    lines.length = 0
    const first = sqlite(file)
    await first.createUser?.(ADA)
    await first.close()
    expect(await opened().getUser?.('ada')).toMatchObject(ADA)
    expect(lines).toEqual([])
  })

  test('may be an empty file, and is readable by its owner only if there was none', async () => {
    await writeFile(file, '')
    await opened().createUser?.(ADA)
    const other = join(folder, 'other.db')
    opened(other)
    expect(statSync(other).mode & 0o777).toBe(0o600)
  })

  test('has a write-ahead log, and waits for another process that writes', async () => {
    const adapter = opened()
    expect(existsSync(`${file}-wal`)).toBe(true)
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const created = adapter.createUser?.(ADA)
    await new Promise((resolve) => setTimeout(resolve, 50))
    other.exec('COMMIT')
    other.close()
    expect(await created).toMatchObject({ id: 'ada' })
  })

  test('is in memory with `:memory:`, as the line says', async () => {
    const adapter = opened(':memory:')
    await adapter.createUser?.(ADA)
    expect(lines).toEqual([
      '[latchkey][info] sqlite: created the tables of a database in memory, which is lost when this process ends',
    ])
    expect(await opened(':memory:').getUser?.('ada')).toBeNull()
  })

  test('gets no second tables from a process that waited for another one', async () => {
    const other = new DatabaseSync(file)
    other.exec('PRAGMA journal_mode = WAL')
    other.exec('BEGIN IMMEDIATE')
    const waiting = run(`const { close } = sqlite(${JSON.stringify(file)})
await close()`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    for (const statement of statementsOfNew(dialect, { records: true })) other.exec(statement)
    other.exec('COMMIT')
    other.close()
    expect(await waiting).toBe('')
  })

  test('of eight processes that open it at once, one creates the tables', async () => {
    const program = `const adapter = sqlite(${JSON.stringify(file)})
await adapter.createUser({ id: String(process.pid), email: process.pid + '@example.com', emailVerified: null })
await adapter.close()`
    const said = (await Promise.all(Array.from({ length: 8 }, () => run(program)))).join('')
    expect(said).toBe(`[latchkey][info] sqlite: created the tables of ${file}\n`)
    const { users } = (await opened()[atomic]?.listUsers?.({ limit: 20 })) ?? {}
    expect(users).toHaveLength(8)
  })
})

describe('ACC-24: a file with tables', () => {
  test('is refused if it lacks one, which the error names with the command, and is not changed', async () => {
    const store = openNodeSqlite(file)
    await migrate(store)
    await store.close()
    await made('DROP TABLE session')
    expect(() => sqlite(file)).toThrow(
      `sqlite(): ${file} lacks the table session; run npx latchkey-server migrate --database "file:${file}" to add it (latchkey/docs/reference/errors.md#setting-up-an-adapter)`,
    )
    const database = new DatabaseSync(file)
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    database.close()
    expect(names.map(({ name }) => name)).not.toContain('session')
    expect(lines).toEqual([])
  })

  test('of another application is refused, since its tables would be mixed with others', async () => {
    await made('CREATE TABLE orders (id TEXT)')
    expect(() => sqlite(file)).toThrow(/lacks the tables user, account, /)
  })

  test('works without the table of records, unless a plugin needs it', async () => {
    const store = openNodeSqlite(file)
    await migrate(store)
    await store.close()
    const adapter = opened()
    await adapter.createUser?.(ADA)
    const config = { adapter, providers: [], secret: 'a secret of 32 characters or more' }
    expect(() => createLatchkey(config)).not.toThrow()
    expect(() => createLatchkey({ ...config, plugins: [sessions()] })).toThrow(
      /lacks the table record; run npx latchkey-server migrate/,
    )
  })

  test('of `sqlAdapter` is the same store', async () => {
    const store = openNodeSqlite(file)
    await migrate(store, { records: true })
    await sqlAdapter(store, { records: true }).createUser?.(ADA)
    await store.close()
    expect(await opened().getUser?.('ada')).toMatchObject(ADA)
  })
})

describe('ACC-24: a path that cannot be opened', () => {
  test('is named with the reason and the fix', () => {
    const path = join(folder, 'missing', 'app.db')
    expect(() => sqlite(path)).toThrow(
      `sqlite(): cannot open ${JSON.stringify(path)} (ENOENT: no such file or directory, open '${path}'); check that its directory exists, and that this process may read and write both`,
    )
  })

  test('is refused if it is no database, or no text', async () => {
    await writeFile(file, 'a letter to Ada, which is longer than a header of SQLite: '.repeat(20))
    expect(() => sqlite(file)).toThrow(/cannot open .*file is not a database/)
    expect(() => sqlite('')).toThrow(/expected the path of a file, or ':memory:', got ""/)
    expect(() => sqlite(openNodeSqlite as never)).toThrow(/expected the path of a file/)
  })
})
