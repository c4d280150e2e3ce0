import {
  type Awaitable,
  checkOptions,
  listOf,
  type OptionKinds,
  oneOf,
  optionError,
  someFunction,
  wholeNumber,
} from '../../../entries/plugin.ts'
import { isCommon } from './blocklist.ts'
import type { BreachedPort } from './breached.ts'
import { foldPassword } from './normal-form.ts'

/** The options of the rules. */
export interface RuleOptions {
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly blocklist?: false | BlocklistOptions | undefined
  readonly breached?: BreachedPort | undefined
}

/** Passwords that are refused as too common. */
export interface BlocklistOptions {
  /** More of them, or a function that receives a password in NFKC and lower case and returns whether it is one. */
  readonly more?: readonly string[] | ((folded: string) => Awaitable<boolean>) | undefined
}

/** The options of the rules with their defaults. */
export interface RuleSettings {
  readonly minLength: number
  readonly maxLength: number
  /** Returns whether a folded password is too common; `undefined` without a list. */
  readonly isBlocked: ((folded: string) => Promise<boolean>) | undefined
  readonly breached: BreachedPort | undefined
}

const KINDS: OptionKinds<RuleOptions> = {
  minLength: wholeNumber(8),
  maxLength: wholeNumber(64),
  blocklist: true,
  breached: {
    expected: 'an object with the method `isBreached`, for example haveIBeenPwned()',
    fits: (value) => typeof Object(value).isBreached === 'function',
  },
}

/**
 * @param usual the least length without the option: 15, or 8 if everybody needs a second factor.
 * @throws {TypeError} for an invalid option.
 */
export function ruleSettingsOf(options: RuleOptions, usual: 8 | 15 = 15): RuleSettings {
  const { minLength = usual, maxLength = 256, blocklist = {}, breached } = options
  checkOptions('passwords', { minLength, maxLength, blocklist, breached }, KINDS)
  if (maxLength < minLength)
    throw optionError(
      `passwords(): \`maxLength\` must be at least \`minLength\`, which is ${minLength}, got ${maxLength}`,
      'passwords',
    )
  return { minLength, maxLength, isBlocked: blockedBy(blocklist), breached }
}

function blockedBy(blocklist: false | BlocklistOptions): RuleSettings['isBlocked'] {
  if (blocklist === false) return undefined
  checkOptions(
    'passwords',
    blocklist,
    {
      more: oneOf(
        listOf('passwords', (each) => typeof each === 'string'),
        someFunction,
      ),
    },
    { member: 'blocklist', expected: 'false or { more }' },
  )
  const { more = [] } = blocklist
  if (typeof more === 'function')
    return async (folded) => (await isCommon(folded)) || (await more(folded))
  const own = new Set(more.map((each: string) => foldPassword(each)))
  return async (folded) => own.has(folded) || isCommon(folded)
}
