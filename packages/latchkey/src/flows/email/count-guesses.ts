import { lowerCase } from '../../base/encoding/lower-case.ts'
import { hash } from '../../http/cookies/csrf-token.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { Store } from '../../store/store.ts'

/** The guesses of all codes that were mailed to one address. */
export interface GuessLimit {
  readonly limit: number
  /** Seconds. */
  readonly window: number
}

/** A guess of a code that was mailed. */
export interface Guess {
  readonly address: string
  /** The user whose session or first factor was proved before, and what the code is for. */
  readonly proved?: { readonly userId: string; readonly purpose: string } | undefined
  /** Returns what stands for the requesting browser, if it is known to a user. */
  readonly browserOf?: ((userId: string) => Promise<string | undefined>) | undefined
}

/** Guessing six digits succeeds less than once in 10^5 times. */
const ADDRESS_LIMIT: GuessLimit = { limit: 10, window: 24 * 60 * 60 }
/** All known browsers of a user have as many guesses as this number of them, so that further sign-ins buy no more. */
const MOST_BROWSERS = 10

/**
 * Counts a guess of a code that was mailed to an address, before the code is compared, so that other instances, browsers
 * and spellings of the address add none. A browser that is known to the user has a count of its own, which strangers cannot
 * use up. The work is the same if nobody has the address.
 *
 * @returns whether the code may be compared; `false` if the adapter cannot count.
 */
export async function countGuess(
  { address, proved, browserOf }: Guess,
  store: Store,
  { ports, secrets }: Pick<SessionPlan, 'ports' | 'secrets'>,
  { limit, window }: GuessLimit = ADDRESS_LIMIT,
): Promise<boolean> {
  const { countAttempt } = store
  if (!countAttempt) return false
  const at = ports.now()
  const count = async (kind: string, text: string, most: number = limit): Promise<boolean> => {
    const key = `latchkey.code-of-${kind}:${await hash(`code of ${text}`, secrets[0] ?? '')}`
    const expires = new Date(at + window * 1000)
    return countAttempt({ key, limit: most, now: new Date(at), expires })
  }
  const user = proved ? undefined : await store.getUserByEmail(address)
  // An account whose address is not proved may belong to a stranger, and its known browsers, too.
  const owner = proved?.userId ?? (user?.emailVerified ? user.id : '')
  const purpose = proved?.purpose ?? 'sign-in'
  const browser = await browserOf?.(owner)
  if (browser !== undefined) {
    if (!(await count('browser', `${purpose} in ${browser}`))) return false
    return count('browsers', `${purpose} of user ${owner}`, limit * MOST_BROWSERS)
  }
  if (proved) return count('user', `${purpose} of user ${owner}`)
  const typed = lowerCase(address)
  if (!(await count('address', typed))) return false
  // Stores may find users regardless of letter case, or by other spellings of the address.
  return count('user', user ? `user ${user.id}` : `nobody at ${typed}`)
}
