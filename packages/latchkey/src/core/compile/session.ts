import { primitives } from '#crypto'
import type { AuthConfig } from '../../options/auth-config.ts'
import { around } from '../../options/markers.ts'
import { secretsOf } from '../../options/secrets.ts'
import { strategyOf } from '../../options/strategy.ts'
import { NEXT_AUTH_4_COOKIE, nextAuth4Opener } from '../../protocols/sealing/next-auth-4.ts'
import { acceptingEarlier, type EarlierSessions } from '../../session/carriers/earlier-sessions.ts'
import { databaseSessions } from '../../session/keeping/database-sessions.ts'
import { createJwtCodec } from '../../session/keeping/jwt-codec.ts'
import { jwtSessions } from '../../session/keeping/jwt-sessions.ts'
import type { SessionServices } from '../../session/services.ts'
import type { SessionStrategy, WithMaxAge } from '../../session/strategy.ts'
import type { Store } from '../../store/store.ts'
import { tokenSecret } from './session-options.ts'

/** Wraps a session strategy. */
type Around = (
  kept: SessionStrategy,
  services: SessionServices,
  withMaxAge: WithMaxAge,
) => SessionStrategy

/** Members of a configuration that wrap the session strategy. */
interface Wrapping {
  [around]?: readonly Around[]
}

/**
 * Creates the session strategy. No other code depends on which one it is.
 *
 * @param further wrappers of plugins, outside of those of options.
 */
export function compileSession(
  config: AuthConfig & Wrapping,
  services: SessionServices,
  store: Store | undefined,
  further: readonly Around[] = [],
): SessionStrategy {
  const { kept, convert } = keptSessions(config, services, store)
  const earlier: Around = (ours) =>
    acceptingEarlier(ours, services, { cookie: NEXT_AUTH_4_COOKIE, convert })
  const withMaxAge: WithMaxAge = (maxAge) =>
    keptSessions(config, { ...services, maxAge, tokenMaxAge: maxAge }, store).kept
  const accepted = config.acceptSessionsFrom?.length ? [earlier] : []
  return [...accepted, ...(config[around] ?? []), ...further].reduce(
    (inner, put) => put(inner, services, withMaxAge),
    kept,
  )
}

/** Returns the session strategy, and the function that converts earlier sessions. */
function keptSessions(
  config: AuthConfig,
  services: SessionServices,
  store: Store | undefined,
): { kept: SessionStrategy; convert: EarlierSessions['convert'] } {
  if (strategyOf(config) === 'database' && store) {
    const generate =
      config.session?.generateSessionToken ??
      ((): string => primitives.toBase64url(services.ports.random(32)))
    // Their cookie has the token, and their row is found like a row of Auth.js.
    const convert = async (token: string): Promise<string> => token
    return { kept: databaseSessions(services, store, generate), convert }
  }
  const { jwt = {} } = config
  const secret = tokenSecret(config, config.secret ?? [])
  const codec = createJwtCodec(
    {
      secret,
      maxAge: services.tokenMaxAge,
      encode: jwt.encode,
      decode: jwt.decode,
    },
    services.ports,
  )
  let open: ReturnType<typeof nextAuth4Opener> | undefined
  return {
    kept: jwtSessions(services, codec, store),
    async convert(token, cookieName) {
      open ??= nextAuth4Opener(secretsOf(secret))
      const claims = await open(token, services.ports)
      return claims && codec.encode(claims, cookieName)
    },
  }
}
