import { primitives } from '#crypto'
import type { Cookie } from '../../http/cookies/cookies.ts'
import type { SessionServices } from '../services.ts'
import type { SessionRequest } from '../strategy.ts'

/** Creates the state cookie for the response to a request. */
export type StateCookie = (request: SessionRequest) => Cookie

/**
 * Lets scripts see that the session has changed, and nothing else about it. A cookie that scripts can read
 * gets a new random value after each sign-in, sign-out and update.
 */
export function stateCookie({
  cookies,
  ports,
}: Pick<SessionServices, 'cookies' | 'ports'>): StateCookie {
  return ({ secure }) => {
    const { options } = cookies(secure).sessionToken
    return {
      name: `${options.secure ? '__Secure-' : ''}latchkey.session-state`,
      // Too short to identify a browser.
      value: primitives.toBase64url(ports.random(3)),
      options: { ...options, httpOnly: false },
    }
  }
}
