import { type AttemptSubjects, type AttemptVerdict, Problem } from '../../../entries/plugin.ts'
import type { KnownBrowsers } from '../browsers/known-browser.ts'
import type { Challenges } from '../challenge/challenges.ts'
import { decisionOf } from '../challenge/decide.ts'
import type { Parts } from '../parts.ts'
import type { CountedStep, Counter } from './counter.ts'

/** Seconds after which an attempt may be repeated that the application refused. */
const DECIDED = 60

/** Counts an attempt, and asks for the answer to a challenge if it is suspicious, or the application whether it is allowed. */
export async function attempt(
  name: string,
  { challenge, userId, ...attempting }: AttemptSubjects,
  {
    counter,
    challenges,
    browsers,
    host,
    settings,
  }: Pick<Parts, 'host' | 'settings'> & {
    readonly counter: Counter
    readonly challenges: Challenges | undefined
    readonly browsers: KnownBrowsers
  },
): Promise<AttemptVerdict> {
  const isJudged = challenges !== undefined || settings.hooks.decide !== undefined
  if (!isJudged || challenge === undefined) return counter.count(name, { ...attempting, userId })
  const { request } = attempting
  const counting = await counter.begin(name, attempting)
  const endOf = ({ refusal, isSoft }: CountedStep): CountedStep['refusal'] =>
    isSoft && challenges ? undefined : refusal
  const shared = await counting.shared()
  const first = endOf(shared)
  if (first) return first
  // Before anything is looked up.
  const answer = typeof challenge === 'string' ? challenge : undefined
  const answered = await challenges?.check(name, request, answer)
  const id = typeof userId === 'function' ? await userId() : userId
  const own = await counting.own(id)
  const second = endOf(own)
  if (second) return second
  const suspicion = {
    action: name,
    request,
    identifier: [attempting.identifier].flat()[0],
    isHalfUsed: shared.isHalfUsed || own.isHalfUsed,
    counts: [...shared.counts, ...own.counts],
    isOver: shared.refusal !== undefined || own.refusal !== undefined,
    isKnown: (await browsers.deviceOf(id, request)) !== undefined,
  }
  const judged = await (challenges?.judge(suspicion) ?? decisionOf(suspicion, host, settings))
  if (judged === 'refuse') return { allowed: false, retryAfter: DECIDED, headers: {}, members: {} }
  if (!challenges || judged === 'allow' || answered === 'passed') return { allowed: true }
  if (answered === 'unavailable') {
    throw new Problem('store_unavailable', `the challenge of ${name} cannot be checked`, {
      headers: { 'retry-after': '10' },
    })
  }
  return { allowed: false, challenge: await challenges.ask(name, request) }
}
