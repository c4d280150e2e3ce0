import { DummyDriver, Kysely, MssqlAdapter, MssqlIntrospector, MssqlQueryCompiler } from 'kysely'
import { describe, expect, test } from 'vitest'
import { atomic } from '../../model/adapter.ts'
import { mariadb, mssql, mysql, printSchema, type SqlStore, sqlAdapter } from './index.ts'

/** There is no server for tests, so they check the text of the statements. */
function recording() {
  const asked: string[] = []
  const store: SqlStore = {
    db: new Kysely({
      dialect: {
        createAdapter: () => new MssqlAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new MssqlIntrospector(db),
        createQueryCompiler: () => new MssqlQueryCompiler(),
      },
    }),
    dialect: mssql,
    async run({ sql }) {
      asked.push(sql)
      return { rows: [] }
    },
  }
  return { asked, store, adapter: sqlAdapter(store) }
}

describe('SQL Server', () => {
  test('gets statements in its own dialect', async () => {
    const { asked, adapter } = recording()
    const now = new Date(0)
    await adapter.getSessionAndUser?.('s')
    await adapter.createSession?.({ sessionToken: 's', userId: 'u', expires: now })
    await adapter[atomic]?.deleteSessionsByUserId?.('u')
    await adapter[atomic]?.cleanup?.({ now, batch: 10 })
    await adapter[atomic]?.listUsers?.({ limit: 5, after: 'u' })
    const ends = 'convert(varchar(23), "session"."expires", 121) as "expires"'
    expect(asked[0]).toContain(`select "session"."sessionToken" as "sessionToken"`)
    expect(asked[0]).toContain(ends)
    expect(asked[0]).toContain('where "session"."sessionToken" = @1')
    expect(asked[1]).toBe(
      'insert into "session" ("sessionToken", "userId", "expires") values (@1, @2, @3)',
    )
    expect(asked[2]).toBe(
      'delete from "session" where "userId" = @1 and cast("userId" as varbinary(max)) = cast(cast(@2 as nvarchar(max)) as varbinary(max))',
    )
    expect(asked[3]).toBe('delete top(10) from "session" where "expires" < @1')
    expect(asked[5]).toMatch(/^select top\(6\) .* from "user" where "id" > @1 order by "id"$/)
  })

  test('has tables with exact collations, and several users without an address', () => {
    const schema = printSchema({ dialect: mssql })
    expect(schema).toContain('"email" nvarchar(320) collate Latin1_General_100_BIN2')
    expect(schema).toContain(
      'CREATE UNIQUE INDEX "user_email_key" ON "user" ("email") WHERE "email" IS NOT NULL',
    )
    expect(schema).not.toContain('UNIQUE ("email")')
    expect(schema).toContain('"expires" datetime2(3) NOT NULL')
    expect(schema).not.toMatch(/IF NOT EXISTS|RETURNING/)
  })

  test('cannot generate ids, because it would not return them', () => {
    const { store } = recording()
    expect(() => sqlAdapter(store, { naming: 'pg' })).toThrow('does not return generated ids')
    const naming = { ids: 'uuid', generateId: 'database' } as const
    expect(() => sqlAdapter({ ...store, dialect: mysql }, { naming })).toThrow('mysql does not')
    expect(() => sqlAdapter({ ...store, dialect: mysql }, { naming: 'pg' })).not.toThrow()
    expect(() => sqlAdapter({ ...store, dialect: mariadb }, { naming })).not.toThrow()
  })

  test('names the taken key, and recognizes collisions that are worth a retry', () => {
    const message = `Violation of UNIQUE KEY constraint 'user_email_key'. Cannot insert duplicate key in object 'dbo.user'. The duplicate key value is (ada@x.example).`
    expect(mssql.takenKey({ number: 2627, message })).toBe('user_email_key')
    const index = `Cannot insert duplicate key row in object 'dbo.user' with unique index 'user_email_key'. The duplicate key value is ('x').`
    expect(mssql.takenKey({ number: 2601, message: index })).toBe('user_email_key')
    expect(mssql.takenKey({ number: 547, message })).toBeUndefined()
    expect(mssql.isCollision({ number: 1205 })).toBe(true)
    expect(mssql.isCollision({ number: 2627 })).toBe(false)
  })
})
