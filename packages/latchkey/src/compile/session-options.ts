import type { AuthConfig } from '../options/auth-config.ts'
import { secretsOf } from '../options/validate.ts'

type Secret = string | readonly string[]

const DAY = 24 * 60 * 60

/**
 * How long a session lives without a visit, and within which time it is written at most once; both
 * in seconds. A day between two writes would never extend a session that lives for a day or less:
 * those are written thirty times in their life, as one of thirty days is.
 */
export function sessionAges({ session = {} }: AuthConfig): { maxAge: number; updateAge: number } {
  const { maxAge = 30 * DAY } = session
  const { updateAge = maxAge > DAY ? DAY : Math.floor(maxAge / 30) } = session
  return { maxAge, updateAge }
}

/** The secret of session tokens, their own if they have one: as it is given, text or a list. */
export function tokenSecret({ jwt }: AuthConfig, otherwise: Secret): Secret {
  return jwt?.secret && secretsOf(jwt.secret).length > 0 ? jwt.secret : otherwise
}
