import { AccessDenied, isAuthError, toError } from '../base/errors.ts'
import type { SignInParams } from '../options/callbacks.ts'
import type { Callbacks } from '../plan/plan.ts'

/**
 * Calls the `signIn` callback.
 *
 * @returns the URL to redirect to instead of signing in; `undefined` if the sign-in continues.
 * @throws {AccessDenied} if the callback refuses or throws.
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
    throw new AccessDenied(
      'the signIn callback returned an Error, a Response or a URL object; return true, false or a URL as a string',
    )
  }
  if (!answer) throw new AccessDenied('the signIn callback refused')
  return undefined
}

/**
 * Returns whether the result of a callback is an error, a response or a URL object, which must not count as consent.
 * Compares the name and not the class: some servers replace the global `Response`, but `fetch` returns the original.
 */
export function isRefusal(answer: unknown): boolean {
  return answer instanceof Error || NAMES.has(Object.prototype.toString.call(answer))
}

const NAMES: ReadonlySet<string> = new Set(['[object Error]', '[object Response]', '[object URL]'])
