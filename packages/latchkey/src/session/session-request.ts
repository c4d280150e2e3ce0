import { parseCookies } from '../http/cookies/cookies.ts'
import type { SessionRequest } from './strategy.ts'

/** Returns the parts of a request, or of its headers, from which a session is read. */
export function sessionRequest(
  from: Request | Headers,
  origin: string | undefined,
): SessionRequest {
  // The headers of Next.js also have a property `headers`.
  const original = 'get' in from ? undefined : from
  const headers = 'get' in from ? from : from.headers
  const cookies = parseCookies(headers.get('cookie'), origin?.slice(origin.indexOf('://') + 3))
  // Without an address, the name of the cookie shows the scheme: only https sets cookies with a prefix.
  const secure =
    origin?.startsWith('https:') ?? cookies.names().some((name) => name.startsWith('__Secure-'))
  return { cookies, secure, headers, ...(original && { original }) }
}
