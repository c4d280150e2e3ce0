import {
  type Cookie,
  type CookieSpec,
  clearCookie,
  parseCookies,
  setCookie,
} from '../../entries/plugin.ts'

/** Seconds that a browser keeps a language: a year. */
const MAX_AGE = 365 * 24 * 60 * 60
const NAME = 'latchkey.language'

/** The beginning of a value that comes from the profile of the user, whom nobody asked in this browser. */
const OF_PROFILE = 'profile.'

/** The language that a browser keeps. */
export interface KeptLanguage {
  readonly tag: string
  /** The user chose it for the account, maybe in another browser. */
  readonly isOfProfile: boolean
}

/** Returns the language that a browser keeps. The name of its cookie depends on whether the connection is secure. */
export function languageIn(cookies: string | null): KeptLanguage | undefined {
  if (!cookies?.includes(`${NAME}=`)) return undefined
  const parsed = parseCookies(cookies)
  const value = parsed.get(`__Host-${NAME}`) ?? parsed.get(NAME)
  if (value === undefined) return undefined
  const isOfProfile = value.startsWith(OF_PROFILE)
  return { tag: isOfProfile ? value.slice(OF_PROFILE.length) : value, isOfProfile }
}

/** Returns the cookie that keeps a language. @param now milliseconds since the epoch */
export function keepLanguage(
  { tag, isOfProfile }: KeptLanguage,
  secure: boolean,
  now: number,
): Cookie {
  const expires = new Date(now + MAX_AGE * 1000)
  return setCookie(cookieSpec(secure), isOfProfile ? OF_PROFILE + tag : tag, expires)
}

export function forgetLanguage(secure: boolean): Cookie {
  return clearCookie(cookieSpec(secure))
}

/** It is only a preference, so it is not sealed. */
function cookieSpec(secure: boolean): CookieSpec {
  return {
    name: `${secure ? '__Host-' : ''}${NAME}`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge: MAX_AGE },
  }
}
