import { AuthError, toError } from '../base/errors.ts'
import { type CookieSpec, serializeCookie } from '../http/cookies/cookies.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { cookieSpecs } from '../options/cookie-policy.ts'

type Cookies = Pick<AuthConfig, 'cookies' | 'useSecureCookies'>

/** Returns an error for a cookie that cannot be serialized. */
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

/** Returns warnings for cookies that browsers silently reject (RFC 6265bis section 5.7). */
export function cookiesRefused(config: Cookies): string[] {
  return specsOf(config).flatMap(([key, { name, options }]) => {
    const needs = missingOf(name, options)
    return needs ? [`browsers reject the cookie ${name} (\`cookies.${key}\`); ${needs}`] : []
  })
}

function missingOf(
  name: string,
  { secure, sameSite, partitioned, domain, path }: CookieSpec['options'],
): string | undefined {
  if (/^__host-/i.test(name) && (domain || path !== '/'))
    return "set `path: '/'`, and remove `domain`"
  const needsSecure = /^__(?:host|secure)-/i.test(name) || partitioned || sameSite === 'none'
  return needsSecure && !secure ? 'set `secure`' : undefined
}

/** Returns the configured cookies, as over https unless configured otherwise. The default cookies need no check. */
function specsOf({ cookies, useSecureCookies = true }: Cookies): [string, CookieSpec][] {
  return cookies ? Object.entries(cookieSpecs(useSecureCookies, cookies)) : []
}
