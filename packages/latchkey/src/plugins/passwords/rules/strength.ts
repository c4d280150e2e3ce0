/**
 * Estimates how strong a password is while somebody types it. The server decides by its own rules.
 *
 * @module
 */

import { isExpected, type KnownWords } from './expected.ts'
import { countCodePoints, normalizePassword } from './normal-form.ts'

/** What would make a password better. */
export type StrengthAdvice =
  /** It is shorter than the site accepts. */
  | 'too_short'
  /** It is longer than the site accepts. */
  | 'too_long'
  /** It is one of those that are tried first. */
  | 'expected'
  /** Several words, or a password of a password manager, would be stronger. */
  | 'more_words'

/** The strength of a password. */
export interface Strength {
  /** 0: guessed at once, to 4: as strong as needed. */
  readonly score: 0 | 1 | 2 | 3 | 4
  /** Whether it fits the rules that are known here. */
  readonly acceptable: boolean
  readonly advice: readonly StrengthAdvice[]
}

/** The part of `ZxcvbnFactory` of `@zxcvbn-ts/core` that is used. */
export interface StrengthEstimator {
  check(password: string, words?: (string | number)[]): { readonly score: number }
}

/** Options of {@link createStrengthMeter}. */
export interface StrengthOptions extends KnownWords {
  /** As `GET /auth/password/rules` returns it. @default 15 */
  readonly minLength?: number | undefined
  /** As `GET /auth/password/rules` returns it. @default 256 */
  readonly maxLength?: number | undefined
  /**
   * Loads an estimator, for example a `ZxcvbnFactory` of `@zxcvbn-ts/core`, when the first character is typed. Without it,
   * the length is measured.
   */
  readonly load?: (() => Promise<StrengthEstimator>) | undefined
}

/** Code points that are estimated: the time for more of them is felt while typing. */
const MOST = 128

/** Creates a function that estimates a password. */
export function createStrengthMeter(
  options: StrengthOptions = {},
): (password: string) => Promise<Strength> {
  const { minLength = 15, maxLength = 256, load } = options
  const words = [options.email, options.username, options.name, ...(options.siteNames ?? [])]
  const known = words.filter((each) => typeof each === 'string' && each !== '') as string[]
  let estimator: Promise<StrengthEstimator | undefined> | undefined

  return async (password) => {
    const text = normalizePassword(password) ?? password
    const length = countCodePoints(text)
    const advice: StrengthAdvice[] = []
    if (length < minLength) advice.push('too_short')
    if (length > maxLength) advice.push('too_long')
    if (isExpected(text, options)) advice.push('expected')
    const acceptable = advice.length === 0
    // A meter that cannot be loaded is no reason to stop a sign-up.
    estimator ??= load?.().catch(() => undefined) ?? Promise.resolve(undefined)
    const found = await estimator
    const start = Array.from(text).slice(0, MOST).join('')
    const estimated = found ? found.check(start, known).score : byLength(length, minLength)
    const score = advice.includes('expected') ? 0 : scoreOf(estimated)
    if (score < 3 && !advice.includes('too_short')) advice.push('more_words')
    return { score, acceptable, advice }
  }
}

function byLength(length: number, minLength: number): number {
  if (length === 0) return 0
  if (length < minLength) return length < minLength / 2 ? 0 : 1
  return length < minLength + 5 ? 3 : 4
}

function scoreOf(value: number): Strength['score'] {
  return Math.max(0, Math.min(4, Math.round(value))) as Strength['score']
}
