import {
  type Cookie,
  type CookieSpec,
  type SiteRequest,
  setCookie,
} from '../../../entries/plugin.ts'
import type { FactorMethod } from '../settings.ts'

/** Milliseconds that a browser keeps it: 400 days, the most that browsers allow (RFC 6265bis, section 5.5). */
const KEPT: number = 400 * 24 * 60 * 60 * 1000

/** Returns the methods, first the one that was used last in this browser. It is only a preference, and proves nothing. */
export function lastFirst(
  methods: readonly FactorMethod[],
  request: SiteRequest,
): readonly FactorMethod[] {
  const kept = request.cookies.get(cookieFor(request).name)
  const last = methods.filter((method) => method === kept)
  return [...last, ...methods.filter((method) => method !== kept)]
}

/**
 * Returns the cookie for a browser in which a second factor was proved, unless it comes first there anyway. A recovery code is for
 * those who lost everything else, and comes first nowhere.
 */
export function keepFactor(
  method: FactorMethod,
  request: SiteRequest,
  now: number,
): readonly Cookie[] {
  const first = request.cookies.get(cookieFor(request).name) ?? 'totp'
  if (method === 'recovery' || method === first) return []
  return [setCookie(cookieFor(request), method, new Date(now + KEPT))]
}

function cookieFor({ secure }: SiteRequest): CookieSpec {
  return {
    name: `${secure ? '__Host-' : ''}latchkey.last-factor`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  }
}
