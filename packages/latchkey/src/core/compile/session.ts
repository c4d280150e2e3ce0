import { primitives } from '#crypto'
import type { AuthConfig } from '../../options/auth-config.ts'
import { stateCookieWith } from '../../options/markers.ts'
import { secretsOf } from '../../options/secrets.ts'
import { strategyOf } from '../../options/strategy.ts'
import type { PluginSessions } from '../../plan/plan.ts'
import { nextAuth4Opener } from '../../protocols/sealing/next-auth-4.ts'
import { cookieCarrier } from '../../session/carriers/cookie.ts'
import { nextAuth4Carrier } from '../../session/carriers/next-auth-4.ts'
import type { stateCookie } from '../../session/carriers/state-cookie.ts'
import { databaseSessions } from '../../session/keeping/database-sessions.ts'
import { createJwtCodec } from '../../session/keeping/jwt-codec.ts'
import { jwtSessions } from '../../session/keeping/jwt-sessions.ts'
import type { Keeping } from '../../session/keeping.ts'
import type { SessionServices } from '../../session/services.ts'
import { createSessions, type Sessions } from '../../session/sessions.ts'
import type { Store } from '../../store/store.ts'
import { tokenSecret } from './session-options.ts'

/** Members of a configuration that change how sessions are carried. */
interface Marked {
  [stateCookieWith]?: typeof stateCookie
}

/**
 * Creates the sessions of a configuration. No other code depends on how they are carried and kept.
 *
 * @param plugins their carriers are tried before the cookies.
 */
export function compileSession(
  config: AuthConfig & Marked,
  services: SessionServices,
  store: Store | undefined,
  plugins?: Pick<PluginSessions, 'carriers' | 'elsewhere'>,
): Sessions {
  const { cookies, logger, watch, emit } = services
  const keeping = compileKeeping(config, services, store)
  const options = {
    specOf: ({ secure }: { secure: boolean }) => cookies(secure).sessionToken,
    isInPieces: keeping.name === 'jwt',
    logger,
  }
  const cookie = cookieCarrier(options)
  const earlier = config.acceptSessionsFrom?.length ? [nextAuth4Carrier(cookie, options)] : []
  return createSessions({
    keeping,
    carriers: [...(plugins?.carriers ?? []), cookie, ...earlier],
    cookie,
    stateCookie: config[stateCookieWith]?.(services),
    elsewhere: plugins?.elsewhere,
    logger,
    watch,
    emit,
  })
}

function compileKeeping(
  config: AuthConfig,
  services: SessionServices,
  store: Store | undefined,
): Keeping {
  const { ports, tokenMaxAge, cookies } = services
  if (strategyOf(config) === 'database' && store) {
    const generate =
      config.session?.generateSessionToken ??
      ((): string => primitives.toBase64url(ports.random(32)))
    return databaseSessions(services, store, generate)
  }
  const { encode, decode } = config.jwt ?? {}
  const secret = tokenSecret(config, config.secret ?? [])
  let openEarlier: ReturnType<typeof nextAuth4Opener> | undefined
  return jwtSessions({
    ...services,
    codec: createJwtCodec({ secret, maxAge: tokenMaxAge, encode, decode }, ports),
    store,
    saltOf: (secure) => cookies(secure).sessionToken.name,
    async openEarlier(value) {
      openEarlier ??= nextAuth4Opener(secretsOf(secret))
      return openEarlier(value, ports)
    },
  })
}
