import { withDocs } from '../base/option-error.ts'

/** Returns the error of an update of something that is not stored. */
export function missing(what: string): Error {
  return new Error(withDocs(`the ${what} to update does not exist`, 'adapterCall'))
}

/** Returns the error of an insert for a user who is not stored. */
export function ownerMissing(what: string): Error {
  return new Error(withDocs(`the user of this ${what} does not exist`, 'adapterCall'))
}

/**
 * Checks that a signature counter increases. It may stay 0, which authenticators without a counter always send.
 *
 * @throws if it does not.
 */
export function checkCounter(before: number, after: number): void {
  if (before < after || (before === 0 && after === 0)) return
  throw counterNotIncreased()
}

export function counterNotIncreased(): Error {
  return new Error(withDocs('the signature counter did not increase', 'adapterCall'))
}
