import * as pgCore from 'drizzle-orm/pg-core'
import * as sqliteCore from 'drizzle-orm/sqlite-core'

/** The table of records on PostgreSQL, as an application defines it. */
export const pgRecord = pgCore.pgTable(
  'record',
  {
    kind: pgCore.text().notNull(),
    key: pgCore.text().notNull(),
    userId: pgCore.text(),
    data: pgCore.text().notNull(),
    version: pgCore.integer().notNull(),
    createdAt: pgCore.timestamp({ precision: 3, withTimezone: true }).notNull(),
    expires: pgCore.timestamp({ precision: 3, withTimezone: true }),
  },
  (table) => [pgCore.primaryKey({ columns: [table.kind, table.key] })],
)

/** The same on SQLite. */
export const sqliteRecord = sqliteCore.sqliteTable(
  'record',
  {
    kind: sqliteCore.text().notNull(),
    key: sqliteCore.text().notNull(),
    userId: sqliteCore.text(),
    data: sqliteCore.text().notNull(),
    version: sqliteCore.integer().notNull(),
    createdAt: sqliteCore.integer({ mode: 'timestamp_ms' }).notNull(),
    expires: sqliteCore.integer({ mode: 'timestamp_ms' }),
  },
  (table) => [sqliteCore.primaryKey({ columns: [table.kind, table.key] })],
)
