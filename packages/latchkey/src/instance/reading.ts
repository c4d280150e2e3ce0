import { planOf, refusalOf } from '../core/auth.ts'
import { tokenSecret } from '../core/compile/session-options.ts'
import { readChunked } from '../http/cookies/cookie-chunks.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import { isHeaders } from '../http/request-fault.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { createJwtDecoder } from '../session/keeping/jwt-codec.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { ReadingOptions, SessionReading, SessionRequest } from '../session/strategy.ts'
import { logUnconfigured, usable } from './arrival.ts'
import { cookieHeaders } from './cookie-headers.ts'
import type { Site } from './site.ts'
import type { AuthResult, Latchkey, SessionOf } from './types.ts'

/** Creates the functions that read sessions. */
export function createReading<Config extends AuthConfig>(
  site: Site,
): Pick<Latchkey<Config>, 'getSession' | 'auth' | 'session' | 'updateSession'> {
  const readFor = async (
    input: Request | Headers,
    how: ReadingOptions,
  ): Promise<[result: AuthResult<SessionOf<Config>>, cookies: readonly Cookie[]]> => {
    const asking = await resolveReader(input, site)
    if (!asking) return [{ status: 'unavailable', session: null }, []]
    const { session, ...why } = await asking.plan.session.read(asking.asked, how)
    const result =
      session === null
        ? { status: await statusOf(why, asking), session }
        : { status: 'authenticated' as const, session: session as SessionOf<Config> }
    return [result, why.cookies]
  }

  const ask = async (input: Request | Headers): Promise<AuthResult<SessionOf<Config>>> =>
    (await readFor(input, { readOnly: true }))[0]

  const read = async (
    request: Request,
    how?: ReadingOptions,
  ): Promise<{ session: SessionOf<Config> | null; headers: Headers }> => {
    const arrival = await site.arrive(request)
    const asked = sessionRequest(request, arrival.origin)
    const { session, cookies } = await usable(arrival).session.read(asked, how)
    return { session: session as SessionOf<Config> | null, headers: cookieHeaders(cookies) }
  }

  return {
    async getSession(input) {
      const readOnly = !(input instanceof Request)
      const [result, cookies] = await readFor(input, { readOnly })
      return { ...result, headers: cookieHeaders(readOnly ? [] : cookies) }
    },
    auth: Object.assign(async (input: Request | Headers) => (await ask(input)).session, {
      result: ask,
    }),
    session: (request) => read(request),
    updateSession: (request, data) => read(request, { update: { data } }),
  }
}

/** The request for a session, and its configuration. */
interface Asking {
  readonly config: AuthConfig
  readonly plan: SessionPlan
  readonly asked: SessionRequest
}

/** Returns why there is no session. A reading that clears cookies means that the request had an invalid one. */
async function statusOf(
  { cookies, failed, expired }: Omit<SessionReading, 'session'>,
  asking: Asking,
): Promise<Exclude<AuthResult['status'], 'authenticated'>> {
  if (failed) return 'unavailable'
  if (cookies.length === 0) return 'none'
  return (expired ?? (await wasValidBefore(asking))) ? 'expired' : 'invalid'
}

/** Returns whether the session was valid at an earlier time. Does not call an application's own decoder again. */
async function wasValidBefore({ config, plan, asked }: Asking): Promise<boolean> {
  if (plan.session.name !== 'jwt' || config.jwt?.decode) return false
  const { name } = plan.cookies(asked.secure).sessionToken
  const value = readChunked(asked.cookies, name)
  const secret = tokenSecret(config, plan.secrets)
  const decode = createJwtDecoder({ secret, maxAge: 0, decode: undefined }, { now: () => 0 })
  return value !== undefined && (await decode(value, name)) !== undefined
}

/** Returns the request and the plan to read a session with; `undefined` if the configuration is not usable. */
export async function resolveReader(
  input: Request | Headers,
  site: Site,
): Promise<Asking | undefined> {
  try {
    const { origin, config } = isHeaders(input)
      ? { origin: site.origin, config: await site.config() }
      : await site.arrive(input)
    const plan = planOf(config)
    // Headers without a request may have no address.
    const fault = plan.fault ?? (origin === undefined ? undefined : refusalOf(origin, plan))
    if (!fault) return { config, plan, asked: sessionRequest(input, origin) }
    plan.logger.error(fault)
  } catch (error) {
    logUnconfigured(error, site)
  }
  return undefined
}
