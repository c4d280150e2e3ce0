import {
  index,
  integer,
  type PgTable,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { checkDrizzle } from './version.ts'

checkDrizzle()

const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

/** The table of the records of plugins, in a schema of PostgreSQL. */
export const record: PgTable = pgTable(
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
