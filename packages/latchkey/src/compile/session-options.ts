import type { AuthConfig } from '../options/auth-config.ts'
import { secretsOf } from '../options/secrets.ts'

type Secret = string | readonly string[]

const DAY = 24 * 60 * 60

/**
 * How long a session lives without a visit, and within which time it is written at most once; both
 * in seconds. A day between two writes would never extend a session that lives for a day or less:
 * those are written thirty times in their life, as one of thirty days is. So are those whose cookie
 * is made to live shorter: a visit is to extend it, too.
 */
export function sessionAges({ session, cookies }: AuthConfig): {
  maxAge: number
  updateAge: number
} {
  const maxAge = session?.maxAge ?? 30 * DAY
  const life = Math.min(maxAge, cookies?.sessionToken?.options?.maxAge ?? maxAge)
  return { maxAge, updateAge: session?.updateAge ?? (life > DAY ? DAY : life / 30) }
}

/** The secret of session tokens, their own if they have one: as it is given, text or a list. */
export function tokenSecret({ jwt }: AuthConfig, otherwise: Secret): Secret {
  return jwt?.secret && secretsOf(jwt.secret).length > 0 ? jwt.secret : otherwise
}
