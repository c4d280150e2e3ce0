import { AuthError } from '../base/errors.ts'

/** Returns an error that names the first invalid value, or the value that should be a list. */
export function judge(
  values: unknown,
  fits: (value: unknown) => boolean,
  what: string,
  Fault: new (message: string) => AuthError = AuthError,
): AuthError | undefined {
  const odd = Array.isArray(values) ? values.filter((value) => !fits(value)) : [values]
  return odd.length > 0 ? new Fault(`${what}, got ${shown(odd[0])}`) : undefined
}

/** JSON has no `NaN`, no infinity and no functions. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
}

/** Seconds, over 6000 years: a cookie cannot have a date after the year 9999. */
export const AGE_LIMIT = 2e11

export function checkAge(
  name: string,
  age = 1,
  least: number = Number.MIN_VALUE,
): AuthError | undefined {
  const fits = Number.isFinite(age) && age >= least && (least === 0 || age < AGE_LIMIT)
  return judge([age], () => fits, `${name} must be a number of seconds`)
}

/** An http or https URL without query and fragment: the path of a callback is appended to it. */
export function isWebAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:\/\/[^?#\s]+$/i.test(url)
}
