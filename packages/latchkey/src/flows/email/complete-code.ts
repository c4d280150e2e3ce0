import { equal } from '../../base/crypto/equal.ts'
import { MissingCSRF, Verification } from '../../base/errors.ts'
import { formText } from '../../http/form.ts'
import { type Outcome, redirect } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { trusted, withParams } from '../../http/safe-url.ts'
import type { VerifiedIdentity, Visit } from '../../plan/provider.ts'
import type { EmailFlow } from './email-flow.ts'
import { type EmailRequest, recallRequest } from './email-request.ts'
import { proveAddress } from './prove-address.ts'
import { hashesOfCode, readCode } from './sign-in-code.ts'

/** Most attempts for the code of one mail. */
const MAIL_LIMIT = 5

/**
 * Checks the code of a mail, in the browser that requested it. The user may correct a wrong code. The link
 * in the mail always works, so that guesses of other people lock nobody out.
 */
export async function completeWithCode(
  flow: EmailFlow,
  request: AuthRequest,
  { csrfVerified }: Visit,
): Promise<VerifiedIdentity | Outcome> {
  if (!csrfVerified)
    throw new MissingCSRF(
      'the form with the code has no CSRF token, or a wrong one; load the page again',
    )
  const asked = await recallRequest(flow, request)
  if (asked?.code === undefined) {
    throw new Verification('this browser requested no code, or the code has expired')
  }
  const code = readCode(formText(request.form, 'code') ?? '')
  // A value that is not a code is wrong without a comparison, so it does not count as an attempt.
  if (code === undefined) return askAgain(flow, request, 'WrongCode')
  if (!(await countAttempts(flow, asked))) return askAgain(flow, request, 'TooManyAttempts')
  const expected = asked.code
  const hashes = await hashesOfCode(flow, code, asked.value)
  if (!hashes.some((candidate) => equal(candidate, expected))) {
    return askAgain(flow, request, 'WrongCode')
  }
  return proveAddress(flow, request, asked.identifier, [asked.value])
}

/** Counts the attempt in the store, before the code is compared, so that other instances and old cookies cannot repeat it. */
async function countAttempts(
  { plan, store, maxAge }: EmailFlow,
  { identifier, value }: EmailRequest,
): Promise<boolean> {
  const now = plan.ports.now()
  const ofMail = await store.countAttempt?.({
    key: `latchkey.code-of-mail:${value}`,
    limit: MAIL_LIMIT,
    now: new Date(now),
    expires: new Date(now + maxAge * 1000),
  })
  if (ofMail !== true) return false
  // Plugins load the same file.
  const { countGuess } = await import('./count-guesses.ts')
  return countGuess({ address: identifier }, store, plan)
}

/** Redirects to the form with the error. */
function askAgain(
  { plan, config }: EmailFlow,
  request: AuthRequest,
  error: 'WrongCode' | 'TooManyAttempts',
): Outcome {
  const why =
    error === 'WrongCode'
      ? 'the code is wrong'
      : 'there were too many attempts with this code; request a new mail'
  plan.logger.error(new Verification(why, { provider: config.id }))
  const params = { provider: config.id, type: 'email', error }
  const to = trusted(withParams(`${request.base}/verify-request`, params))
  return { ...redirect(to), error: { error } }
}
