import { clearChunked, readChunked } from '../../http/cookies/cookie-chunks.ts'
import type { CookieSpec } from '../../http/cookies/cookies.ts'
import { NEXT_AUTH_4_COOKIE } from '../../protocols/sealing/next-auth-4.ts'
import type { Carried } from '../carrier.ts'
import type { CookieCarrier, CookieOptions, Jar } from './cookie.ts'

/**
 * Carries sessions of next-auth 4. They are read if there is no session of Latchkey, and replaced with one as soon as a
 * cookie can be set.
 *
 * @param ours the cookie of Latchkey.
 */
export function nextAuth4Carrier(
  ours: CookieCarrier,
  { specOf }: Pick<CookieOptions, 'specOf'>,
): CookieCarrier {
  const clear = (request: Jar): ReturnType<typeof clearChunked> =>
    clearChunked(request.cookies, theirSpec(specOf(request)))
  return {
    find: (request) => findNextAuth4(request, specOf(request).options.secure),
    write: (request, written) => [...ours.write(request, written), ...clear(request)],
    clear,
  }
}

/** Returns the session of next-auth 4 in a request. @param isSecure whether the session cookie is `Secure`. */
export function findNextAuth4(
  { cookies, secure }: Jar,
  isSecure: boolean | undefined,
): Carried | undefined {
  const value = readChunked(cookies, nameOf(isSecure))
  return value === undefined ? undefined : { value, secure, from: 'next-auth@4' }
}

/** To be cleared, their cookie needs the attributes of the session cookie. */
const theirSpec = ({ options }: CookieSpec): CookieSpec => ({
  name: nameOf(options.secure),
  options,
})

const nameOf = (isSecure: boolean | undefined): string =>
  `${isSecure ? '__Secure-' : ''}${NEXT_AUTH_4_COOKIE}`
