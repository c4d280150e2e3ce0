import { checkOptions, optionError } from '../../entries/plugin.ts'

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

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: UsernamesOptions): Settings {
  checkOptions('usernames', options, {
    least: true,
    most: true,
    pattern: true,
    reserved: true,
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
  checkLengths(least, most)
  if (pattern !== undefined) checkPattern(pattern)
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string'))
    refuse('reserved', 'a list of names', reserved)
  if (change !== 'never') {
    const expected = "'never' or { every: seconds }"
    checkOptions('usernames', change, { every: true }, { member: 'change', expected })
    if (!isCount(change.every)) refuse('change', expected, change)
  }
  return { least, most, pattern, reserved, change, signIn }
}

function checkLengths(least: number, most: number): void {
  for (const [name, value] of Object.entries({ least, most })) {
    if (!isCount(value) || value > LONGEST)
      refuse(name, `a whole number from 1 to ${LONGEST}`, value)
  }
  if (least > most) refuse('least', `at most \`most\`, which is ${most}`, least)
}

/** The compiler does not check options that JavaScript passes. */
function checkPattern(pattern: unknown): void {
  if (!(pattern instanceof RegExp)) refuse('pattern', 'a regular expression', pattern)
  if (pattern.global || pattern.sticky)
    refuse('pattern', 'a regular expression without the flags g and y', pattern)
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0

function refuse(option: string, expected: string, value: unknown): never {
  const got = value instanceof RegExp ? String(value) : JSON.stringify(value)
  throw optionError(`usernames(): \`${option}\` must be ${expected}, got ${got}`, 'usernames')
}
