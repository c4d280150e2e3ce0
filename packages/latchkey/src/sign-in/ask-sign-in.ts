import { AccessDenied, isAuthError, toError } from '../errors.ts'
import type { SignInParams } from '../options/callbacks.ts'
import type { Callbacks } from '../plan.ts'

/**
 * Asks the application whether this person may sign in.
 *
 * @returns where to send them instead; `undefined` to go on.
 * @throws {AccessDenied} when it says no, or fails.
 */
export async function askSignIn(
  params: SignInParams,
  callbacks: Pick<Callbacks, 'signIn'>,
): Promise<string | undefined> {
  let answer: boolean | string
  try {
    answer = await callbacks.signIn(params)
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new AccessDenied(toError(error))
  }
  if (typeof answer === 'string' && answer !== '') return answer
  if (isRefusal(answer)) {
    throw new AccessDenied('the signIn callback returned an error or an answer, which is no yes')
  }
  if (!answer) throw new AccessDenied('the signIn callback refused')
  return undefined
}

/**
 * Returns whether an answer means no, or somewhere else: an error, the answer of a server, an address. By name and not
 * by class: some servers put a `Response` of their own in the place of the runtime's, from which `fetch` answers
 * with the latter all the same.
 */
export function isRefusal(answer: unknown): boolean {
  return answer instanceof Error || NAMES.has(Object.prototype.toString.call(answer))
}

const NAMES: ReadonlySet<string> = new Set(['[object Error]', '[object Response]', '[object URL]'])
