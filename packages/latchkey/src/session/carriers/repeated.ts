import { oncePer } from '../../base/once.ts'
import type { Logger } from '../../options/redacting-logger.ts'
import type { Carried } from '../carrier.ts'

/**
 * Returns each of several values that a browser sent for one session, the newest valid one first. Browsers send several if
 * they were set with another `domain`, for example before and after the option changed.
 *
 * @param validSince returns a number that is higher for a newer session; `undefined` if the session is not valid.
 */
export async function newestFirst(
  { others = [], ...carried }: Carried,
  validSince: (carried: Carried) => Promise<number | undefined>,
): Promise<readonly Carried[]> {
  if (others.length === 0) return [carried]
  const each = [carried, ...others.map((value) => ({ ...carried, value }))].map(async (one) => {
    // The read itself reports why a session cannot be read.
    const since = await validSince(one).catch(() => undefined)
    return { one, since: since ?? Number.NEGATIVE_INFINITY }
  })
  const newest = (await Promise.all(each)).toSorted((a, b) =>
    a.since < b.since ? 1 : a.since > b.since ? -1 : 0,
  )
  return newest.map(({ one }) => one)
}

/** Warns once for each name that a cookie came more than once. */
export function warnRepeated(logger: Logger, name: string): void {
  const told = warned(logger)
  if (told.has(name)) return
  told.add(name)
  logger.warn(
    'cookie-repeated',
    `${name} came more than once in a request: it was also set with another \`domain\` or path, by this site before its configuration changed or by another one; a sign-in or a sign-out clears the others`,
  )
}

const warned = oncePer((): Set<string> => new Set(), new WeakMap<Logger, Set<string>>())
