import { randomUUID } from 'node:crypto'
import type { Adapter } from 'latchkey/adapters'
import { inTime } from './in-time.ts'

/** Milliseconds for which an answer is used again, so that nobody can keep the process busy with questions. */
const FRESH = 500
/** Seconds after which something that has not answered counts as one that does not. */
const PATIENCE = 2

/** What is found out with {@link askedLately}. */
export interface Probe {
  /** Fails when something is wrong. */
  readonly ask: () => Promise<unknown>
  /** Says what is wrong, in a word. */
  readonly wordFor: (error: unknown) => string
  /** Seconds that an answer may take at most. */
  readonly timeout: number
}

/** Returns a question that is asked at most every {@link FRESH} milliseconds, however many want to know. */
export function askedLately({ ask, wordFor, timeout }: Probe): () => Promise<string | undefined> {
  let known: { readonly until: number; readonly answer: Promise<string | undefined> } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.answer
    const answer = inTime(ask(), Math.min(PATIENCE, timeout)).then(() => undefined, wordFor)
    known = { until: performance.now() + FRESH, answer }
    return answer
  }
}

/** Seconds after which what a probe left behind may be cleaned up. */
const LEFT_BEHIND = 60

/**
 * Writes a record and removes it: what every sign-in does. A store that answers questions may refuse
 * that, because its disk is full or because it is a copy that only reads.
 *
 * @throws when it does.
 */
export async function tryWriting(adapter: Adapter): Promise<void> {
  const record = { identifier: 'latchkey.readyz', token: randomUUID() }
  const expires = new Date(Date.now() + LEFT_BEHIND * 1000)
  await adapter.createVerificationToken?.({ ...record, expires })
  if ((await adapter.useVerificationToken?.(record)) === null)
    throw new Error('the store does not return what was written')
}
