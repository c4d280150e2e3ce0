import type { Column } from 'drizzle-orm'
import { withDocs } from '../../base/option-error.ts'
import { AdapterConflict, type ConflictKind } from '../../model/adapter.ts'
import { explained } from '../../model/missing-table.ts'
import type { RecordName } from '../records.ts'
import { lastKeyIn } from '../sql/duplicate-key.ts'

type Described = Error & Readonly<Record<string, unknown>>

/** How engines and drivers say that a unique key is taken. */
const TAKEN: readonly unknown[] = [
  // PostgreSQL
  '23505',
  // @libsql/client, better-sqlite3
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
  // MySQL, MariaDB
  'ER_DUP_ENTRY',
]

/** Deadlocks, and what else means that two transactions were in each other's way. */
const COLLISIONS: readonly unknown[] = ['40001', '40P01', 'ER_LOCK_DEADLOCK', 'ER_CHECKREAD']

/**
 * The error to throw for one of Drizzle's: a conflict where a unique key is taken, else what the driver
 * said. Drizzle's own message has all parameters in it, tokens too.
 */
export function translate(
  error: unknown,
  table: RecordName,
  columns: Readonly<Record<string, Column>>,
): unknown {
  const cause = driverError(error)
  if (!(cause instanceof Error) || !isTaken(cause as Described)) {
    return explained(
      cause,
      'create it with `drizzle-kit push`, or with a migration of `drizzle-kit generate`',
    )
  }
  const isEmail =
    table === 'user' && keyOf(cause as Described).includes(columns['email']?.name ?? '')
  return new AdapterConflict(isEmail ? 'user.email' : (table as ConflictKind), { cause })
}

/** Whether nothing has happened because somebody else was in the way, of an error as it is thrown. */
export function isCollision(error: unknown): boolean {
  const cause = driverError(error)
  return cause instanceof Error && COLLISIONS.includes((cause as Described)['code'])
}

/** The error, or one that names the option, of a transaction that a driver did not begin: it may have none. */
export function withoutTransactions(error: unknown): unknown {
  const cause = driverError(error)
  if (!(cause instanceof Error) || !/\btransactions?\b/i.test(cause.message)) return error
  const message =
    'this driver of Drizzle has no transactions that stay open; set `transactions: false` in the options of `drizzleAdapter`'
  return new Error(withDocs(message, 'adapter'), { cause })
}

function driverError(error: unknown): unknown {
  const { query, cause } = (error ?? {}) as { query?: unknown; cause?: unknown }
  return typeof query === 'string' && cause instanceof Error ? cause : error
}

function isTaken({ code, extendedCode, message }: Described): boolean {
  return (
    TAKEN.includes(code) ||
    TAKEN.includes(extendedCode) ||
    // Drivers without a code of their own, such as D1's.
    message.includes('UNIQUE constraint failed')
  )
}

/** Names of the key and of its columns, without values. */
function keyOf({ constraint, constraint_name, detail, message }: Described): string {
  return (
    columnsIn(String(detail ?? '')) ??
    lastKeyIn(message) ??
    String(constraint ?? constraint_name ?? message)
  )
}

/** What stands in front of the values in PostgreSQL's `Key (a, b)=(…, …) already exists`. */
function columnsIn(detail: string): string | undefined {
  const end = detail.indexOf(')=')
  return end < 0 ? undefined : detail.slice(detail.lastIndexOf('(', end) + 1, end)
}
