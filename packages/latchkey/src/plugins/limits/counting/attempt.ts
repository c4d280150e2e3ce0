import { type AttemptSubjects, type AttemptVerdict, Problem } from '../../../entries/plugin.ts'
import type { KnownBrowsers } from '../browsers/known-browser.ts'
import type { Challenges } from '../challenge/challenges.ts'
import type { Counter } from './counter.ts'

/** Seconds after which an attempt may be repeated that the application refused. */
const DECIDED = 60

/** Counts an attempt, and asks for the answer to a challenge if it is suspicious. */
export async function attempt(
  name: string,
  { challenge, userId, ...attempting }: AttemptSubjects,
  {
    counter,
    challenges,
    browsers,
  }: {
    readonly counter: Counter
    readonly challenges: Challenges | undefined
    readonly browsers: KnownBrowsers
  },
): Promise<AttemptVerdict> {
  if (!challenges || challenge === undefined) return counter.count(name, { ...attempting, userId })
  const { request } = attempting
  const counting = await counter.begin(name, attempting)
  const shared = await counting.shared()
  if (shared.refusal && !shared.isSoft) return shared.refusal
  // Before anything is looked up.
  const answer = typeof challenge === 'string' ? challenge : undefined
  const answered = await challenges.check(name, request, answer)
  const id = typeof userId === 'function' ? await userId() : userId
  const own = await counting.own(id)
  if (own.refusal && !own.isSoft) return own.refusal
  const judged = await challenges.judge({
    action: name,
    request,
    identifier: [attempting.identifier].flat()[0],
    isHalfUsed: shared.isHalfUsed || own.isHalfUsed,
    isOver: shared.refusal !== undefined || own.refusal !== undefined,
    isKnown: (await browsers.deviceOf(id, request)) !== undefined,
  })
  if (judged === 'refuse') return { allowed: false, retryAfter: DECIDED, headers: {}, members: {} }
  if (judged === 'allow' || answered === 'passed') return { allowed: true }
  if (answered === 'unavailable') {
    throw new Problem('store_unavailable', `the challenge of ${name} cannot be checked`, {
      headers: { 'retry-after': '10' },
    })
  }
  return { allowed: false, challenge: await challenges.ask(name, request) }
}
