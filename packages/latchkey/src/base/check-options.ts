import { isJsonObject } from './encoding/json.ts'
import { describeValue, kindOfValue } from './kind-of-value.ts'
import { OPTION_SECTIONS, type OptionSection, optionError } from './option-error.ts'
import { unknownIn } from './option-names.ts'

/**
 * The options of a type by name, all of which the compiler requires: `'boolean'` for `true` or `false`, `'string'` for any text,
 * `'function'`, and `true` for all others, whose values the function that has them checks itself.
 */
export type OptionKinds<T> = { readonly [Name in keyof T]-?: KindOf<Exclude<T[Name], undefined>> }

type KindOf<Value> = [Value] extends [boolean]
  ? 'boolean'
  : [Value] extends [(...given: never) => unknown]
    ? 'function'
    : // Not for a choice of texts.
      string extends Value
      ? [Value] extends [string]
        ? 'string'
        : true
      : true

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

/** A promise of options has none. */
function isOptions(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !('then' in value)
}

function faultIn(
  options: Readonly<Record<string, unknown>>,
  kinds: object,
  member: string | undefined,
): string | undefined {
  const prefix = member === undefined ? '' : `${member}.`
  const unknown = unknownIn(options, Object.keys(kinds), prefix)
  if (unknown !== undefined) return unknown
  for (const [name, kind] of Object.entries(kinds)) {
    const value = options[name]
    if (kind === true || value === undefined || typeof value === kind) continue
    const must = kind === 'boolean' ? 'true or false' : `a ${String(kind)}`
    return `\`${prefix}${name}\` must be ${must}, got ${kind === 'boolean' ? describeValue(value) : kindOfValue(value)}`
  }
  return undefined
}

function sectionOf(name: string): OptionSection | undefined {
  return Object.hasOwn(OPTION_SECTIONS, name) ? (name as OptionSection) : undefined
}
