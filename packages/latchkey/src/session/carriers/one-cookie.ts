import { oncePer } from '../../base/once.ts'
import { isAmbiguous, readAllChunked, withOneValue } from '../../http/cookies/cookie-chunks.ts'
import type { Logger } from '../../options/redacting-logger.ts'
import type { SessionServices } from '../services.ts'
import type { SessionRequest, SessionStrategy } from '../strategy.ts'

/**
 * Lets each request have one session cookie. Browsers send two if they were set with another `domain`, for example
 * before and after the option changed: the newest valid one counts, and a sign-out ends all of them.
 *
 * @param validSince returns a number that is higher for a newer session; `undefined` if there is no valid session.
 */
export function withOneCookie(
  strategy: SessionStrategy,
  { cookies, logger }: Pick<SessionServices, 'cookies' | 'logger'>,
  validSince: (request: SessionRequest) => Promise<number | undefined>,
): SessionStrategy {
  /** Returns the request once for each value, the one that counts first. */
  async function each(request: SessionRequest): Promise<readonly SessionRequest[]> {
    const { name } = cookies(request.secure).sessionToken
    if (!isAmbiguous(request.cookies, name)) return [request]
    warnRepeated(logger, name)
    const { secure, headers, original, holder } = request
    const tried = await Promise.all(
      readAllChunked(request.cookies, name).map(async (value) => {
        const jar = withOneValue(request.cookies, name, value)
        const one = { secure, headers, original, holder, cookies: jar }
        // The strategy itself reports why a session cannot be read.
        const since = await validSince(one).catch(() => undefined)
        return { one, since: since ?? Number.NEGATIVE_INFINITY }
      }),
    )
    const newestFirst = tried.toSorted((a, b) =>
      a.since < b.since ? 1 : a.since > b.since ? -1 : 0,
    )
    return newestFirst.length === 0 ? [request] : newestFirst.map(({ one }) => one)
  }

  const theOne = async (request: SessionRequest): Promise<SessionRequest> =>
    (await each(request))[0] ?? request

  return {
    ...strategy,
    issue: async (signedIn, request, proof) =>
      strategy.issue(signedIn, await theOne(request), proof),
    renew: async (request, proof) => strategy.renew(await theOne(request), proof),
    read: async (request, how) => strategy.read(await theOne(request), how),
    current: async (request) => strategy.current(await theOne(request)),
    currentUser: async (request) => strategy.currentUser(await theOne(request)),
    async revoke(request) {
      const [first = request, ...others] = await each(request)
      const revoked = await strategy.revoke(first)
      for (const other of others) await strategy.revoke(other)
      return revoked
    },
  }
}

/** Warns once for each name that a cookie came more than once. */
export function warnRepeated(logger: Logger, name: string): void {
  const told = warned(logger)
  if (told.has(name)) return
  told.add(name)
  logger.warn(
    'cookie-repeated',
    `${name} came more than once in a request: it was also set with another \`domain\` or path, by this site before its configuration changed or by another one; a sign-in or a sign-out clears the others`,
  )
}

const warned = oncePer((): Set<string> => new Set(), new WeakMap<Logger, Set<string>>())
