import { AuthError, toError } from '../errors.ts'
import { type CookieSpec, serializeCookie } from '../http/cookies.ts'
import type { AuthConfig } from './auth-config.ts'
import { cookieSpecs } from './cookie-policy.ts'

type Cookies = Pick<AuthConfig, 'cookies' | 'useSecureCookies'>

/** Cookies that cannot be written. */
export function checkCookies(config: Cookies): AuthError | undefined {
  for (const [key, { name, options }] of specsOf(config)) {
    try {
      serializeCookie({ name, value: '', options: { ...options, encode: undefined } })
    } catch (error) {
      return new AuthError(`\`cookies.${key}\`: ${toError(error).message}`)
    }
  }
  return undefined
}

/** What browsers throw away without a word (RFC 6265bis section 5.7), so that nobody would be signed in. */
export function cookiesRefused(config: Cookies): string[] {
  return specsOf(config).flatMap(([key, { name, options }]) => {
    const needs = missingOf(name, options)
    return needs ? [`browsers refuse \`cookies.${key}\`, ${name}: it needs ${needs}`] : []
  })
}

function missingOf(
  name: string,
  { secure, sameSite, partitioned, domain, path }: CookieSpec['options'],
): string | undefined {
  if (/^__host-/i.test(name) && (domain || path !== '/')) return 'the path / and no domain'
  const needsSecure = /^__(?:host|secure)-/i.test(name) || partitioned || sameSite === 'none'
  return needsSecure && !secure ? '`secure`' : undefined
}

/** As they are over https, unless the configuration says otherwise; ours need no check. */
function specsOf({ cookies, useSecureCookies = true }: Cookies): [string, CookieSpec][] {
  return cookies ? Object.entries(cookieSpecs(useSecureCookies, cookies)) : []
}
