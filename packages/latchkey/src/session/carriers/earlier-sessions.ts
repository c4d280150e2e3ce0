import { SessionTokenError, toError } from '../../base/errors.ts'
import { clearChunked, readChunked, writeChunked } from '../../http/cookies/cookie-chunks.ts'
import type { Cookie, CookieSpec } from '../../http/cookies/cookies.ts'
import type { SessionServices } from '../services.ts'
import type { SessionRequest, SessionStrategy } from '../strategy.ts'

/** Sessions of another library, with a cookie of its own. */
export interface EarlierSessions {
  /** The name without the prefix for https. */
  readonly cookie: string
  /** Returns the value of our cookie for theirs; `undefined` if theirs cannot be opened, or has expired. */
  convert(value: string, cookieName: string): Promise<string | undefined>
}

/**
 * Reads an earlier session if there is no session of Latchkey, and replaces it with one at the next
 * opportunity. A sign-out ends both. A cookie that cannot be opened stays unchanged.
 */
export function acceptingEarlier(
  ours: SessionStrategy,
  { cookies, logger, maxAge, ports }: SessionServices,
  earlier: EarlierSessions,
): SessionStrategy {
  /** Their cookie needs the attributes of ours, or browsers would not clear it. */
  const theirSpec = (request: SessionRequest): CookieSpec => {
    const { options } = cookies(request.secure).sessionToken
    return { name: `${options.secure ? '__Secure-' : ''}${earlier.cookie}`, options }
  }
  const forgetTheirs = (request: SessionRequest): readonly Cookie[] =>
    clearChunked(request.cookies, theirSpec(request))

  const hasOurs = ({ cookies: jar, secure }: SessionRequest): boolean =>
    readChunked(jar, cookies(secure).sessionToken.name) !== undefined

  /** Returns the value of an earlier session in our format, even if there is a session of Latchkey. */
  async function convert(request: SessionRequest): Promise<string | undefined> {
    const value = readChunked(request.cookies, theirSpec(request).name)
    if (value === undefined) return undefined
    try {
      return await earlier.convert(value, cookies(request.secure).sessionToken.name)
    } catch (error) {
      logger.error(new SessionTokenError(toError(error)))
      return undefined
    }
  }

  /** Returns the request with the value in our cookie. */
  function asOurs({ cookies: jar, secure }: SessionRequest, value: string): SessionRequest {
    const { name } = cookies(secure).sessionToken
    return {
      secure,
      cookies: {
        get: (asked) => (asked === name ? value : jar.get(asked)),
        names: () => [...new Set([...jar.names(), name])],
      },
    }
  }

  async function preferOurs(request: SessionRequest): Promise<SessionRequest> {
    const value = hasOurs(request) ? undefined : await convert(request)
    return value === undefined ? request : asOurs(request, value)
  }

  return {
    name: ours.name,

    async read(request, how) {
      const value = hasOurs(request) ? undefined : await convert(request)
      if (value === undefined) return ours.read(request, how)
      const reading = await ours.read(asOurs(request, value), how)
      if (reading.failed || how?.readOnly) return reading
      const { sessionToken } = cookies(request.secure)
      const written =
        reading.cookies.length > 0
          ? reading.cookies
          : writeChunked(
              request.cookies,
              sessionToken,
              value,
              new Date(ports.now() + maxAge * 1000),
            )
      return { ...reading, cookies: [...written, ...forgetTheirs(request)] }
    },

    async issue(signedIn, request, proof) {
      const isTheirs = (await convert(request)) !== undefined
      const written = await ours.issue(signedIn, await preferOurs(request), proof)
      return isTheirs ? [...written, ...forgetTheirs(request)] : written
    },

    renew: async (request, proof) => ours.renew(await preferOurs(request), proof),

    current: async (request) => ours.current(await preferOurs(request)),

    currentUser: async (request) => ours.currentUser(await preferOurs(request)),

    async revoke(request) {
      const value = await convert(request)
      if (value === undefined) return ours.revoke(request)
      const first = hasOurs(request) ? await ours.revoke(request) : undefined
      const second = await ours.revoke(asOurs(request, value))
      return {
        cookies: [...ours.forget(request), ...forgetTheirs(request)],
        ended: first?.ended ?? second.ended,
        facts: first?.facts ?? second.facts,
      }
    },

    forget: (request) => [...ours.forget(request), ...forgetTheirs(request)],
  }
}
