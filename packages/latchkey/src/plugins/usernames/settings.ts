import {
  checkOptions,
  listOf,
  type OptionRule,
  optionError,
  required,
  seconds,
  wholeNumber,
} from '../../entries/plugin.ts'

/** Options of the plugin. */
export interface UsernamesOptions {
  /** Minimum number of characters. @default 3 */
  readonly least?: number | undefined
  /** Maximum number of characters, at most 60. @default 30 */
  readonly most?: number | undefined
  /**
   * Further allowed names, as a regular expression for the whole name in lower case.
   *
   * It replaces the built-in rule: `a` to `z`, `0` to `9`, and single `.`, `_`, `-` between two of them. With letters of
   * other alphabets, each name must be of one script, and names that look like the name of another user are taken.
   *
   * @default the built-in rule
   */
  readonly pattern?: RegExp | undefined
  /** Names that nobody may have, in addition to the built-in ones. @default [] */
  readonly reserved?: readonly string[] | undefined
  /**
   * How often people may change their name: `never`, or once in so many seconds.
   *
   * @default { every: 2592000 } (30 days)
   */
  readonly change?: 'never' | { readonly every: number } | undefined
  /** Whether people sign in with their name, in plugins with a password. @default true */
  readonly signIn?: boolean | undefined
}

/** The options with their defaults. */
export interface Settings {
  readonly least: number
  readonly most: number
  readonly pattern: RegExp | undefined
  readonly reserved: readonly string[]
  readonly change: 'never' | { readonly every: number }
  readonly signIn: boolean
}

/** The longest name: its forms for comparison must fit into the key of a record. */
const LONGEST = 60
const DAY = 24 * 60 * 60

const PATTERN: OptionRule = {
  expected: 'a regular expression without the flags g and y',
  fits: (value) => value instanceof RegExp && !value.global && !value.sticky,
  oddOf: (value) => (value instanceof RegExp ? `${value}` : value),
}

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: UsernamesOptions): Settings {
  checkOptions('usernames', options, {
    least: wholeNumber(1, LONGEST),
    most: wholeNumber(1, LONGEST),
    pattern: PATTERN,
    reserved: listOf('names', (name) => typeof name === 'string'),
    change: true,
    signIn: 'boolean',
  })
  const {
    least = 3,
    most = 30,
    pattern,
    reserved = [],
    change = { every: 30 * DAY },
    signIn = true,
  } = options
  if (least > most)
    throw optionError(
      `usernames(): \`least\` must be at most \`most\`, which is ${most}, got ${least}`,
      'usernames',
    )
  if (change !== 'never') {
    const place = { member: 'change', expected: "'never' or { every: seconds }" }
    checkOptions('usernames', change, { every: required(seconds(1)) }, place)
  }
  return { least, most, pattern, reserved, change, signIn }
}
