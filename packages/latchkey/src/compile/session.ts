import { primitives } from '#crypto'
import type { AuthConfig } from '../options/auth-config.ts'
import { secretsOf, strategyOf } from '../options/validate.ts'
import { databaseSessions } from '../session/database-sessions.ts'
import { createJwtCodec } from '../session/jwt-codec.ts'
import { jwtSessions } from '../session/jwt-sessions.ts'
import type { SessionServices } from '../session/services.ts'
import type { Store } from '../session/store.ts'
import type { SessionStrategy } from '../session/strategy.ts'

/** Seconds: 30 days. */
export const MAX_AGE: number = 30 * 24 * 60 * 60

/** Seconds: one day. */
export const UPDATE_AGE: number = 24 * 60 * 60

/** Chooses how sessions are kept; after this nothing asks which way it is. */
export function compileSession(
  config: AuthConfig,
  services: SessionServices,
  store: Store | undefined,
): SessionStrategy {
  if (strategyOf(config) === 'database' && store) {
    const generate =
      config.session?.generateSessionToken ??
      ((): string => primitives.toBase64url(services.ports.random(32)))
    return databaseSessions(services, store, generate)
  }
  const { jwt = {} } = config
  const own = secretsOf(jwt.secret)
  const codec = createJwtCodec(
    {
      secrets: own.length > 0 ? own : services.secrets,
      maxAge: jwt.maxAge ?? services.maxAge,
      encode: jwt.encode,
      decode: jwt.decode,
    },
    services.ports,
  )
  return jwtSessions(services, codec, store)
}
