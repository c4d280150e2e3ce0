import type { KnownFacts } from '../../session/facts.ts'
import type { SessionLife } from '../../session/watch.ts'

/** Claims that say how long a session goes on; its record has the same. */
export type LifeClaims = {
  /** When it ends, however much it is used; seconds since the epoch. */
  readonly abs?: number
}

export const LIFE_CLAIMS: readonly string[] = ['abs']

/** How long a session with these claims goes on from now. @param now milliseconds since the epoch. */
export function lifeOf({ abs }: KnownFacts, now: number): SessionLife {
  if (typeof abs !== 'number') return {}
  return { maxAge: Math.max(0, abs - Math.floor(now / 1000)) }
}

/** Is it over for good? */
export function isOverForGood({ abs }: KnownFacts, now: number): boolean {
  return typeof abs === 'number' && abs * 1000 <= now
}

/** When a session ends that would go on until then, and is written now; milliseconds since the epoch. */
export function cutToLife(until: number, claims: LifeClaims, now: number): number {
  const { maxAge = Infinity } = lifeOf(claims, now)
  return Math.min(until, (Math.floor(now / 1000) + maxAge) * 1000)
}
