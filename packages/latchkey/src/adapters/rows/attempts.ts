import { encodeHex } from '../../base/encoding/hex.ts'
import type { CountedAttempt } from '../../model/adapter.ts'
import { checkLease } from '../records.ts'
import type { Rows } from './rows.ts'

/**
 * Counts an attempt in the table of verification tokens. Each limit has as many rows as it allows attempts, and each row
 * belongs to one attempt until it expires. The tokens of the rows differ from each other and from all hashes of mailed
 * tokens, so they are also unique in tables that require it.
 */
export async function countAttempt(
  rows: Rows,
  { key, limit, now, expires }: CountedAttempt,
): Promise<boolean> {
  const identifier = key.length <= LONGEST_KEY ? key : await digest(key)
  const known = await rows.list('verificationToken', { identifier })
  const until = new Map(known.map((row) => [row.token, row.expires]))
  const isOver = { field: 'expires', is: '<=', value: now } as const
  for (let number = 0; number < limit; number++) {
    const token = await digest(`${number} ${key}`)
    const taken = until.get(token)
    if (taken && taken > now) continue
    // Another caller may be faster in both cases; then the next row may be free.
    const counted = taken
      ? await rows.update('verificationToken', { identifier, token }, { expires }, isOver)
      : await rows.insertUnlessTaken('verificationToken', { identifier, token, expires })
    if (counted) return true
  }
  return false
}

/**
 * Acquires a lease, which is an attempt with a limit of one. The fencing number is the time when it expires: the next
 * lease begins no sooner and expires later. That also holds if the row was removed meanwhile, as long as clocks differ
 * by less than the duration of a lease; with a greater difference, two callers could hold the lease anyway.
 *
 * @throws RangeError for a lease that ends before it begins.
 */
export async function acquireLease(
  rows: Rows,
  { name, now, expires }: { name: string; now: Date; expires: Date },
): Promise<number | null> {
  checkLease({ now, expires })
  const acquired = await countAttempt(rows, { key: `lease:${name}`, limit: 1, now, expires })
  return acquired ? expires.getTime() : null
}

/** Characters. A text column of Prisma in MySQL holds 191. */
const LONGEST_KEY = 190

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `#${encodeHex(new Uint8Array(hash))}`
}
