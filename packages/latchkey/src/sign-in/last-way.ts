import { type Cookie, type CookieSpec, setCookie } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import type { Plan } from '../plan/plan.ts'

/** Milliseconds that a browser keeps the way: 400 days, the most that browsers allow (RFC 6265bis, section 5.5). */
const KEPT: number = 400 * 24 * 60 * 60 * 1000

/** Returns the way with which somebody signed in last in this browser. It is only a preference, and proves nothing. */
export function lastWay(request: SiteRequest): string | undefined {
  return request.cookies.get(cookieFor(request).name)
}

/** Returns the cookie that keeps the way for the built-in sign-in page, if that has a choice. */
export function keepWay(id: string, request: SiteRequest, plan: Plan): readonly Cookie[] {
  const isShown = !plan.pages.signIn && plan.providers.length > 1
  if (!isShown || lastWay(request) === id) return []
  return [setCookie(cookieFor(request), id, new Date(plan.ports.now() + KEPT))]
}

function cookieFor({ secure }: SiteRequest): CookieSpec {
  return {
    name: `${secure ? '__Host-' : ''}latchkey.last-used`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  }
}
