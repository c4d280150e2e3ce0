import { normalizeAddress } from '../flows/email/normalize-address.ts'

/** Returns an email address in the form in which it is stored; `undefined` if it is none. */
export function readAddress(typed: string): string | undefined {
  try {
    return normalizeAddress(typed)
  } catch {
    return undefined
  }
}
