/**
 * Looks passwords up among those of known breaches, for the option `breached` of `passwords()`.
 *
 * @module
 */

import {
  type Awaitable,
  checkOptions,
  type OptionRule,
  wholeNumber,
} from '../../../entries/plugin.ts'

/** A list of passwords that were published in breaches. */
export interface BreachedPort {
  /**
   * Returns whether a password is on the list.
   *
   * @throws if the list cannot be asked: the password is then accepted.
   */
  isBreached(password: string): Awaitable<boolean>
}

/** Options of {@link haveIBeenPwned}. */
export interface HaveIBeenPwnedOptions {
  /** Replaces `fetch`, for example to use a proxy. */
  readonly fetch?: typeof fetch | undefined
  /**
   * The service, or a mirror of it.
   *
   * @default 'https://api.pwnedpasswords.com'
   */
  readonly baseUrl?: string | undefined
  /**
   * How often a password must have been seen.
   *
   * @default 1
   */
  readonly least?: number | undefined
  /**
   * Milliseconds after which a password is accepted unchecked.
   *
   * @default 1500
   */
  readonly timeout?: number | undefined
}

const URL_OF_HTTP: OptionRule = {
  expected: 'a URL of http or https',
  fits: (value) => typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value),
}

/**
 * Asks Pwned Passwords of Have I Been Pwned. It receives the first 5 of 40 digits of the SHA-1 of a password, which about a
 * thousand passwords have, and never the password.
 *
 * @throws TypeError for an invalid option.
 */
export function haveIBeenPwned(options: HaveIBeenPwnedOptions = {}): BreachedPort {
  checkOptions(
    'haveIBeenPwned',
    options,
    {
      fetch: 'function',
      baseUrl: URL_OF_HTTP,
      least: wholeNumber(1),
      timeout: wholeNumber(1, 60_000, 'milliseconds'),
    },
    { section: 'passwords' },
  )
  const {
    fetch: ask = globalThis.fetch,
    baseUrl = 'https://api.pwnedpasswords.com',
    least = 1,
    timeout = 1500,
  } = options
  const base = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl
  return {
    async isBreached(password) {
      const digest = await sha1(password)
      const response = await ask(`${base}/range/${digest.slice(0, 5)}`, {
        headers: { 'Add-Padding': 'true', 'User-Agent': 'latchkey' },
        signal: AbortSignal.timeout(timeout),
      })
      if (!response.ok) throw new Error(`${base} answered with status ${response.status}`)
      return countOf(digest.slice(5), await response.text()) >= least
    },
  }
}

/** Returns how often a hash was seen. Lines with 0 only hide how many others there are. */
function countOf(suffix: string, answer: string): number {
  for (const line of answer.split('\n')) {
    const [hash = '', count = ''] = line.trim().split(':')
    if (hash.toUpperCase() === suffix) return Number(count) || 0
  }
  return 0
}

/** Upper-case hexadecimal. */
async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
}
