import type { AttemptVerdict } from '../../plugin/attempts.ts'
import { Problem } from '../../plugin/problem.ts'

/** Returns the problem for an attempt that is refused. */
export function limited(
  name: string,
  verdict: Extract<AttemptVerdict, { allowed: false }>,
): Problem {
  if ('challenge' in verdict) {
    const { challenge } = verdict
    return new Problem('challenge_required', `${name} needs the answer to a challenge`, {
      members: { challenge },
    })
  }
  const { retryAfter, headers, members } = verdict
  return new Problem('too_many_attempts', `the limit of ${name} is reached`, {
    headers: { 'retry-after': String(retryAfter), ...headers },
    members: { ...members, retryAfter },
  })
}
