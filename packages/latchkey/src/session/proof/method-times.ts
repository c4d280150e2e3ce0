import { isJsonObject } from '../../base/encoding/json.ts'
import type { KnownFacts, MethodTimes } from '../facts.ts'
import { factorsOf, isSecondFactor } from './factors.ts'

/** Seconds for which a method that was proved in a session still counts after a further proof. */
const HOLDS = 12 * 60 * 60

/** What a key says about itself is as old as its proof. */
const OF_SECOND: ReadonlySet<string> = new Set(['user', 'hwk', 'swk'])

/** Returns whether a stored value has the times of methods. */
export const isMethodTimes = (value: unknown): value is MethodTimes =>
  isJsonObject(value) && Object.values(value).every((time) => typeof time === 'number')

/** Returns when a method of a session was proved, seconds since the epoch; 0 if nothing says so. */
export function provedAt(
  method: string,
  { auth_time: last = 0, second_time: second = 0, amr_times: times }: KnownFacts,
): number {
  const own = isMethodTimes(times) && Object.hasOwn(times, method) ? times[method] : undefined
  if (own !== undefined) return own
  return OF_SECOND.has(method) || isSecondFactor([method]) ? second : last
}

/** Returns the methods of a session after a further proof: those that were proved now, and those that still count. */
export function methodsAfter(
  proved: readonly string[],
  known: KnownFacts,
  at: number,
): readonly string[] {
  const { amr = [] } = known
  const holds = (method: string): boolean => at - provedAt(method, known) <= HOLDS
  const kept = amr.filter((method) => {
    if (method === 'guest') return false
    // That there were two is counted anew; only a provider can say it of its own proof.
    if (method === 'mfa') return amr.includes('fed') && holds('fed') && holds('mfa')
    return holds(method)
  })
  const all = [...new Set([...kept, ...proved])]
  return factorsOf(all).count === 2 ? [...new Set([...all, 'mfa'])] : all
}

/** Returns the times of the methods that were not proved now. @param after the facts with the new times. */
export function timesAfter(
  proved: readonly string[],
  known: KnownFacts,
  after: Pick<KnownFacts, 'auth_time' | 'second_time' | 'amr'>,
): MethodTimes | undefined {
  const { amr = [] } = after
  const earlier = amr.filter((method) => !proved.includes(method) && known.amr?.includes(method))
  const times = earlier
    .map((method) => [method, provedAt(method, known)] as const)
    .filter(([method, time]) => time !== provedAt(method, { ...after, amr_times: undefined }))
  return times.length > 0 ? Object.fromEntries(times) : undefined
}
