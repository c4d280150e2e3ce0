import { parseCookies } from '../http/cookies.ts'
import type { SessionRequest } from './strategy.ts'

/** What a session is read from: the headers of a request, and the address that it was sent to. */
export function sessionRequest(headers: Headers, origin: string | undefined): SessionRequest {
  const cookies = parseCookies(headers.get('cookie'))
  // Without an address, the cookies say over what they came: only https sets prefixed ones.
  const secure =
    origin?.startsWith('https:') ?? cookies.names().some((name) => name.startsWith('__Secure-'))
  return { cookies, secure, headers }
}
