import type { KnownFacts, SessionLife } from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/** Claims for the lifetime of a session. Its record has the same members. */
export type LifeClaims = {
  /** The absolute end, in seconds since the epoch. */
  readonly abs?: number
  /** 0 for a session that is not remembered: it ends with the browser, or soon after its last use. */
  readonly per?: 0
}

/** The same of a token or a record, unchecked. */
export type UncheckedLife = Readonly<Record<string, unknown>>

/** Names of the claims of the plugin in a sealed session. */
export const CLAIMS: readonly string[] = ['abs', 'per', 'epo', 'device']

/** The number of extensions of a session that is not remembered, for continuous use. */
const EXTENSIONS = 30

type Ages = Pick<Settings, 'shortMaxAge'>

/** Returns how long a session with these claims lasts from now. @param now in milliseconds since the epoch. */
export function lifeOf(
  { abs, per }: KnownFacts,
  now: number,
  { shortMaxAge }: Ages,
): Required<SessionLife> {
  const isBrief = per === 0
  const short = isBrief ? shortMaxAge : Infinity
  const left = typeof abs === 'number' ? Math.max(0, abs - Math.floor(now / 1000)) : Infinity
  return { maxAge: Math.min(left, short), updateAge: short / EXTENSIONS, isBrief }
}

/** Returns why a sealed session is over by its claims. */
export function whyOver(
  { abs, per, iat }: UncheckedLife,
  now: number,
  { shortMaxAge }: Ages,
): 'absolute' | 'idle' | undefined {
  if (typeof abs === 'number' && abs * 1000 <= now) return 'absolute'
  const isIdle = per === 0 && typeof iat === 'number' && (iat + shortMaxAge) * 1000 <= now
  return isIdle ? 'idle' : undefined
}

/** Returns the end of a session that is written now, limited by its claims, in milliseconds since the epoch. */
export function cutToLife(until: number, claims: LifeClaims, now: number, ages: Ages): number {
  return Math.min(until, (Math.floor(now / 1000) + lifeOf(claims, now, ages).maxAge) * 1000)
}

/** Returns until when a row with this end needs no write, in milliseconds since the epoch. */
export function settledUntil(end: number, { abs, per }: LifeClaims, { shortMaxAge }: Ages): number {
  if (end === (abs ?? 0) * 1000) return end
  if (per !== 0) return 0
  return end - (shortMaxAge - shortMaxAge / EXTENSIONS) * 1000
}
