import { withDocs } from '../../base/option-error.ts'
import { AdapterConflict, type ConflictKind } from '../../model/adapter.ts'
import { explained } from '../../model/missing-table.ts'
import type { RecordName } from '../records.ts'

type Described = Error & Readonly<Record<string, unknown>>

const UNIQUE_KEY_TAKEN = 'P2002'
/** A deadlock, or another transaction in the way. */
const COLLISION = 'P2034'
/** The store has another type there: a text that is no UUID, say. Prisma 6 and 7 have one each. */
const NO_SUCH_VALUE: readonly unknown[] = ['P2007', 'P2023']

/** The error to throw for one of Prisma's. */
export function translate(error: unknown, table: RecordName): unknown {
  if (!(error instanceof Error)) return error
  const { code, meta, name } = error as Described
  if (code === UNIQUE_KEY_TAKEN) {
    const conflict =
      table === 'user' && keyOf(meta).includes('email') ? 'user.email' : (table as ConflictKind)
    return new AdapterConflict(conflict, { cause: error })
  }
  if (name === 'PrismaClientValidationError') {
    // Its message shows the whole call, tokens too.
    const hint = error.message.trimEnd().split('\n').at(-1) ?? ''
    const about = /^(Unknown argument|Argument) `\w+`/.exec(hint)?.[0] ?? 'an argument'
    return new Error(withDocs(`the Prisma model ${table} does not match: ${about}`, 'adapterCall'))
  }
  return explained(error, 'create it with `prisma db push`, or with `prisma migrate dev`')
}

/** Whether nothing has happened because somebody else was in the way. */
export function isCollision(error: unknown): boolean {
  return error instanceof Error && (error as Described)['code'] === COLLISION
}

/** Whether no row can have the key that was asked for. */
export function isImpossible(error: unknown): boolean {
  return error instanceof Error && NO_SUCH_VALUE.includes((error as Described)['code'])
}

/** Names of the key or its fields: Prisma says them itself, or passes on what a driver adapter said. */
function keyOf(meta: unknown): string {
  const { target, driverAdapterError } = (meta ?? {}) as {
    target?: unknown
    driverAdapterError?: { cause?: { constraint?: unknown } }
  }
  return JSON.stringify([target, driverAdapterError?.cause?.constraint])
}
