/** Milliseconds for which an answer is used again, so that nobody can keep the process busy with questions. */
const FRESH = 500
/** Milliseconds after which something that has not answered counts as one that does not. */
const PATIENCE = 2000

/**
 * Asks something whether it is there, at most every {@link FRESH} milliseconds, however many want to
 * know.
 *
 * @param problem the word for "no".
 */
export function answeredLately(
  ask: () => Promise<unknown>,
  problem: string,
): () => Promise<string | undefined> {
  let known: { readonly until: number; readonly answer: Promise<string | undefined> } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.answer
    const answer = within(ask()).then(
      () => undefined,
      () => problem,
    )
    known = { until: performance.now() + FRESH, answer }
    return answer
  }
}

async function within(answer: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), PATIENCE)
  try {
    await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
