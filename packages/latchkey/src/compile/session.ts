import { primitives } from '#crypto'
import type { AuthConfig } from '../options/auth-config.ts'
import { keepSessionsWith } from '../options/markers.ts'
import { secretsOf } from '../options/secrets.ts'
import { strategyOf } from '../options/strategy.ts'
import { NEXT_AUTH_4_COOKIE, nextAuth4Opener } from '../sealing/next-auth-4.ts'
import { databaseSessions } from '../session/database-sessions.ts'
import { acceptingEarlier } from '../session/earlier-sessions.ts'
import { createJwtCodec } from '../session/jwt-codec.ts'
import { jwtSessions } from '../session/jwt-sessions.ts'
import type { SessionServices } from '../session/services.ts'
import type { Store } from '../session/store.ts'
import type { SessionStrategy } from '../session/strategy.ts'
import { tokenSecret } from './session-options.ts'

/** What a configuration may bring along. */
interface Wrapping {
  [keepSessionsWith]?: (kept: SessionStrategy, services: SessionServices) => SessionStrategy
}

/** Chooses how sessions are kept; after this nothing asks which way it is. */
export function compileSession(
  config: AuthConfig & Wrapping,
  services: SessionServices,
  store: Store | undefined,
): SessionStrategy {
  const kept = keptSessions(config, services, store)
  return config[keepSessionsWith]?.(kept, services) ?? kept
}

function keptSessions(
  config: AuthConfig,
  services: SessionServices,
  store: Store | undefined,
): SessionStrategy {
  const accepts = (config.acceptSessionsFrom ?? []).length > 0
  if (strategyOf(config) === 'database' && store) {
    const generate =
      config.session?.generateSessionToken ??
      ((): string => primitives.toBase64url(services.ports.random(32)))
    const ours = databaseSessions(services, store, generate)
    // Their cookie holds the token, and their row is found as the one of Auth.js is.
    const convert = async (token: string): Promise<string> => token
    return accepts
      ? acceptingEarlier(ours, services, { cookie: NEXT_AUTH_4_COOKIE, convert })
      : ours
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
  const ours = jwtSessions(services, codec, store)
  if (!accepts) return ours
  const open = nextAuth4Opener(secretsOf(secret))
  return acceptingEarlier(ours, services, {
    cookie: NEXT_AUTH_4_COOKIE,
    async convert(token, cookieName) {
      const claims = await open(token, services.ports)
      return claims && codec.encode(claims, cookieName)
    },
  })
}
