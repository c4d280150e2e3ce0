import { Problem } from '../plugin/problem.ts'
import type { AnswerPage } from '../plugin/route.ts'

/** Returns the refusal of an attempt without the answer to a challenge, with the form that has it; else the error. */
export async function withChallenge(
  error: unknown,
  page: () => Promise<AnswerPage>,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'challenge_required') return error
  const { code, message, headers, members } = error
  return new Problem(code, message, { headers, members, page: await page() })
}
