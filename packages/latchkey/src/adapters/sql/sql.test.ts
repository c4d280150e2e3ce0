import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import { type Adapter, atomic, isAdapterConflict } from '../../model/adapter.ts'
import {
  checkSchema,
  migrate,
  printSchema,
  type SqlDialect,
  type SqlStore,
  sqlAdapter,
  sqlite,
  sqlRecords,
} from './index.ts'
import { type NodeSqlite, openNodeSqlite } from './node-sqlite.ts'
import { tableNames } from './tables.ts'

const records = true

async function openMemory(): Promise<NodeSqlite> {
  const store = openNodeSqlite(':memory:')
  await migrate(store, { records })
  return store
}

function closing(adapter: Adapter, store: NodeSqlite) {
  return Object.assign(adapter, { [Symbol.asyncDispose]: () => store.close() })
}

/** Without users there are no rows that belong to them. */
const WITHOUT_USERS = [
  'createUser',
  'createVerificationToken',
  'countAttempt',
  'acquireLease',
] as const

/** An engine like MySQL: DELETE and UPDATE return nothing, and there is no ON CONFLICT. */
const withoutReturning: SqlDialect = {
  ...sqlite,
  replacesOnConflict: false,
  returning: { insert: false, update: false, delete: false },
}

async function openClosed() {
  const store = await openMemory()
  await store.close()
  return sqlAdapter(store, { records })
}

describeAdapter(
  'sql',
  async () => {
    const store = await openMemory()
    return closing(await sideBySide(() => sqlAdapter(store, { records })), store)
  },
  { failing: openClosed },
)

describeAdapter(
  'sql for records only',
  async () => {
    const store = openNodeSqlite(':memory:')
    await migrate(store, { records: 'only' })
    return closing(sqlRecords(store), store)
  },
  { without: WITHOUT_USERS },
)

describeAdapter('sql on a bare Kysely instance', async () => {
  const store = await openMemory()
  return closing(sqlAdapter(store.db, { records }), store)
})

describeAdapter('sql without RETURNING', async () => {
  const store = await openMemory()
  const create = () => sqlAdapter(store.db, { dialect: withoutReturning, records })
  return closing(await sideBySide(create), store)
})

describeAdapter('sql in a file, written and read through two connections', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sql-'))
  const [one, other] = [openNodeSqlite(join(folder, 'a.db')), openNodeSqlite(join(folder, 'a.db'))]
  await migrate(one, { records })
  const reader = sqlAdapter(other, { records })
  const readers: Adapter = {
    getUser: (id) => reader.getUser?.(id) ?? null,
    getUserByEmail: (email) => reader.getUserByEmail?.(email) ?? null,
    getUserByAccount: (account) => reader.getUserByAccount?.(account) ?? null,
    getSessionAndUser: (token) => reader.getSessionAndUser?.(token) ?? null,
  }
  return Object.assign(
    { ...sqlAdapter(one, { records }), ...readers },
    {
      again: async () => reader,
      async [Symbol.asyncDispose]() {
        await one.close()
        await other.close()
        await rm(folder, { recursive: true })
      },
    },
  )
})

const ada = { id: '1', email: 'ada@x.example', emailVerified: null }
const session = { sessionToken: 's', userId: '1', expires: new Date(1000) }

/** Runs `use` with an empty store in memory. */
async function withStore(
  use: (store: NodeSqlite, adapter: Required<Adapter>) => Promise<void>,
  options?: Parameters<typeof sqlAdapter>[1],
): Promise<void> {
  const store = await openMemory()
  try {
    await use(store, sqlAdapter(store, options) as Required<Adapter>)
  } finally {
    await store.close()
  }
}

function run(store: SqlStore, text: string) {
  return sql.raw<Record<string, unknown>>(text).execute(store.db)
}

describe('the SQL adapter', () => {
  test('names the missing table, and how to create it', async () => {
    const store = openNodeSqlite(':memory:')
    const adapter = sqlAdapter(store)
    const command = /^the table \w+ does not exist; create it with `migrate\(store\)`/
    await expect(async () => adapter.getUser?.('x')).rejects.toThrow(command)
    await expect(async () => adapter.getSessionAndUser?.('x')).rejects.toThrow(command)
    await expect(async () =>
      adapter.createUser?.({ id: 'x', email: 'x@x.example', emailVerified: null }),
    ).rejects.toThrow(command)
    await store.close()
  })

  test('rejects the name of a dialect, and names the right argument', () => {
    const named: unknown = 'postgres'
    expect(() => printSchema({ dialect: named as typeof sqlite })).toThrow(
      'dialect must be an import of latchkey/adapters/sql (sqlite, postgres, mysql, mariadb or mssql), got "postgres"',
    )
  })

  test('drops members that have no column', () =>
    withStore(async (_, adapter) => {
      const created = await adapter.createUser({ ...ada, role: 'admin' } as typeof ada)
      expect(created).toEqual({ ...ada, name: null, image: null })
      expect(await adapter.getUser('1')).toEqual(created)
    }))

  test('without RETURNING, returns nothing for a row that another transaction took first', () =>
    withStore(async (store) => {
      const adapter = sqlAdapter(store.db, { dialect: withoutReturning }) as Required<Adapter>
      const token = { identifier: 'ada@x.example', token: 'hash', expires: new Date(1000) }
      await adapter.createVerificationToken(token)
      await adapter.createUser(ada)
      await adapter.createSession(session)
      // The statement changes nothing, as if the row had just been removed.
      const ignore = 'begin select raise(ignore); end'
      await run(store, `create trigger taken before delete on "verificationToken" ${ignore}`)
      await run(store, `create trigger ended before update on "session" ${ignore}`)
      expect(await adapter.useVerificationToken(token)).toBeNull()
      expect(await adapter.updateSession({ ...session, expires: new Date(2000) })).toBeNull()
    }))

  test('refuses members that have no column if configured', () =>
    withStore(
      async (_, adapter) => {
        const role = { ...ada, role: 'admin' } as typeof ada
        await expect(adapter.createUser(role)).rejects.toThrow('no column for role')
        expect(await adapter.getUser('1')).toBeNull()
        await adapter.createUser({ ...ada, role: undefined } as typeof ada)
      },
      { unknownFields: 'error' },
    ))

  test('has the error of the driver as the cause of a conflict, and no values in its message', () =>
    withStore(async (_, adapter) => {
      await adapter.createUser(ada)
      const error: unknown = await Promise.resolve(adapter.createUser({ ...ada, id: '2' })).catch(
        (error: unknown) => error,
      )
      if (!isAdapterConflict(error)) throw error
      expect(error).toMatchObject({ conflict: 'user.email', cause: { errcode: 2067 } })
      expect(error.message).not.toContain('ada')
    }))

  test('does not report every broken rule as a conflict', () =>
    withStore(async (_, adapter) => {
      const error: unknown = await Promise.resolve(adapter.createSession(session)).catch(
        (error: unknown) => error,
      )
      expect(error).toMatchObject({ errcode: 787 })
    }))

  test('does not return "not found" if the store fails', async () => {
    const store = await openMemory()
    const adapters = [sqlAdapter(store), sqlAdapter(store.db)]
    await store.close()
    for (const adapter of adapters) {
      const attempt = async () => adapter.getSessionAndUser?.('s')
      await expect(attempt()).rejects.toThrow(/not open|destroyed/)
    }
  })

  test('finds nothing by a key in another case, even on a table that ignores case', async () => {
    const store = openNodeSqlite(':memory:')
    try {
      for (const statement of printSchema().split(';\n')) {
        if (statement.trim()) {
          await run(store, statement.replaceAll('TEXT', 'TEXT COLLATE NOCASE'))
        }
      }
      const adapter = sqlAdapter(store)
      await adapter.createUser?.(ada)
      await adapter.createSession?.(session)
      await adapter.linkAccount?.({
        userId: '1',
        type: 'oauth',
        provider: 'acme',
        providerAccountId: 'a',
      })
      expect(await adapter.getUserByEmail?.('ADA@x.example')).toBeNull()
      expect(await adapter.getSessionAndUser?.('S')).toBeNull()
      const folded = { provider: 'acme', providerAccountId: 'A' }
      expect(await adapter.getUserByAccount?.(folded)).toBeNull()
      expect(await adapter.getSessionAndUser?.('s')).not.toBeNull()
    } finally {
      await store.close()
    }
  })

  test('stores dates as milliseconds and booleans as 0 and 1', () =>
    withStore(async (store, adapter) => {
      await adapter.createUser({ ...ada, emailVerified: new Date(1234) })
      await adapter.createAuthenticator({
        credentialID: 'c',
        userId: '1',
        providerAccountId: 'c',
        credentialPublicKey: 'k',
        counter: 0,
        credentialDeviceType: 'singleDevice',
        credentialBackedUp: true,
      })
      const { rows } = await run(
        store,
        'SELECT "emailVerified", "credentialBackedUp" FROM "user", "authenticator"',
      )
      expect(rows.map((row) => ({ ...row }))).toEqual([
        { emailVerified: 1234, credentialBackedUp: 1 },
      ])
    }))

  test('reads at once, but waits while a transaction has the connection', () =>
    withStore(async (_, adapter) => {
      await adapter.createUser(ada)
      expect(adapter.getUser('1')).toMatchObject(ada)
      const { promise: gate, resolve: open } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const running = adapter[atomic].transaction?.(async (inside) => {
        await inside.updateUser?.({ id: '1', name: 'Lovelace' })
        begin()
        await gate
      })
      await begun
      const reading = adapter.getUser('1')
      expect(reading).toBeInstanceOf(Promise)
      open()
      await running
      expect(await reading).toMatchObject({ name: 'Lovelace' })
    }))

  test.each([
    ['foreign keys', /,\s*FOREIGN KEY .* CASCADE/g, 3],
    ['cascades', / ON DELETE CASCADE/g, 0],
  ])('works on tables without %s', async (_, left, findings) => {
    const store = openNodeSqlite(':memory:')
    try {
      for (const statement of printSchema().split(';\n')) {
        if (statement.trim()) await run(store, statement.replaceAll(left, ''))
      }
      expect(await checkSchema(store)).toHaveLength(findings)
      const adapter = sqlAdapter(store)
      await adapter.createUser?.(ada)
      await adapter.createSession?.(session)
      await adapter.deleteUser?.('1')
      expect((await run(store, 'SELECT * FROM "session"')).rows).toEqual([])
    } finally {
      await store.close()
    }
  })

  test('accepts more statements of an application than it caches', () =>
    withStore(async (store, adapter) => {
      await adapter.createUser(ada)
      for (let index = 0; index < 1000; index++) {
        const { rows } = await run(store, `SELECT ${index} AS "n"`)
        expect(rows[0]?.['n']).toBe(index)
      }
      expect(await adapter.getUser('1')).toMatchObject(ada)
    }))
})

const tablesOf = async (store: SqlStore) =>
  (await run(store, 'SELECT "name", "sql" FROM sqlite_schema ORDER BY "name"')).rows
    .map(({ name, sql }) => `${String(name)} ${String(sql)}`)
    .filter((text) => !text.startsWith('latchkeyMigration'))
    .filter((text) => !text.startsWith('sqlite_autoindex_latchkeyMigration'))

describe('the table of records', () => {
  const record = { kind: 'k', key: 'a', data: {}, version: 1, createdAt: new Date(0) }

  test('exists only if the option `records` is set', async () => {
    const store = openNodeSqlite(':memory:')
    const named = async () => (await tablesOf(store)).filter((each) => each.startsWith('record'))
    expect(await migrate(store)).toEqual([1])
    expect(await named()).toEqual([])
    expect(sqlAdapter(store)[atomic]).not.toHaveProperty('createRecord')
    expect(await checkSchema(store)).toEqual([])
    const problems = (await checkSchema(store, { records })).map(({ problem }) => problem)
    expect(problems[0]).toBe('the table record is missing')
    // The version stays the same, so an older release continues to work.
    expect(await migrate(store, { records })).toEqual([])
    expect(await checkSchema(store, { records })).toEqual([])
    expect(await named()).toHaveLength(3)
    expect(await migrate(store)).toEqual([])
    expect(await checkSchema(store)).toEqual([])
    await store.close()
  })

  test('is completed if a part of it exists', () =>
    withStore(async (store) => {
      await run(store, 'DROP INDEX "record_expires_index"')
      const [fault] = await checkSchema(store, { records })
      expect(fault?.problem).toBe('the table record has no index on expires')
      await migrate(store, { records })
      expect(await checkSchema(store, { records })).toEqual([])
    }))

  test('may exist alone, for applications whose users are elsewhere', async () => {
    const store = openNodeSqlite(':memory:')
    const naming = { prefix: 'app_' }
    expect(await migrate(store, { naming, records: 'only' })).toEqual([])
    expect(await checkSchema(store, { naming, records: 'only' })).toEqual([])
    const tables = (await tablesOf(store)).filter((each) => each.includes('CREATE TABLE'))
    expect(tables).toHaveLength(1)
    const adapter = sqlRecords(store, { naming })
    expect(await adapter[atomic]?.createRecord?.(record, new Date(0))).toBe(true)
    expect(await adapter[atomic]?.getRecord?.(record)).toEqual(record)
    await store.close()
  })

  test('is named, with its statement, if it is missing', async () => {
    const store = openNodeSqlite(':memory:')
    await migrate(store)
    const create = sqlAdapter(store, { records })[atomic]?.createRecord?.(record, new Date(0))
    await expect(create).rejects.toThrow(
      'the table record does not exist; create it with `migrate(store, { records: true })`',
    )
    await store.close()
  })

  test('refuses a record with an invalid kind', () =>
    withStore(
      async (_, adapter) => {
        const wrong = { ...record, kind: 'No Kind' }
        await expect(
          (async () => adapter[atomic].createRecord?.(wrong, new Date(0)))(),
        ).rejects.toThrow('the kind of a record must be')
      },
      { records },
    ))
})

describe('the schema', () => {
  test('is the same whether printed or migrated', () =>
    withStore(async (migrated) => {
      const printed = openNodeSqlite(':memory:')
      for (const statement of printSchema({ records }).split(';\n')) {
        if (statement.trim()) await run(printed, statement)
      }
      expect(await tablesOf(migrated)).toEqual(await tablesOf(printed))
      expect(await checkSchema(printed, { records })).toEqual([])
      await printed.close()
    }))

  test('is applied once, also over tables from the printed text', async () => {
    const store = openNodeSqlite(':memory:')
    for (const statement of printSchema().split(';\n')) {
      if (statement.trim()) await run(store, statement)
    }
    expect(await migrate(store)).toEqual([1])
    expect(await migrate(store)).toEqual([])
    expect(await checkSchema(store)).toEqual([])
    await store.close()
  })

  test('of a later version is not changed', () =>
    withStore(async (store) => {
      await run(store, `INSERT INTO "latchkeyMigration" VALUES (99, 'later')`)
      await expect(migrate(store)).rejects.toThrow('supports up to 1; update latchkey')
    }))

  test('is applied as a whole or not at all', async () => {
    const store = openNodeSqlite(':memory:')
    await run(store, 'CREATE TABLE "session" ("wrong" TEXT)')
    await expect(migrate(store)).rejects.toThrow('userId')
    expect((await checkSchema(store)).map(({ problem }) => problem)).toContain(
      'the table user is missing',
    )
    await store.close()
  })

  test('of an empty database is reported table by table, with statements that create it', async () => {
    const store = openNodeSqlite(':memory:')
    const findings = await checkSchema(store, { records })
    for (const name of tableNames) {
      expect(findings.map(({ problem }) => problem)).toContain(`the table ${name} is missing`)
    }
    for (const { statement } of findings) await run(store, statement ?? '')
    expect(await checkSchema(store, { records })).toEqual([])
    expect(await migrate(store, { records })).toEqual([1])
    await store.close()
  })

  test('that lacks columns, keys and indexes is completed by the statements of its findings', async () => {
    const store = openNodeSqlite(':memory:')
    await run(store, 'CREATE TABLE "user" ("id" TEXT, "name" TEXT, "email" TEXT)')
    await run(store, 'CREATE TABLE "account" ("userId" TEXT, "provider" TEXT, "type" TEXT)')
    await run(store, `INSERT INTO "account" VALUES ('1', 'acme', 'oauth')`)
    await run(store, 'CREATE TABLE "session" ("sessionToken" TEXT UNIQUE, "userId" TEXT)')
    await run(store, 'CREATE UNIQUE INDEX "folding" ON "user" ("email" COLLATE NOCASE)')
    await run(store, 'CREATE UNIQUE INDEX "some" ON "user" ("id") WHERE "name" IS NOT NULL')
    const findings = await checkSchema(store)
    const problems = findings.map(({ problem }) => problem)
    expect(problems).toEqual(
      expect.arrayContaining([
        'the column emailVerified of the table user is missing',
        'the table user has no unique index on id',
        'the table user has no unique index on email',
        'the column providerAccountId of the table account is missing',
        'the table account has no unique index on provider and providerAccountId',
        'the table account has no index on userId',
        'the column expires of the table session is missing',
        'the table session has no index on expires',
        'the table verificationToken is missing',
      ]),
    )
    expect(problems).not.toContain('the table session has no unique index on sessionToken')
    for (const { statement } of findings) if (statement !== null) await run(store, statement)
    // SQLite cannot add a foreign key to an existing table.
    expect((await checkSchema(store)).map(({ problem }) => problem)).toEqual([
      'the column userId of the table account has no foreign key to the users',
      'the column userId of the table session has no foreign key to the users',
    ])
    await sqlAdapter(store).createUser?.(ada)
    expect(await sqlAdapter(store).getUser?.('1')).toMatchObject(ada)
    await store.close()
  })
})

describe('an SQLite file', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-sql-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Starts another process with the adapter and the path of the file. */
  function start(file: string, program: string) {
    const path = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
    const source = `
      import { migrate, sqlAdapter } from ${path('./index.ts')}
      import { openNodeSqlite } from ${path('./node-sqlite.ts')}
      const store = openNodeSqlite(${JSON.stringify(join(folder, file))})
      const adapter = sqlAdapter(store)
      ${program}`
    return spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {},
    })
  }

  test('that several processes migrate at once has its tables, created by one of them', async () => {
    const children = Array.from({ length: 4 }, () =>
      start('migrated.db', 'console.log(JSON.stringify(await migrate(store)))'),
    )
    const answers = await Promise.all(
      children.map(async (child) => {
        const lines: string[] = []
        for await (const line of createInterface(child.stdout)) lines.push(line)
        if (child.exitCode === null) await once(child, 'exit')
        return `${child.exitCode} ${lines.join()}`
      }),
    )
    expect(answers.toSorted()).toEqual(['0 [1]', '0 []', '0 []', '0 []'])
    const store = openNodeSqlite(join(folder, 'migrated.db'))
    expect(await checkSchema(store)).toEqual([])
    await store.close()
  })

  test('opens while another process writes to it without a write-ahead log', async () => {
    const file = join(folder, 'rollback.db')
    const source = `
      import { DatabaseSync } from 'node:sqlite'
      const database = new DatabaseSync(${JSON.stringify(file)})
      database.exec('CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
      console.log('writing')
      setTimeout(() => database.exec('COMMIT'), 200)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    const store = openNodeSqlite(file)
    expect((await run(store, 'SELECT * FROM t')).rows).toHaveLength(1)
    expect(await exited).toEqual([0, null])
    await store.close()
  })

  test('has all acknowledged writes after its process was killed', async () => {
    const child = start(
      'killed.db',
      `await migrate(store)
      await adapter.createUser({ id: '1', email: 'ada@x.example', emailVerified: null })
      for (let index = 0; ; index++) {
        const expires = new Date(253402300799999)
        await adapter.createSession({ sessionToken: 's' + index, userId: '1', expires })
        console.log(index)
      }`,
    )
    let answered = -1
    for await (const line of createInterface(child.stdout)) {
      answered = Number(line)
      if (answered === 100) child.kill('SIGKILL')
    }
    expect(answered).toBeGreaterThanOrEqual(100)
    const store = openNodeSqlite(join(folder, 'killed.db'))
    const adapter = sqlAdapter(store)
    for (let index = 0; index <= answered; index++) {
      expect(await adapter.getSessionAndUser?.(`s${index}`)).not.toBeNull()
    }
    expect(await adapter.createSession?.({ ...session, sessionToken: 'after' })).toMatchObject({
      sessionToken: 'after',
    })
    await store.close()
  })

  test('that another process writes to meanwhile does not break a transaction', async () => {
    const file = join(folder, 'shared.db')
    const store = openNodeSqlite(file)
    await migrate(store)
    const child = start(
      'shared.db',
      `let stopped = false
      process.stdin.on('end', () => { stopped = true }).resume()
      for (let index = 0; !stopped; index++) {
        const id = 'child-' + index
        await adapter.createUser({ id, email: id, emailVerified: null })
        if (index === 0) console.log('writing')
        await new Promise(setImmediate)
      }
      await store.close()`,
    )
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    const adapter = sqlAdapter(store)
    for (let index = 0; index < 50; index++) {
      await adapter[atomic]?.transaction?.(async (inside) => {
        expect(await inside.getUser?.(`mine-${index}`)).toBeNull()
        await new Promise((resolve) => setTimeout(resolve, 2))
        await inside.createUser?.({ ...ada, id: `mine-${index}`, email: `${index}` })
      })
    }
    child.stdin.end()
    expect(await exited).toEqual([0, null])
    for (let index = 0; index < 50; index++) {
      expect(await adapter.getUser?.(`mine-${index}`)).not.toBeNull()
    }
    await store.close()
  })

  describe('that another process locks', () => {
    async function held(name: string) {
      const file = join(folder, name)
      const store = openNodeSqlite(file)
      await migrate(store)
      await sqlAdapter(store).createUser?.(ada)
      const other = new DatabaseSync(file)
      return { store, adapter: sqlAdapter(store), other }
    }

    /** The number of timer events during `work`. There are none while the process is blocked. */
    async function rings(work: Promise<unknown>): Promise<number> {
      let count = 0
      const timer = setInterval(() => count++, 5)
      await work
      clearInterval(timer)
      return count
    }

    test('is waited for while timers go on, also by a transaction', async () => {
      const { store, adapter, other } = await held('waited.db')
      other.exec('BEGIN EXCLUSIVE')
      setTimeout(() => other.exec('COMMIT'), 700)
      const begun = performance.now()
      const work = Promise.all([
        adapter.createSession?.({ ...session, userId: ada.id }),
        adapter[atomic]?.transaction?.(async (inside) => {
          await inside.createUser?.({ ...ada, id: 'other', email: 'other@x.example' })
        }),
      ])
      expect(await rings(work)).toBeGreaterThan(10)
      expect(performance.now() - begun).toBeGreaterThan(600)
      expect(await adapter.getUser?.('other')).not.toBeNull()
      expect(await adapter.getSessionAndUser?.(session.sessionToken)).not.toBeNull()
      other.close()
      await store.close()
    })

    test('is given up after a while, by all calls that waited at the same time', async () => {
      const { store, adapter, other } = await held('given-up.db')
      other.exec('BEGIN EXCLUSIVE')
      const begun = performance.now()
      const work = Promise.allSettled(
        Array.from({ length: 5 }, (_, index) =>
          adapter.createSession?.({ ...session, sessionToken: `s${index}`, userId: ada.id }),
        ),
      )
      expect(await rings(work)).toBeGreaterThan(10)
      expect(performance.now() - begun).toBeLessThan(8000)
      for (const result of await work)
        expect(result).toMatchObject({
          reason: { name: 'DatabaseLocked', message: /the database is locked/ },
        })
      other.exec('COMMIT')
      expect(await adapter.createSession?.({ ...session, userId: ada.id })).not.toBeNull()
      other.close()
      await store.close()
    })

    test('is waited for by reads if there is no write-ahead log', async () => {
      const { store, adapter, other } = await held('unreadable.db')
      await run(store, 'PRAGMA journal_mode = DELETE')
      other.exec('BEGIN EXCLUSIVE')
      setTimeout(() => other.exec('COMMIT'), 200)
      expect(await adapter.getUser?.(ada.id)).toMatchObject(ada)
      other.close()
      await store.close()
    })
  })

  test('is closed also if it was never used', async () => {
    const store = openNodeSqlite(join(folder, 'unused.db'))
    await store.close()
    expect(() => store.readNow('SELECT 1', [])).toThrow('not open')
  })

  test('has its commits on the disk, and checks references', async () => {
    const store = openNodeSqlite(join(folder, 'settings.db'))
    const ask = async (name: string) => Object.values((await run(store, `PRAGMA ${name}`)).rows[0]!)
    expect(await ask('journal_mode')).toEqual(['wal'])
    expect(await ask('synchronous')).toEqual([2])
    expect(await ask('foreign_keys')).toEqual([1])
    expect(await ask('busy_timeout')).toEqual([0])
    await store.close()
    await store.close()
  })
})
