import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openNodeSqlite } from './node-sqlite.ts'
import { inTransaction } from './transaction.ts'

/** Fills a database that is limited to ten pages. */
const FILL = [
  'pragma max_page_count = 10',
  'create table t (x blob)',
  'insert into t values (zeroblob(90000))',
]

describe('a transaction on a full disk', () => {
  test('fails with the error of the disk, not of the rollback, with the store of Node.js', async () => {
    const { db, close } = openNodeSqlite(':memory:')
    await sql.raw(FILL[0] ?? '').execute(db)
    const work = db.transaction().execute(async (transaction) => {
      for (const statement of FILL.slice(1)) await sql.raw(statement).execute(transaction)
    })
    await expect(work).rejects.toThrow(/database or disk is full/)
    // The connection is usable afterwards.
    await inTransaction(db, (transaction) => sql`create table u (x)`.execute(transaction))
    await close()
  })

  test('fails with the error of the disk, with a dialect whose rollback fails', async () => {
    const database = new DatabaseSync(':memory:')
    database.exec(FILL[0] ?? '')
    const prepare = (text: string) => {
      const statement = database.prepare(text)
      return {
        reader: false,
        all: () => statement.all(),
        run: () => statement.run(),
        iterate: () => statement.iterate(),
      }
    }
    const db = new Kysely<Record<string, never>>({
      dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }),
    })
    const fill = async (transaction: typeof db): Promise<void> => {
      for (const statement of FILL.slice(1)) await sql.raw(statement).execute(transaction)
    }
    await expect(db.transaction().execute(fill)).rejects.toThrow(/no transaction is active/)
    await expect(inTransaction(db as never, fill as never)).rejects.toThrow(
      /database or disk is full/,
    )
    database.close()
  })
})
