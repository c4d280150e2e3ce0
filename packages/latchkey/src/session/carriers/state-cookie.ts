import { primitives } from '#crypto'
import type { Cookie } from '../../http/cookies/cookies.ts'
import type { SessionServices } from '../services.ts'
import type { SessionRequest, SessionStrategy } from '../strategy.ts'

/**
 * Lets scripts see that the session has changed, and nothing else about it. A cookie that scripts can read
 * gets a new random value after each sign-in, sign-out and update.
 */
export function withStateCookie(
  ours: SessionStrategy,
  { cookies, ports }: SessionServices,
): SessionStrategy {
  const mark = ({ secure }: SessionRequest): Cookie => {
    const { options } = cookies(secure).sessionToken
    return {
      name: `${options.secure ? '__Secure-' : ''}latchkey.session-state`,
      // Too short to identify a browser.
      value: primitives.toBase64url(ports.random(3)),
      options: { ...options, httpOnly: false },
    }
  }
  return {
    ...ours,
    async issue(signedIn, request, proof) {
      return [...(await ours.issue(signedIn, request, proof)), mark(request)]
    },
    async read(request, how) {
      const reading = await ours.read(request, how)
      const { session, cookies: set } = reading
      const isOver = session === null && set.length > 0
      if (!isOver && (session === null || !how?.update)) return reading
      return { ...reading, cookies: [...set, mark(request)] }
    },
    async revoke(request) {
      const { cookies: cleared, ...revoked } = await ours.revoke(request)
      return { ...revoked, cookies: [...cleared, mark(request)] }
    },
    forget: (request) => [...ours.forget(request), mark(request)],
  }
}
