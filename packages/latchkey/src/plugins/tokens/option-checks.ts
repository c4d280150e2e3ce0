import { optionError } from '../../entries/plugin.ts'

/** The options of the plugin that have members. */
type Option = 'apiKeys' | 'device' | 'jwt' | 'native'

/** @throws {TypeError} that names the option. */
export function refuse(option: Option, fault: string): never {
  throw optionError(`tokens({ ${option} }): ${fault}`, 'tokens')
}

/**
 * Checks members of an option.
 *
 * @throws {TypeError} for one that is not a whole number within the limits.
 */
export function checkWhole(
  option: Option,
  members: Readonly<Record<string, number>>,
  [least, most]: readonly [number, number],
  what = 'a whole number',
): void {
  for (const [name, value] of Object.entries(members))
    if (!Number.isSafeInteger(value) || value < least || value > most)
      refuse(option, `\`${name}\` must be ${what} from ${least} to ${most}, got ${String(value)}`)
}

/** Checks members that are numbers of seconds, as {@link checkWhole} does. */
export function checkSeconds(
  option: Option,
  members: Readonly<Record<string, number>>,
  limits: readonly [number, number],
): void {
  checkWhole(option, members, limits, 'a whole number of seconds')
}
