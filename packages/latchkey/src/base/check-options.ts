import { isJsonObject } from './encoding/json.ts'
import { describeValue, kindOfValue } from './kind-of-value.ts'
import { OPTION_SECTIONS, type OptionSection, optionError } from './option-error.ts'
import { unknownIn } from './option-names.ts'

/** What the value of an option must be. */
export interface OptionRule {
  /** For people, for example `a whole number from 1 to 10`. */
  readonly expected: string
  /** @default false */
  readonly isRequired?: boolean
  fits(value: unknown): boolean
  /** Returns what the message shows in place of the whole value, for example the entry of a list that does not fit. */
  oddOf?(value: unknown): unknown
}

/** A text that is not empty. */
export const someText: OptionRule = {
  expected: 'a text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
}

/** Any function. */
export const someFunction: OptionRule = {
  expected: 'a function',
  fits: (value) => typeof value === 'function',
}

/**
 * The options of a type by name, all of which the compiler requires: `'boolean'` for `true` or `false`, `'string'` for any text,
 * `'function'`, a rule, the options of an object by name, and `true` for all others, whose values the function that has them checks
 * itself.
 */
export type OptionKinds<T> = { readonly [Name in keyof T]-?: KindOf<Exclude<T[Name], undefined>> }

type KindOf<Value> =
  | OptionRule
  | ([Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [(...given: never) => unknown]
        ? 'function'
        : // Not for a choice of texts.
          string extends Value
          ? [Value] extends [string]
            ? 'string'
            : true
          : true | MembersOf<Value>)

type MembersOf<Value> = [Value] extends [readonly unknown[]]
  ? never
  : [Value] extends [object]
    ? OptionKinds<Value>
    : never

/** @param unit what is counted, for example `seconds`. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
  unit?: string,
): OptionRule {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`
  return {
    expected: `a whole number${unit === undefined ? '' : ` of ${unit}`} ${range}`,
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  }
}

export function seconds(least: number, most?: number): OptionRule {
  return wholeNumber(least, most, 'seconds')
}

/** One of some values, or what another rule says: `'a', 'b' or a function`. */
export function oneOf(...choices: (string | number | boolean | null | OptionRule)[]): OptionRule {
  const shown = choices.map((choice) => {
    if (isRule(choice)) return choice.expected
    return typeof choice === 'string' ? `'${choice}'` : String(choice)
  })
  return {
    expected: [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' or '),
    fits: (value) =>
      choices.some((choice) => (isRule(choice) ? choice.fits(value) : choice === value)),
  }
}

/**
 * @param what the entries, for example `networks`.
 * @param fits of an entry; without it, the entries are checked elsewhere.
 */
export function listOf(what: string, fits: OptionRule['fits'] = () => true): OptionRule {
  return {
    expected: `a list of ${what}`,
    fits: (value) => Array.isArray(value) && value.every(fits),
    oddOf: (value) => (Array.isArray(value) ? value.find((entry) => !fits(entry)) : value),
  }
}

/** A rule for an option that must be there. */
export function required(rule: OptionRule): OptionRule {
  return { ...rule, isRequired: true }
}

/** Where options are. */
export interface OptionPlace {
  /** The option that has these options, for example `recovery.hash`. */
  readonly member?: string | undefined
  /** What the value must be. @default 'an object' */
  readonly expected?: string | undefined
  /** The section of the docs, if it is not the one of the function. */
  readonly section?: OptionSection | undefined
}

/**
 * Checks what the compiler does not: options that JavaScript passes, and names in an object that is spread. Call it first, with
 * all options of the function.
 *
 * @param of the function that has the options, for example `twoFactor`.
 * @throws {TypeError} for a value that is no object, an unknown name, and a value that is not of its kind. The message names the
 *   function, the option and the fix.
 */
export function checkOptions<T extends object>(
  of: string,
  options: T,
  kinds: OptionKinds<NoInfer<T>>,
  { member, expected = 'an object', section = sectionOf(of) }: OptionPlace = {},
): void {
  const fault = isOptions(options)
    ? faultIn(options, kinds, member)
    : `${member === undefined ? 'the options' : `\`${member}\``} must be ${expected}, got ${kindOfValue(options)}`
  if (fault === undefined) return
  const message = `${of}(): ${fault}`
  throw section ? optionError(message, section) : new TypeError(message)
}

/** Returns whether a value is an object of options. A promise is none: its options would be ignored. */
function isOptions(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !('then' in value)
}

function faultIn(
  options: Readonly<Record<string, unknown>>,
  kinds: { readonly [name: string]: Kind },
  member: string | undefined,
): string | undefined {
  const prefix = member === undefined ? '' : `${member}.`
  const unknown = unknownIn(options, Object.keys(kinds), prefix)
  if (unknown !== undefined) return unknown
  for (const [name, kind] of Object.entries(kinds)) {
    const value = options[name]
    if (value === undefined && Object(kind).isRequired !== true) continue
    const fault = faultOfValue(value, kind, prefix + name)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfValue(value: unknown, kind: Kind, name: string): string | undefined {
  if (kind === true || typeof value === kind) return undefined
  const must = `\`${name}\` must be`
  if (kind === 'boolean') return `${must} true or false, got ${describeValue(value)}`
  if (typeof kind === 'string') return `${must} a ${kind}, got ${kindOfValue(value)}`
  if (isRule(kind))
    return kind.fits(value)
      ? undefined
      : `${must} ${kind.expected}, got ${describeValue(kind.oddOf ? kind.oddOf(value) : value)}`
  return isOptions(value)
    ? faultIn(value, kind, name)
    : `${must} an object, got ${kindOfValue(value)}`
}

type Kind =
  | true
  | 'boolean'
  | 'string'
  | 'function'
  | OptionRule
  | { readonly [name: string]: Kind }

function isRule(value: unknown): value is OptionRule {
  return typeof Object(value).fits === 'function'
}

function sectionOf(name: string): OptionSection | undefined {
  return Object.hasOwn(OPTION_SECTIONS, name) ? (name as OptionSection) : undefined
}
