/** An error of a driver, with its properties. */
type Described = Error & Readonly<Record<string, unknown>>

/** Maximum number of nested causes that are checked. */
const DEPTH = 5

/**
 * Returns the name of a missing table; `undefined` for other errors. Supports the errors of PostgreSQL, MySQL, MariaDB,
 * SQLite, libSQL, D1, SQL Server and Prisma.
 */
export function missingTable(error: unknown): string | undefined {
  let at = error
  for (let depth = 0; depth < DEPTH && at instanceof Error; depth++) {
    const name = missingIn(at as Described)
    if (name !== undefined) return name
    at = at.cause
  }
  return undefined
}

function missingIn({ code, errno, number, meta, message }: Described): string | undefined {
  if (code === '42P01') return between(message, 'relation "', '"') ?? '(name unknown)'
  if (code === 'ER_NO_SUCH_TABLE' || errno === 1146) {
    return between(message, "Table '", "'") ?? '(name unknown)'
  }
  if (number === 208) return between(message, "Invalid object name '", "'") ?? '(name unknown)'
  if (code === 'P2021') {
    const { table, modelName } = (meta ?? {}) as Record<string, unknown>
    return String(table ?? modelName ?? '(name unknown)')
  }
  const sqlite = 'no such table: '
  const start = message.indexOf(sqlite)
  return start < 0 ? undefined : message.slice(start + sqlite.length).split(/[\s:]/, 1)[0]
}

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before)
  if (start < 0) return undefined
  const end = text.indexOf(after, start + before.length)
  return end < 0 ? undefined : text.slice(start + before.length, end)
}

/**
 * Returns the error, or one that names the missing table and the fix.
 *
 * @param remedy the fix, for example `run "latchkey migrate"`.
 */
export function explained(error: unknown, remedy: string): unknown {
  const table = missingTable(error)
  return table === undefined
    ? error
    : new Error(`the table ${table} does not exist; ${remedy}`, { cause: error })
}
