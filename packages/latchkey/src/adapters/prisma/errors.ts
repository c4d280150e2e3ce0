import { withDocs } from '../../base/option-error.ts'
import { AdapterConflict, type ConflictKind } from '../../model/adapter.ts'
import { explained } from '../../model/missing-table.ts'
import type { RecordName } from '../records.ts'

type Described = Error & Readonly<Record<string, unknown>>

const UNIQUE_KEY_TAKEN = 'P2002'
/** A deadlock or another collision of transactions. */
const COLLISION = 'P2034'
/** The column has another type, for example UUID. Prisma 6 and 7 have one code each. */
const NO_SUCH_VALUE: readonly unknown[] = ['P2007', 'P2023']

/** Returns the error to throw for an error of Prisma. */
export function translate(error: unknown, table: RecordName): unknown {
  if (!(error instanceof Error)) return error
  const { code, meta, name } = error as Described
  if (code === UNIQUE_KEY_TAKEN) {
    const conflict =
      table === 'user' && keyOf(meta).includes('email') ? 'user.email' : (table as ConflictKind)
    return new AdapterConflict(conflict, { cause: error })
  }
  if (name === 'PrismaClientValidationError') {
    // Its message contains the whole call, with tokens.
    const hint = error.message.trimEnd().split('\n').at(-1) ?? ''
    const about = /^(Unknown argument|Argument) `\w+`/.exec(hint)?.[0] ?? 'an argument'
    return new Error(withDocs(`the Prisma model ${table} does not match: ${about}`, 'adapterCall'))
  }
  return explained(error, 'create it with `prisma db push`, or with `prisma migrate dev`')
}

/** Whether an error says that two transactions collided and nothing was done. */
export function isCollision(error: unknown): boolean {
  return error instanceof Error && (error as Described)['code'] === COLLISION
}

/** Whether an error says that no row can have this key. */
export function isImpossible(error: unknown): boolean {
  return error instanceof Error && NO_SUCH_VALUE.includes((error as Described)['code'])
}

/** Returns the names of the key or of its fields, from Prisma or from the driver adapter. */
function keyOf(meta: unknown): string {
  const { target, driverAdapterError } = (meta ?? {}) as {
    target?: unknown
    driverAdapterError?: { cause?: { constraint?: unknown } }
  }
  return JSON.stringify([target, driverAdapterError?.cause?.constraint])
}
