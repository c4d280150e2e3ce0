import { parseCookies } from '../http/cookies.ts'
import type { SessionRequest } from './strategy.ts'

/** What a session is read from: a request or its headers, and the address that it was sent to. */
export function sessionRequest(
  from: Request | Headers,
  origin: string | undefined,
): SessionRequest {
  // The headers that Next.js gives have a property `headers`, too.
  const original = 'get' in from ? undefined : from
  const headers = 'get' in from ? from : from.headers
  const cookies = parseCookies(headers.get('cookie'))
  // Without an address, the cookies say over what they came: only https sets prefixed ones.
  const secure =
    origin?.startsWith('https:') ?? cookies.names().some((name) => name.startsWith('__Secure-'))
  return { cookies, secure, headers, ...(original && { original }) }
}
