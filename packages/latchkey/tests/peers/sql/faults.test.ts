import { sql } from 'kysely'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import {
  checkSchema,
  mariadb,
  migrate,
  printSchema,
  type SqlStore,
  sqlAdapter,
} from '../../../src/adapters/sql/index.ts'
import { mysql2Store } from '../../../src/adapters/sql/mysql2.ts'
import { pgStore } from '../../../src/adapters/sql/pg.ts'
import { type Adapter, atomic } from '../../../src/model/adapter.ts'
import { mysqlDatabase, postgresDatabase } from './databases.ts'
import { engines } from './engines.ts'

const ada = { id: 'ada', email: 'ada@x.example', emailVerified: null }
const expires = new Date('2030-01-01T00:00:00.123Z')

function run({ db }: SqlStore, text: string) {
  return sql.raw<Record<string, unknown>>(text).execute(db)
}

const all = await engines()
const there = (name: string) => all.some((engine) => engine.name === name)

describe('two conflicting transactions', () => {
  for (const engine of all.filter(({ name }) => name !== 'SQLite')) {
    test(`both succeed on ${engine.name}: the one that fails is repeated`, async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store)
      const adapter = sqlAdapter(store)
      for (const id of ['1', '2']) await adapter.createUser?.({ ...ada, id, email: id })
      let begun = 0
      const { promise: both, resolve: go } = Promise.withResolvers<void>()
      const rename = (order: readonly string[]) =>
        adapter[atomic]?.transaction?.(async (inside) => {
          for (const id of order) {
            await inside.updateUser?.({ id, name: order.join() })
            if (++begun === 2) go()
            await both
          }
        })
      await Promise.all([rename(['1', '2']), rename(['2', '1'])])
      const [one, two] = [await adapter.getUser?.('1'), await adapter.getUser?.('2')]
      expect(one?.name).toBe(two?.name)
      // Two each, and one at least a second time.
      expect(begun).toBeGreaterThan(4)
    })
  }

  test.skipIf(!there('PostgreSQL'))('both succeed also if they are serializable', async () => {
    await using database = await postgresDatabase()
    const isolation = '-c default_transaction_isolation=serializable'
    const pool = new pg.Pool({ connectionString: database?.url, max: 8, options: isolation })
    const store = pgStore(pool)
    await migrate(store)
    const adapter = sqlAdapter(store)
    await adapter.createUser?.(ada)
    let begun = 0
    const { promise: all, resolve: go } = Promise.withResolvers<void>()
    const answers = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        adapter[atomic]?.transaction?.(async (inside) => {
          const { name } = (await inside.getUser?.(ada.id)) ?? {}
          if (++begun === 3) go()
          await all
          await inside.updateUser?.({ id: ada.id, name: `${name ?? ''}${index}` })
          return index
        }),
      ),
    )
    expect(answers).toEqual([0, 1, 2])
    expect((await adapter.getUser?.(ada.id))?.name).toHaveLength(3)
    await pool.end()
  })
})

describe('a connection that is lost in a transaction', () => {
  for (const engine of all.filter(({ name }) => name !== 'SQLite')) {
    test(`leaves nothing of it on ${engine.name}, and the next transaction succeeds`, async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store)
      const adapter = sqlAdapter(store)
      const kill = async () => {
        if (engine.name === 'PostgreSQL') {
          await run(
            store,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND state = 'idle in transaction'`,
          )
          return
        }
        const { rows } = await run(
          store,
          'SELECT trx_mysql_thread_id AS id FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id WHERE db = DATABASE()',
        )
        for (const { id } of rows) await run(store, `KILL ${String(id)}`)
      }
      const broken = adapter[atomic]?.transaction?.(async (inside) => {
        await inside.createUser?.(ada)
        await kill()
        await new Promise((resolve) => setTimeout(resolve, 100))
        await inside.updateUser?.({ id: ada.id, name: 'Ada' })
      })
      await expect(broken).rejects.toThrow()
      expect(await adapter.getUser?.(ada.id)).toBeNull()
      await adapter[atomic]?.transaction?.(async (inside) => inside.createUser?.(ada))
      expect(await adapter.getUser?.(ada.id)).not.toBeNull()
    })
  }
})

describe('a table that another tool created', () => {
  async function folding(store: SqlStore): Promise<Adapter> {
    const folded = printSchema({ dialect: store.dialect })
      .replaceAll('utf8mb4_nopad_bin', 'utf8mb4_general_ci')
      .replaceAll('TEXT', 'TEXT COLLATE NOCASE')
      .replaceAll(/\btext\b/g, 'text collate folding')
    for (const statement of folded.split(';\n')) if (statement.trim()) await run(store, statement)
    return sqlAdapter(store)
  }

  for (const engine of all) {
    test(`with a loose collation returns and changes no similar rows on ${engine.name}`, async () => {
      await using opened = await engine.open()
      const { store } = opened
      if (engine.name === 'PostgreSQL') {
        await run(
          store,
          "CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        )
      }
      const adapter = await folding(store)
      const userId = ada.id
      await adapter.createUser?.(ada)
      await adapter.createSession?.({ sessionToken: 'token', userId, expires })
      await adapter.createVerificationToken?.({ identifier: 'a', token: 'hash', expires })
      await adapter.linkAccount?.({ userId, type: 'oidc', provider: 'p', providerAccountId: 'me' })
      await adapter.createAuthenticator?.({
        userId,
        providerAccountId: 'c',
        credentialID: 'c',
        credentialPublicKey: 'k',
        counter: 1,
        credentialDeviceType: 'singleDevice',
        credentialBackedUp: false,
      })

      expect(await adapter.getUserByEmail?.('ADA@x.example')).toBeNull()
      expect(await adapter.getSessionAndUser?.('TOKEN')).toBeNull()
      expect(await adapter.deleteSession?.('TOKEN')).toBeNull()
      expect(
        await adapter.updateSession?.({ sessionToken: 'TOKEN', expires: new Date(0) }),
      ).toBeNull()
      expect(await adapter.useVerificationToken?.({ identifier: 'A', token: 'hash' })).toBeNull()
      expect(await adapter.useVerificationToken?.({ identifier: 'a', token: 'HASH' })).toBeNull()
      await adapter.unlinkAccount?.({ provider: 'P', providerAccountId: 'me' })
      await adapter.deleteUser?.('ADA')
      expect(await adapter[atomic]?.deleteSessionsByUserId?.('ADA')).toBe(0)
      await expect(async () => adapter.updateUser?.({ id: 'ADA', name: 'x' })).rejects.toThrow()
      await expect(async () => adapter.updateAuthenticatorCounter?.('C', 9)).rejects.toThrow()

      expect(await adapter.getSessionAndUser?.('token')).toMatchObject({
        session: { expires },
        user: { ...ada, name: null },
      })
      expect(await adapter.getAccount?.('me', 'p')).not.toBeNull()
      expect(await adapter.getAuthenticator?.('c')).toMatchObject({ counter: 1 })
      // All but one that looks like the one that goes on.
      expect(await adapter[atomic]?.deleteSessionsByUserId?.(userId, 'TOKEN')).toBe(1)
      expect(
        await adapter.useVerificationToken?.({ identifier: 'a', token: 'hash' }),
      ).not.toBeNull()
    })
  }

  test.skipIf(!there('MariaDB'))(
    'with a loose collation is found by the check, and corrected',
    async () => {
      await using database = await mysqlDatabase()
      const pool = createPool({ uri: database?.url ?? '', connectionLimit: 1 })
      const store = mysql2Store(pool, mariadb)
      await folding(store)
      await run(store, "SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'")
      await run(store, 'ALTER TABLE account MODIFY access_token varchar(255) NOT NULL')
      await run(store, 'ALTER TABLE session ADD required int NOT NULL')
      await run(store, 'ALTER TABLE session MODIFY expires datetime NOT NULL')
      const findings = await checkSchema(store)
      expect(findings.map(({ problem }) => problem)).toEqual(
        expect.arrayContaining([
          'the server truncates values that are too long instead of rejecting them (strict mode is off)',
          'the column email of the table user treats different texts as equal (utf8mb4_general_ci)',
          'the column access_token of the table account holds only 255 characters',
          'the column access_token of the table account is NOT NULL, but must accept NULL',
          'the column required of the table session is NOT NULL without a default, but this library does not write it',
          'the column expires of the table session has no milliseconds',
        ]),
      )
      for (const { statement } of findings) {
        // The server is not ours alone.
        await run(store, statement?.replaceAll('GLOBAL', 'SESSION') ?? '')
      }
      expect(await checkSchema(store)).toEqual([])
      await pool.end()
    },
  )

  test.skipIf(!there('PostgreSQL'))(
    'with short and narrow columns is found by the check',
    async () => {
      const engine = all.find(({ name }) => name === 'PostgreSQL')
      await using opened = await engine?.open()
      const store = opened?.store
      if (!store) throw new Error('no PostgreSQL')
      await migrate(store)
      await run(store, 'ALTER TABLE account ALTER COLUMN expires_at TYPE integer')
      await run(store, 'ALTER TABLE account ALTER COLUMN id_token TYPE varchar(255)')
      await run(store, 'ALTER TABLE account ALTER COLUMN scope SET NOT NULL')
      await run(store, 'ALTER TABLE "user" ADD required integer NOT NULL')
      await run(store, 'ALTER TABLE authenticator ADD CONSTRAINT single UNIQUE ("userId")')
      const findings = await checkSchema(store)
      expect(findings.map(({ problem }) => problem)).toEqual([
        'the column required of the table user is NOT NULL without a default, but this library does not write it',
        'the column expires_at of the table account overflows in the year 2038',
        'the column scope of the table account is NOT NULL, but must accept NULL',
        'the column id_token of the table account holds only 255 characters',
        'userId is unique in the table authenticator, which limits each user to one row',
      ])
      for (const { statement } of findings) if (statement !== null) await run(store, statement)
      await run(store, 'ALTER TABLE authenticator DROP CONSTRAINT single')
      expect(await checkSchema(store)).toEqual([])
    },
  )

  const wrongTypes: Readonly<
    Record<string, { readonly changes: readonly string[]; readonly found: readonly string[] }>
  > = {
    PostgreSQL: {
      changes: [
        'ALTER TABLE "user" ALTER "emailVerified" TYPE boolean USING false',
        'ALTER TABLE account DROP CONSTRAINT "account_userId_fkey"',
        'ALTER TABLE account ALTER "userId" TYPE integer USING 0',
        'ALTER TABLE session ALTER expires TYPE timestamp(3)',
        'ALTER TABLE session ALTER "sessionToken" TYPE uuid USING NULL',
        'ALTER TABLE "verificationToken" ALTER expires TYPE text',
      ],
      found: [
        'the column emailVerified of the table user has the type boolean, but must be timestamptz(3)',
        'the column userId of the table account has the type integer, but must be text',
        'the column sessionToken of the table session has the type uuid, but must be text',
        'the column expires of the table session has the type timestamp without time zone, but must be timestamptz(3)',
        'the column expires of the table verificationToken has the type text, but must be timestamptz(3)',
      ],
    },
    MariaDB: {
      changes: [
        'ALTER TABLE `user` MODIFY emailVerified tinyint(1)',
        'ALTER TABLE `user` MODIFY name varchar(255) character set utf8mb3',
        'ALTER TABLE account MODIFY expires_at mediumint',
        'ALTER TABLE account MODIFY scope bigint',
        'ALTER TABLE session MODIFY expires date NOT NULL',
      ],
      found: [
        'the column name of the table user cannot store all characters, for example emoji (utf8mb3_general_ci)',
        'the column emailVerified of the table user has the type tinyint(1), but must be datetime(3)',
        'the column expires_at of the table account overflows in the year 2038',
        'the column scope of the table account has the type bigint(20), but must be mediumtext',
        'the column expires of the table session has the type date, but must be datetime(3)',
      ],
    },
    SQLite: {
      changes: [
        'DROP TABLE "verificationToken"',
        'CREATE TABLE "verificationToken" ("identifier" INTEGER, "token" VARCHAR, "expires" DATETEXT, PRIMARY KEY ("identifier", "token"))',
        'CREATE INDEX "x" ON "verificationToken" ("expires")',
      ],
      found: [
        'the column identifier of the table verificationToken has the type integer, but must be TEXT',
        'the column expires of the table verificationToken has the type datetext, but must be INTEGER',
      ],
    },
  }

  for (const engine of all) {
    const { changes, found } = wrongTypes[engine.name] ?? {}
    if (!changes) continue
    test(`with columns of another type is found by the check on ${engine.name}`, async () => {
      await using opened = await engine.open()
      const { store } = opened
      await migrate(store)
      for (const change of changes) await run(store, change)
      const findings = await checkSchema(store)
      expect(findings.map(({ problem }) => problem)).toEqual(
        expect.arrayContaining([...(found ?? [])]),
      )
      const types = findings.filter(({ problem }) => problem.includes('but must be'))
      // Only MariaDB says no to what it cannot turn into the other type.
      for (const { statement } of types) expect(statement === null).toBe(engine.name !== 'MariaDB')
    })
  }
})
