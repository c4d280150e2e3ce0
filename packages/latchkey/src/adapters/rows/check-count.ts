import { withDocs } from '../../base/option-error.ts'

/**
 * A number of rows, which becomes part of a query's text.
 *
 * @throws RangeError for what is none.
 */
export function checkCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(withDocs('the number of rows must be at least 1', 'adapterCall'))
}
