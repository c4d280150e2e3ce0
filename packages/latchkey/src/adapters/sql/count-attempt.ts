import { type CountedAttempt, isAdapterConflict } from '../../model/adapter.ts'
import type { VerificationToken } from '../../model/verification-token.ts'
import type { Engine } from './engine.ts'

/**
 * Counts an attempt in the table of verification tokens: as many rows as attempts are allowed, each
 * of which one caller can have. Their tokens are numbers, which no hash of a mailed token is.
 */
export async function countAttempt(
  engine: Engine,
  { key: identifier, limit, now, expires }: CountedAttempt,
): Promise<boolean> {
  const rows = await engine.list('verificationToken', { identifier })
  const until = new Map(rows.map((row) => [row.token, row.expires]))
  for (let number = 1; number <= limit; number++) {
    const token = String(number)
    const taken = until.get(token)
    if (taken && taken > now) continue
    const row = { identifier, token, expires }
    // Somebody else may be faster in both cases; then the next row may be free.
    if (taken ? await replaceExpired(engine, row, now) : await insert(engine, row)) return true
  }
  return false
}

async function insert(engine: Engine, row: VerificationToken): Promise<boolean> {
  try {
    await engine.insert('verificationToken', row)
    return true
  } catch (error) {
    if (isAdapterConflict(error)) return false
    throw error
  }
}

async function replaceExpired(
  engine: Engine,
  { identifier, token, expires }: VerificationToken,
  now: Date,
): Promise<boolean> {
  const later = new Date(now.getTime() + 1)
  const key = { identifier, token }
  return (await engine.change('verificationToken', key, { expires }, ['expires', later])) !== null
}
