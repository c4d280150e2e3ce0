import type { KnownFacts, SessionLife } from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/** Claims that say how long a session goes on; its record has the same. */
export type LifeClaims = {
  /** When it ends, however much it is used; seconds since the epoch. */
  readonly abs?: number
  /** 0: it is not remembered, and ends with the browser, or soon after nobody uses it. */
  readonly per?: 0
}

/** Names of the claims that a sealed session has of the plugin. */
export const CLAIMS: readonly string[] = ['abs', 'per', 'epo']

/** How many times a session that is not remembered is extended at most while nobody pauses. */
const EXTENSIONS = 30

type Ages = Pick<Settings, 'shortMaxAge'>

/** How long a session with these claims goes on from now. @param now milliseconds since the epoch. */
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

/** Why a sealed session is over, whatever its token says. */
export function whyOver(
  { abs, per, iat }: KnownFacts,
  now: number,
  { shortMaxAge }: Ages,
): 'absolute' | 'idle' | undefined {
  if (typeof abs === 'number' && abs * 1000 <= now) return 'absolute'
  const isIdle = per === 0 && typeof iat === 'number' && (iat + shortMaxAge) * 1000 <= now
  return isIdle ? 'idle' : undefined
}

/** When a session ends that would go on until then, and is written now; milliseconds since the epoch. */
export function cutToLife(until: number, claims: LifeClaims, now: number, ages: Ages): number {
  return Math.min(until, (Math.floor(now / 1000) + lifeOf(claims, now, ages).maxAge) * 1000)
}

/** Until when a row that ends then need not be written again; milliseconds since the epoch. */
export function settledUntil(end: number, { abs, per }: LifeClaims, { shortMaxAge }: Ages): number {
  if (end === (abs ?? 0) * 1000) return end
  if (per !== 0) return 0
  return end - (shortMaxAge - shortMaxAge / EXTENSIONS) * 1000
}
