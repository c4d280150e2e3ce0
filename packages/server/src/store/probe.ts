import { randomUUID } from 'node:crypto'
import type { Adapter } from 'latchkey/adapters'
import { inTime } from './in-time.ts'

/** Milliseconds for which an answer is used again, so that frequent requests cannot overload the store. */
const FRESH = 500
/** Seconds after which a store that has not answered counts as unavailable. */
const PATIENCE = 2

/** A check for {@link askedLately}. */
export interface Probe {
  /** Is rejected if something is wrong. */
  readonly ask: () => Promise<unknown>
  /** Returns a short code for an error. */
  readonly wordFor: (error: unknown) => string
  /** Maximum time in seconds for an answer. */
  readonly timeout: number
}

/** Returns a function that runs the check at most once every {@link FRESH} milliseconds. */
export function askedLately({ ask, wordFor, timeout }: Probe): () => Promise<string | undefined> {
  let known: { readonly until: number; readonly answer: Promise<string | undefined> } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.answer
    const answer = inTime(ask(), Math.min(PATIENCE, timeout)).then(() => undefined, wordFor)
    known = { until: performance.now() + FRESH, answer }
    return answer
  }
}

/** Seconds after which the record of an interrupted check may be removed. */
const LEFT_BEHIND = 60

/**
 * Writes a record and removes it, as every sign-in does. A store that answers queries may refuse this because its disk
 * is full, or because it is a read-only copy.
 *
 * @throws if the store refuses.
 */
export async function tryWriting(adapter: Adapter): Promise<void> {
  const record = { identifier: 'latchkey.readyz', token: randomUUID() }
  const expires = new Date(Date.now() + LEFT_BEHIND * 1000)
  await adapter.createVerificationToken?.({ ...record, expires })
  if ((await adapter.useVerificationToken?.(record)) === null)
    throw new Error('the store does not return what was written')
}
