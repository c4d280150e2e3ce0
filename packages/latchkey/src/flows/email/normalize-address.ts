import type { EmailConfig } from '../../options/provider-options.ts'

/** Longest address, characters (RFC 5321 section 4.5.3.1, with the angle brackets of RFC 3696's erratum). */
const ADDRESS_LIMIT = 320

/**
 * Returns an address in the form in which it is stored: normalized first (NFKC, lower case,
 * trimmed) and checked afterwards, so that no spelling avoids the checks. The length is checked before
 * both: normalizing combining marks takes time that grows with the square of their number.
 *
 * Stricter than the standards: quoted parts, comments, lists and address literals are refused,
 * because mail software reads them in different ways.
 *
 * @throws {TypeError} when it is no single plain address.
 */
export function normalizeAddress(identifier: string): string {
  checkLength(identifier)
  const address = identifier.normalize('NFKC').toLowerCase().trim()
  checkAddress(address)
  return address
}

/** Returns the result of `normalizeIdentifier`, or of {@link normalizeAddress}. @throws {TypeError} for an invalid address. */
export async function normalizedBy(
  { normalizeIdentifier = normalizeAddress }: Partial<Pick<EmailConfig, 'normalizeIdentifier'>>,
  given: string,
): Promise<string> {
  // Checked before the application's function as well, because it may normalize.
  checkLength(given)
  const address: unknown = await normalizeIdentifier(given)
  if (typeof address !== 'string') throw new TypeError('`normalizeIdentifier` must return a string')
  // The result of the application is checked, too: the mail must go only to the stored address.
  checkAddress(address)
  return address
}

/**
 * Checks an address in the form in which it is stored and receives mail. Upper-case letters are allowed.
 *
 * @throws {TypeError} if it is not a single plain address, or has a form that mail software changes.
 */
export function checkAddress(address: string): void {
  checkLength(address)
  const [local, domain, ...more] = address.split('@')
  if (!local || !domain || more.length > 0) {
    throw new TypeError('an e-mail address must have one @ with text on both sides')
  }
  if (!isAccepted(address) || domain.includes('..')) {
    throw new TypeError('the e-mail address has characters that are not accepted')
  }
  if (address !== address.normalize('NFKC')) {
    throw new TypeError('the e-mail address is not in normalization form KC')
  }
}

/** @throws {TypeError} if it is longer than any valid address. */
function checkLength({ length }: string): void {
  if (length <= ADDRESS_LIMIT) return
  throw new TypeError(
    `the e-mail address has ${length} characters, but at most ${ADDRESS_LIMIT} are allowed`,
  )
}

const LETTER = String.raw`\p{L}\p{M}\p{N}`

const ATOM = `[${LETTER}!#$%&'*+/=?^_\`{|}~-]+`

/**
 * Letters, digits and the marks of a dot-atom (RFC 5322 section 3.2.3), and letters beyond ASCII (RFC 6531). No
 * literal: those are parsed when the file is loaded, tables of Unicode and all, and few starts read an address.
 */
function isAccepted(address: string): boolean {
  const domain = `[${LETTER}](?:[${LETTER}.-]*[${LETTER}])?`
  return new RegExp(`^${ATOM}(?:\\.${ATOM})*@${domain}$`, 'u').test(address)
}
