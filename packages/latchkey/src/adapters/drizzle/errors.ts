import type { Column } from 'drizzle-orm'
import { withDocs } from '../../base/option-error.ts'
import { AdapterConflict, type ConflictKind } from '../../model/adapter.ts'
import { explained } from '../../model/missing-table.ts'
import type { RecordName } from '../records.ts'
import { lastKeyIn } from '../sql/duplicate-key.ts'

type Described = Error & Readonly<Record<string, unknown>>

/** The codes of engines and drivers for a unique key that exists. */
const TAKEN: readonly unknown[] = [
  // PostgreSQL
  '23505',
  // @libsql/client, better-sqlite3
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
  // MySQL, MariaDB
  'ER_DUP_ENTRY',
]

/** The codes of deadlocks and other collisions of transactions. */
const COLLISIONS: readonly unknown[] = ['40001', '40P01', 'ER_LOCK_DEADLOCK', 'ER_CHECKREAD']

/**
 * Returns the error to throw for an error of Drizzle: a conflict if a unique key exists, otherwise the error of the
 * driver. Drizzle's own message contains all parameters, which may be tokens.
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

/** Whether an error of a query says that two transactions collided and nothing was done. */
export function isCollision(error: unknown): boolean {
  const cause = driverError(error)
  return cause instanceof Error && COLLISIONS.includes((cause as Described)['code'])
}

/** Returns the error of a transaction that did not begin, with a hint if the driver may have no transactions. */
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
    // Some drivers have no code, for example of D1.
    message.includes('UNIQUE constraint failed')
  )
}

/** Returns the names of the key and of its columns, without values. */
function keyOf({ constraint, constraint_name, detail, message }: Described): string {
  return (
    columnsIn(String(detail ?? '')) ??
    lastKeyIn(message) ??
    String(constraint ?? constraint_name ?? message)
  )
}

/** Returns the text before the values in PostgreSQL's `Key (a, b)=(…, …) already exists`. */
function columnsIn(detail: string): string | undefined {
  const end = detail.indexOf(')=')
  return end < 0 ? undefined : detail.slice(detail.lastIndexOf('(', end) + 1, end)
}
