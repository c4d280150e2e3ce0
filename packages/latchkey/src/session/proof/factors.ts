/** What the authentication methods of a session prove (NIST SP 800-63B-4, section 2). */
export interface Factors {
  /** How many factors: 0 for a guest, 2 for two or more. */
  readonly count: 0 | 1 | 2
  /** Whether one of them works on the pages of this site only, so that nobody can be tricked into giving it away. */
  readonly isPhishingResistant: boolean
}

/**
 * A code that was mailed as second factor (`mca` of RFC 8176: over a further channel). It does not count after a sign-in that
 * began with the mailbox.
 */
const MAILED = 'mca'

/** What knows or reaches the user. Two of these are one factor: a person who reads the mails can set a new password. */
const FIRST: ReadonlySet<string> = new Set(['pwd', 'email', 'sms', 'fed'])
/** What only the user has, and the mailbox after another first factor. */
const SECOND: ReadonlySet<string> = new Set(['otp', 'recovery', 'pop', MAILED])

/**
 * Returns the factors of authentication methods (RFC 8176).
 *
 * `pop` is a passkey, `user` says that it verified the user, and `mfa` that a plugin or a trusted provider checked two factors.
 */
export function factorsOf(amr: readonly string[]): Factors {
  const methods = new Set(amr)
  const isPhishingResistant = methods.has('pop')
  const seconds = [...methods].filter((method) => SECOND.has(method)).length
  const isFirst = (method: string): boolean =>
    FIRST.has(method) && !(method === 'email' && methods.has(MAILED))
  const hasFirst = [...methods].some(isFirst)
  const isTwo =
    methods.has('mfa') ||
    (methods.has('pop') && methods.has('user')) ||
    seconds + Number(hasFirst) >= 2
  if (isTwo) return { count: 2, isPhishingResistant }
  return { count: methods.has('guest') ? 0 : 1, isPhishingResistant }
}

/** Returns whether these methods include what only the user has, or a proof of two factors elsewhere. */
export function isSecondFactor(amr: readonly string[]): boolean {
  return amr.some((method) => method === 'mfa' || SECOND.has(method))
}

/** The levels of {@link acrOf}, the weakest first. */
export const ACR = [
  'urn:latchkey:acr:0',
  'urn:latchkey:acr:1',
  'urn:latchkey:acr:2',
  'urn:latchkey:acr:2pr',
] as const

export type Acr = (typeof ACR)[number]

/** Returns the authentication context (OpenID Connect Core 1.0, section 2) of authentication methods. */
export function acrOf(amr: readonly string[]): Acr {
  const { count, isPhishingResistant } = factorsOf(amr)
  return count === 2 && isPhishingResistant ? 'urn:latchkey:acr:2pr' : `urn:latchkey:acr:${count}`
}
