import {
  index,
  integer,
  primaryKey,
  type SQLiteTable,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { checkDrizzle } from './version.ts'

checkDrizzle()

const instant = () => integer({ mode: 'timestamp_ms' })

/** The table of the records of plugins, in a schema of SQLite. */
export const record: SQLiteTable = sqliteTable(
  'record',
  {
    kind: text().notNull(),
    key: text().notNull(),
    userId: text(),
    data: text().notNull(),
    version: integer().notNull(),
    createdAt: instant().notNull(),
    expires: instant(),
  },
  ({ kind, key, userId, expires }) => [
    primaryKey({ columns: [kind, key] }),
    index('record_userId_kind_index').on(userId, kind),
    index('record_expires_index').on(expires),
  ],
)
