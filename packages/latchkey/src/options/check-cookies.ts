import { AuthError, toError } from '../errors.ts'
import { type CookieSpec, serializeCookie } from '../http/cookies.ts'
import type { AuthConfig } from './auth-config.ts'
import { cookieSpecs } from './cookie-policy.ts'

type Cookies = Pick<AuthConfig, 'cookies' | 'useSecureCookies'>

/** Cookies that cannot be written, or that would overwrite each other. */
export function checkCookies(config: Cookies): AuthError | undefined {
  const seen = new Set<string>()
  for (const [key, { name, options }] of specsOf(config)) {
    if (seen.has(name)) return new AuthError(`\`cookies.${key}\`: another cookie is named ${name}`)
    seen.add(name)
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
    const needs = missingOf(name.toLowerCase(), options)
    return needs ? [`browsers refuse \`cookies.${key}\`, ${name}: it needs ${needs}`] : []
  })
}

function missingOf(name: string, options: CookieSpec['options']): string | undefined {
  const { secure, sameSite, partitioned, domain, path } = options
  if (name.startsWith('__host-') && !(secure && !domain && path === '/')) {
    return '`secure`, the path / and no domain'
  }
  const needsSecure = name.startsWith('__secure-') || partitioned || sameSite === 'none'
  return needsSecure && !secure ? '`secure`' : undefined
}

/** As they are over https, unless the configuration says otherwise; ours need no check. */
function specsOf({ cookies, useSecureCookies = true }: Cookies): [string, CookieSpec][] {
  return cookies ? Object.entries(cookieSpecs(useSecureCookies, cookies)) : []
}
