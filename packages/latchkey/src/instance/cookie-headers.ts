import { type Cookie, serializeCookie } from '../http/cookies/cookies.ts'

/** Returns `Set-Cookie` headers, and a `Cache-Control` that keeps caches from storing them. */
export function cookieHeaders(cookies: readonly Cookie[]): Headers {
  const headers = new Headers()
  if (cookies.length > 0) headers.set('cache-control', 'private, no-store')
  for (const cookie of cookies) headers.append('set-cookie', serializeCookie(cookie))
  return headers
}
