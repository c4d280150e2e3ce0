import { type CountedAttempt, isAdapterConflict } from '../../model/adapter.ts'
import type { VerificationToken } from '../../model/verification-token.ts'
import { checkLease } from '../records.ts'
import type { Engine } from './engine.ts'

/**
 * Counts an attempt in the table of verification tokens: as many rows as attempts are allowed, each
 * of which one caller can have. No hash of a mailed token is one of theirs, and each is unique by
 * itself, for tables that want that.
 */
export async function countAttempt(
  engine: Engine,
  { key, limit, now, expires }: CountedAttempt,
): Promise<boolean> {
  const identifier = key.length <= LONGEST_KEY ? key : await digest(key)
  const tokens = await Promise.all(
    Array.from({ length: limit }, (_, index) => digest(`${index} ${key}`)),
  )
  const rows = await engine.list('verificationToken', { identifier }, ['token', tokens])
  const until = new Map(rows.map((row) => [row.token, row.expires]))
  for (const token of tokens) {
    const taken = until.get(token)
    if (taken && taken > now) continue
    const row = { identifier, token, expires }
    // Somebody else may be faster in both cases; then the next row may be free.
    if (taken ? await replaceExpired(engine, row, now) : await insert(engine, row)) return true
  }
  return false
}

/**
 * An attempt of which there is one. Its number is when it ends: the next one begins no sooner, and
 * ends later. That also holds when the row was cleaned up meanwhile, as long as clocks do not
 * differ by more than leases last; if they did, two could have the lease anyhow.
 *
 * @throws RangeError for a lease that is over before it begins.
 */
export async function acquireLease(
  engine: Engine,
  { name, now, expires }: { name: string; now: Date; expires: Date },
): Promise<number | null> {
  checkLease({ now, expires })
  const given = await countAttempt(engine, { key: `lease:${name}`, limit: 1, now, expires })
  return given ? expires.getTime() : null
}

/** Characters; columns for addresses have room for 255 at least. */
const LONGEST_KEY = 200

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `#${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
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
  const condition = { field: 'expires', is: '<', value: later } as const
  const key = { identifier, token }
  return (await engine.change('verificationToken', key, { expires }, condition)) !== null
}
