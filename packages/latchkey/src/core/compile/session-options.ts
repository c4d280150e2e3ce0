import type { AuthConfig } from '../../options/auth-config.ts'
import { secretsOf } from '../../options/secrets.ts'
import { strategyOf } from '../../options/strategy.ts'

type Secret = string | readonly string[]

const DAY = 24 * 60 * 60

/** Lifetimes of sessions, in seconds. */
export interface SessionAges {
  /** After this time without use, a session expires. */
  readonly maxAge: number
  /** A sealed token expires this long after it was written. */
  readonly tokenMaxAge: number
  /** The period in which a session is written at most once. */
  readonly updateAge: number
}

/**
 * Returns the lifetimes of sessions, and how often they are extended.
 *
 * By default a session is extended once a day. A session that lives for a day or less is extended thirty times in its
 * lifetime, as one of thirty days is. Its lifetime is the shortest of those of the session, its token and its cookie.
 * For any `updateAge`, a visit in the second half of that lifetime extends it, so a session with frequent visits does
 * not end.
 */
export function sessionAges(config: AuthConfig): SessionAges {
  const { session, jwt, cookies } = config
  const maxAge = session?.maxAge ?? 30 * DAY
  const tokenMaxAge = jwt?.maxAge ?? maxAge
  const life = Math.min(
    maxAge,
    strategyOf(config) === 'jwt' ? tokenMaxAge : maxAge,
    cookies?.sessionToken?.options?.maxAge ?? maxAge,
  )
  const updateAge = session?.updateAge ?? (life > DAY ? DAY : life / 30)
  return { maxAge, tokenMaxAge, updateAge: Math.min(updateAge, life / 2) }
}

/** Returns the secret of session tokens as configured: `jwt.secret`, or the general one. */
export function tokenSecret({ jwt }: AuthConfig, otherwise: Secret): Secret {
  return jwt?.secret && secretsOf(jwt.secret).length > 0 ? jwt.secret : otherwise
}
