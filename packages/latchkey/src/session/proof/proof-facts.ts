import { definedOnly } from '../../base/encoding/defined-only.ts'
import type { KnownFacts, MethodTimes } from '../facts.ts'
import type { FurtherProof, Renewal } from '../strategy.ts'
import { acrOf, isSecondFactor } from './factors.ts'
import { methodsAfter, timesAfter } from './method-times.ts'

/** What a session says about the proof of identity. */
export type ProofFacts = {
  readonly auth_time: number
  readonly second_time?: number
  readonly amr: readonly string[]
  readonly amr_times?: MethodTimes
  readonly acr: string
}

/** Returns what a session says about a proof. */
export function provedBy({ amr, authTime, secondTime, methodTimes }: Renewal): ProofFacts {
  const second = secondTime ?? (isSecondFactor(amr) ? authTime : undefined)
  return {
    auth_time: authTime,
    ...definedOnly({ second_time: second || undefined, amr_times: methodTimes }),
    amr,
    acr: acrOf(amr),
  }
}

/** Returns the proof of a session after a further one. What was not proved now keeps its time, and ends with it. */
export function renewalOf(
  { amr: given, authTime, described, proved }: FurtherProof,
  known: KnownFacts,
): Renewal {
  const isPart = proved !== undefined && proved.length > 0
  const amr = isPart ? methodsAfter(proved, { ...known, amr: given }, authTime) : given
  const now = proved ?? given
  // With 0 instead of `undefined`, a method of the session that was not proved now is not taken for one.
  const secondTime = isSecondFactor(now) ? authTime : (known.second_time ?? 0)
  const after = { auth_time: authTime, second_time: secondTime, amr }
  return { amr, authTime, described, secondTime, methodTimes: timesAfter(now, known, after) }
}
