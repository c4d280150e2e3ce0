import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  checkSchema,
  type Finding,
  migrate,
  type Preset,
  printSchema,
  type SchemaOptions,
  type SqlStore,
  sqlAdapter,
} from '../../../src/adapters/sql/index.ts'
import { atomic } from '../../../src/model/adapter.ts'
import { engines } from './engines.ts'
import { type ForeignLayout, mysqlLayouts, postgresLayouts, sqliteLayouts } from './layouts.ts'

const PRESETS: readonly Preset[] = [
  'singular',
  'pascal',
  'plural',
  'snake-plural',
  'snake',
  'pg',
  'drizzle',
  'prisma',
  'typeorm',
  'kysely',
  'd1',
  'sequelize',
  'mikro-orm',
]

async function run({ db }: SqlStore, text: string): Promise<void> {
  for (const statement of text.split(';')) {
    if (statement.trim()) await sql.raw(statement).execute(db)
  }
}

/** Runs the statements of the findings. @returns what is found afterwards. */
async function mend(
  store: SqlStore,
  findings: readonly Finding[],
  options?: SchemaOptions,
): Promise<readonly Finding[]> {
  for (const { statement } of findings) if (statement !== null) await run(store, statement)
  return checkSchema(store, options)
}

const problems = (findings: readonly Finding[]) => findings.map(({ problem }) => problem)

const foreign: Readonly<Record<string, readonly ForeignLayout[]>> = {
  SQLite: sqliteLayouts,
  PostgreSQL: postgresLayouts,
  MariaDB: mysqlLayouts,
}

for (const engine of await engines()) {
  describe(`the schema on ${engine.name}`, () => {
    test.each(PRESETS)('printed as %s is complete, and passes the check', async (naming) => {
      await using opened = await engine.open()
      const { store } = opened
      const records = true
      await run(store, printSchema({ dialect: store.dialect, naming, records }))
      expect(await checkSchema(store, { naming, records })).toEqual([])
      expect(await migrate(store, { naming, records })).toEqual([1])
      const adapter = sqlAdapter(store, { naming, records })
      const id = crypto.randomUUID()
      const expires = new Date('2030-01-01T00:00:00.123Z')
      const user = await adapter.createUser?.({ id, email: 'a@x.example', emailVerified: expires })
      const userId = user?.id ?? ''
      await adapter.linkAccount?.({ userId, type: 'oidc', provider: 'p', providerAccountId: 'a' })
      await adapter.createSession?.({ sessionToken: 's', userId, expires })
      expect(await adapter.getSessionAndUser?.('s')).toEqual({
        session: { sessionToken: 's', userId, expires },
        user: { id: userId, email: 'a@x.example', emailVerified: expires, name: null, image: null },
      })
      expect(await adapter.getUserByAccount?.({ provider: 'p', providerAccountId: 'a' })).toEqual(
        user,
      )
      const record = { kind: 'k', key: 'a', data: {}, version: 1, createdAt: expires, expires }
      const { createRecord, getRecord } = adapter[atomic] ?? {}
      const now = new Date(expires.getTime() - 1)
      expect(await createRecord?.({ ...record, userId }, now)).toBe(true)
      expect(await createRecord?.({ ...record, userId: 'other' }, now)).toBe(false)
      expect(await getRecord?.(record)).toEqual({ ...record, userId })
      expect(await createRecord?.({ ...record, userId: 'other' }, expires)).toBe(true)
      await adapter.deleteUser?.('other')
      expect(await getRecord?.(record)).toBeNull()
    })

    test('of an empty database is created by the statements of the findings', async () => {
      await using opened = await engine.open()
      const { store } = opened
      const findings = await checkSchema(store)
      expect(problems(findings)).toContain('the table verificationToken is missing')
      expect(await mend(store, findings)).toEqual([])
    })

    test('PUB-8: lists users whose address has capitals, and finds them afterwards', async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store)
      const adapter = sqlAdapter(store)
      for (const [id, email] of [
        ['1', 'Ada@Example.com'],
        ['2', 'bob@example.com'],
      ] as const)
        await adapter.createUser?.({ id, email, emailVerified: null })
      const isFound = async () => (await adapter.getUserByEmail?.('ada@example.com'))?.id === '1'
      const findings = await checkSchema(store)
      // MariaDB compares without regard to capitals.
      expect(findings.length === 0).toBe(await isFound())
      if (findings.length > 0) {
        expect(findings).toMatchObject([{ rows: true }])
        expect(problems(findings)[0]).toContain('1 user has an address with capitals')
        expect(await checkSchema(store, { rows: false })).toEqual([])
      }
      expect(await mend(store, findings)).toEqual([])
      expect(await isFound()).toBe(true)
    })

    test('PUB-8: does not change an address to that of another user', async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store)
      const adapter = sqlAdapter(store)
      // The Kelvin sign, whose small letter is a plain k.
      const email = 'mar\u212A@example.com'
      await adapter.createUser?.({ id: '1', email, emailVerified: null })
      await adapter.createUser?.({ id: '2', email: 'Ada@Example.com', emailVerified: null })
      await mend(store, await checkSchema(store))
      expect(await adapter.getUser?.('1')).toMatchObject({ email })
      expect((await adapter.getUserByEmail?.('ada@example.com'))?.id).toBe('2')
    })

    test('that lacks columns, keys and indexes is completed', async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store)
      const quote = (name: string) => store.dialect.quote(name)
      const drop = (table: string) => run(store, `DROP TABLE ${quote(table)}`)
      const type = (table: string, field: string) =>
        store.dialect.columnType({ content: 'key' }, `${table}.${field}`)
      await drop('session')
      await drop('account')
      await run(
        store,
        `CREATE TABLE ${quote('session')} (${quote('sessionToken')} ${type('session', 'sessionToken')} NOT NULL)`,
      )
      const columns = ['userId', 'provider', 'type'].map(
        (field) => `${quote(field)} ${type('account', field)}`,
      )
      await run(store, `CREATE TABLE ${quote('account')} (${columns.join()})`)
      await run(store, `INSERT INTO ${quote('user')} (id) VALUES ('1')`)
      await run(store, `INSERT INTO ${quote('account')} VALUES ('1', 'acme', 'oauth')`)
      const findings = await checkSchema(store)
      expect(problems(findings)).toEqual(
        expect.arrayContaining([
          'the column expires of the table session is missing',
          'the table session has no unique index on sessionToken',
          'the table session has no index on userId',
          'the column providerAccountId of the table account is missing',
          'the table account has no unique index on provider and providerAccountId',
          'the column userId of the table account has no foreign key to the users',
        ]),
      )
      // SQLite adds no foreign key to a table that is there.
      const beyond = findings.filter(({ statement }) => statement === null)
      expect(beyond).toHaveLength(engine.name === 'SQLite' ? 2 : 0)
      expect(await mend(store, findings)).toEqual(beyond)
    })

    test.each(foreign[engine.name] ?? [])(
      'of $preset, created by another adapter, is updated',
      async ({ preset: naming, tables }) => {
        await using opened = await engine.open()
        const { store } = opened
        await run(store, tables)
        const findings = await checkSchema(store, { naming })
        // Its types are those that the layout says.
        expect(problems(findings).filter((each) => each.includes('but must be'))).toEqual([])
        const left = await mend(store, findings, { naming })
        expect(left.filter(({ statement }) => statement !== null)).toEqual([])
        expect(problems(left)).toEqual(
          problems(findings.filter(({ statement }) => statement === null)),
        )
      },
    )
  })
}
