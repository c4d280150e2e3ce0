import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import {
  mariadb,
  migrate,
  type Naming,
  postgres,
  type SqlStore,
  sqlAdapter,
} from '../../../src/adapters/sql/index.ts'
import { mysql2Store } from '../../../src/adapters/sql/mysql2.ts'
import { pgStore } from '../../../src/adapters/sql/pg.ts'
import { mysqlDatabase, postgresDatabase } from './databases.ts'

const ZONE = process.env['TZ']
/** Among them an hour that New York does not have, and one that it has twice. */
const DATES = [
  '1999-12-31T23:59:59.999Z',
  '2026-03-08T02:30:00.001Z',
  '2026-03-08T07:30:00.123Z',
  '2026-11-01T05:30:00.456Z',
  '2026-11-01T06:30:00.789Z',
  '2037-06-01T12:00:00.007Z',
].map((text) => new Date(text))

/** Writes {@link DATES} in one zone. @returns them as read in another. */
async function datesRead(
  writing: SqlStore,
  reading: SqlStore,
  naming?: Naming,
): Promise<(Date | undefined)[]> {
  const [writer, reader] = [sqlAdapter(writing, { naming }), sqlAdapter(reading, { naming })]
  process.env['TZ'] = 'America/New_York'
  const user = { id: 'ada', email: 'ada@x.example', emailVerified: DATES[2] ?? null }
  await writer.createUser?.(user)
  await writer.linkAccount?.({
    userId: 'ada',
    type: 'oauth',
    provider: 'p',
    providerAccountId: 's',
    expires_at: 253_402_300_799,
  })
  for (const [index, expires] of DATES.entries()) {
    await writer.createSession?.({ sessionToken: `s${index}`, userId: 'ada', expires })
  }
  process.env['TZ'] = 'Asia/Kathmandu'
  const read: (Date | undefined)[] = []
  for (const index of DATES.keys()) {
    const found = await reader.getSessionAndUser?.(`s${index}`)
    read.push(found?.session.expires)
    expect(found?.user.emailVerified).toEqual(user.emailVerified)
  }
  expect(await reader.getAccount?.('s', 'p')).toMatchObject({ expires_at: 253_402_300_799 })
  return read
}

afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ']
  else process.env['TZ'] = ZONE
})

describe('dates are the same in all zones of process, server and driver', () => {
  for (const instants of ['instant', 'timestamp', 'iso', 'utc-text', 'ms', 'ms-text'] as const) {
    test(`as ${instants} in PostgreSQL`, async (context) => {
      await using database = await postgresDatabase()
      if (!database) return context.skip('there is no PostgreSQL')
      const connectionString = database.url
      const there = new pg.Pool({ connectionString, options: '-c timezone=Australia/Lord_Howe' })
      // Parsers of the application: everything as it comes.
      const types = { getTypeParser: () => (text: string | Buffer) => String(text) }
      const here = new pg.Pool({ connectionString, options: '-c timezone=America/Caracas', types })
      const kysely = new Kysely({ dialect: new PostgresDialect({ pool: there }) })
      const raw = new Kysely({ dialect: new PostgresDialect({ pool: here }) })
      const naming: Naming = { instants }
      await migrate(pgStore(here), { naming })
      expect(await datesRead(pgStore(here), pgStore(there), naming)).toEqual(DATES)
      for (const db of [kysely, raw]) {
        await sqlAdapter(pgStore(here), { naming }).deleteUser?.('ada')
        expect(await datesRead(pgStore(there), { db, dialect: postgres }, naming)).toEqual(DATES)
      }
      await Promise.all([here.end(), there.end()])
    })

    test(`as ${instants} in MariaDB`, async (context) => {
      await using database = await mysqlDatabase()
      if (!database) return context.skip('there is no MariaDB')
      const uri = database.url
      const here = createPool({ uri, timezone: '-08:00', dateStrings: true, connectionLimit: 2 })
      const there = createPool({
        uri,
        timezone: '+05:30',
        supportBigNumbers: true,
        bigNumberStrings: true,
        rowsAsArray: false,
        connectionLimit: 2,
      })
      // No daylight saving: a TIMESTAMP goes through the zone of the session, which may repeat an hour.
      there.on('connection', (connection) => connection.query("SET time_zone = '+10:30'"))
      const naming: Naming = { instants }
      const [one, other] = [mysql2Store(here, mariadb), mysql2Store(there, mariadb)]
      await migrate(one, { naming })
      expect(await datesRead(one, other, naming)).toEqual(DATES)
      await sqlAdapter(one, { naming }).deleteUser?.('ada')
      const db = new Kysely({ dialect: new MysqlDialect({ pool: there }) })
      expect(await datesRead(other, { db, dialect: mariadb }, naming)).toEqual(DATES)
      await Promise.all([here.promise().end(), there.promise().end()])
    })
  }
})
