import type { CountedAttempt } from '../../model/adapter.ts'
import { checkLease } from '../records.ts'
import type { Rows } from './rows.ts'

/**
 * Counts an attempt in the table of verification tokens: as many rows as attempts are allowed, each
 * of which one caller can have. No hash of a mailed token is one of theirs, and each is unique by
 * itself, for tables that want that.
 */
export async function countAttempt(
  rows: Rows,
  { key, limit, now, expires }: CountedAttempt,
): Promise<boolean> {
  const identifier = key.length <= LONGEST_KEY ? key : await digest(key)
  const known = await rows.list('verificationToken', { identifier })
  const until = new Map(known.map((row) => [row.token, row.expires]))
  for (let number = 1; number <= limit; number++) {
    const token = await digest(`${number} ${key}`)
    const taken = until.get(token)
    if (taken && taken > now) continue
    // Somebody else may be faster in both cases; then the next row may be free.
    const counted = taken
      ? await replaceExpired(rows, { identifier, token }, now, { expires })
      : await rows.insertUnlessTaken('verificationToken', { identifier, token, expires })
    if (counted) return true
  }
  return false
}

/**
 * A lease is one row of verification tokens. The fencing number is the moment when it expires: the
 * next one begins no sooner and so expires later, also where the row was cleaned up meanwhile.
 *
 * @throws RangeError for a lease that is over before it begins.
 */
export async function acquireLease(
  rows: Rows,
  { name, now, expires }: { name: string; now: Date; expires: Date },
): Promise<number | null> {
  checkLease({ now, expires })
  const identifier = `lease:${name}`
  const key = { identifier, token: await digest(identifier) }
  const held = await rows.find('verificationToken', key)
  if (held && held.expires > now) return null
  const acquired = held
    ? await replaceExpired(rows, key, now, { expires })
    : await rows.insertUnlessTaken('verificationToken', { ...key, expires })
  return acquired ? expires.getTime() : null
}

/** Characters; Prisma gives a text of MySQL room for 191. */
const LONGEST_KEY = 190

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `#${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function replaceExpired(
  rows: Rows,
  keys: { identifier: string; token: string },
  now: Date,
  changes: object,
): Promise<boolean> {
  const later = new Date(now.getTime() + 1)
  return (await rows.change('verificationToken', keys, changes, ['expires', later])) !== null
}
