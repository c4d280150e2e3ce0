import { optionError, withDocs } from '../base/option-error.ts'

/**
 * Checks the query of a page.
 *
 * @throws RangeError unless `limit` is a positive whole number.
 * @throws TypeError if `after` is not a string.
 */
export function checkPage({ limit, after }: { limit: number; after?: unknown }): void {
  checkCount(limit)
  if (after !== undefined && typeof after !== 'string')
    throw optionError('`after` must be the `next` of the previous page, a string', 'adapterCall')
}

/** @throws RangeError unless the value is a positive whole number. */
export function checkCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(withDocs('the number of rows must be at least 1', 'adapterCall'))
}

/**
 * Returns a page of `limit` entries.
 *
 * @param found one entry more than the page has, if there is another page.
 * @param cursorOf returns the `next` of a page that ends with an entry.
 */
export function pageOf<Entry>(
  found: readonly Entry[],
  limit: number,
  cursorOf: (entry: Entry) => string,
): { page: Entry[]; next: string | null } {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { page, next: last !== undefined && found.length > limit ? cursorOf(last) : null }
}
