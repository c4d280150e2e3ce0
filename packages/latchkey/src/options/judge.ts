import { AuthError } from '../errors.ts'

/** A fault that names the first value that is not what it has to be, or what is no list. */
export function judge(
  values: unknown,
  fits: (value: unknown) => boolean,
  what: string,
  Fault: new (message: string) => AuthError = AuthError,
): AuthError | undefined {
  const odd = Array.isArray(values) ? values.filter((value) => !fits(value)) : [values]
  return odd.length > 0 ? new Fault(`${what}, not ${JSON.stringify(odd[0])}`) : undefined
}

/** Seconds, 6000 years and more: a cookie cannot name a day after the year 9999. */
export const AGE_LIMIT = 2e11

export function checkAge(
  name: string,
  age = 1,
  least: number = Number.MIN_VALUE,
): AuthError | undefined {
  const fits = Number.isFinite(age) && age >= least && (least === 0 || age < AGE_LIMIT)
  return judge([age], () => fits, `${name} is a number of seconds`)
}

/** Text of which nothing ends the path, since that of a callback is put behind it. */
export function isWebAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:\/\/[^?#\s]+$/i.test(url)
}
