/** Bytes of UTF-8 of the longest password that is read. */
export const MOST_BYTES = 4096

/**
 * Returns the normal form of a password, which is hashed and compared: Unicode NFKC, since keyboards type the same
 * character as different code points (NIST SP 800-63B-4 section 3.1.1.2). Nothing is trimmed, folded or shortened.
 *
 * @returns `undefined` for a text with an unpaired surrogate, which has no bytes of UTF-8.
 */
export function normalizePassword(text: string): string | undefined {
  return text.isWellFormed() ? text.normalize('NFKC') : undefined
}

/** Returns whether a password is longer than what is read. */
export function isTooLongToRead(text: string): boolean {
  // No code unit of UTF-16 has fewer bytes in UTF-8 than one.
  return text.length > MOST_BYTES || new TextEncoder().encode(text).length > MOST_BYTES
}

/** Returns a text in which passwords are looked up: NFKC in lower case. */
export function foldPassword(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC')
}

export function countCodePoints(text: string): number {
  return text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, ' ').length
}
