import { equal } from '../../crypto/equal.ts'
import { lowerCase } from '../../encoding/lower-case.ts'
import { MissingCSRF, Verification } from '../../errors.ts'
import { hash } from '../../http/csrf-token.ts'
import { formText } from '../../http/form.ts'
import { trusted, withParams } from '../../http/safe-url.ts'
import { type Outcome, redirect } from '../../outcome.ts'
import type { VerifiedIdentity, Visit } from '../../provider.ts'
import type { AuthRequest } from '../../request.ts'
import type { EmailFlow } from './email-flow.ts'
import { type EmailRequest, recallRequest } from './email-request.ts'
import { proveAddress } from './prove-address.ts'
import { hashesOfCode, readCode } from './sign-in-code.ts'

/** Attempts at the code of one mail. */
const MAIL_LIMIT = 5

/** Attempts at the codes of one address within {@link ADDRESS_PERIOD}: a guesser wins less than 1 in 10^5. */
const ADDRESS_LIMIT = 10

/** Milliseconds. */
const ADDRESS_PERIOD: number = 24 * 60 * 60 * 1000

/**
 * Takes the code of a mail, in the browser that asked for it. A wrong one may be corrected; the link
 * in the mail works in any case, so that nobody is locked out by somebody else's guesses.
 */
export async function completeWithCode(
  flow: EmailFlow,
  request: AuthRequest,
  { csrfVerified }: Visit,
): Promise<VerifiedIdentity | Outcome> {
  if (!csrfVerified) throw new MissingCSRF('the form of the code came without its CSRF token')
  const asked = await recallRequest(flow, request)
  if (asked?.code === undefined) {
    throw new Verification('this browser asked for no code, or that code has expired')
  }
  const code = readCode(formText(request.form, 'code') ?? '')
  // What is no code is wrong without a comparison, so it costs no attempt.
  if (code === undefined) return askAgain(flow, request, 'WrongCode')
  if (!(await countAttempts(flow, asked))) return askAgain(flow, request, 'TooManyAttempts')
  const expected = asked.code
  const hashes = await hashesOfCode(flow, code, asked.value)
  if (!hashes.some((candidate) => equal(candidate, expected))) {
    return askAgain(flow, request, 'WrongCode')
  }
  return proveAddress(flow, request, asked.identifier, [asked.value])
}

/** Before the code is compared, and in the store: no second node and no old cookie gives an attempt back. */
async function countAttempts(
  { plan, store, maxAge }: EmailFlow,
  { identifier, value }: EmailRequest,
): Promise<boolean> {
  const { countAttempt } = store
  if (!countAttempt) return false
  const at = plan.ports.now()
  const now = new Date(at)
  const secret = plan.secrets[0] ?? ''
  // Users are found regardless of letter case, and by a store of others perhaps by still other spellings.
  const address = await hash(`code of ${lowerCase(identifier)}`, secret)
  const user = await store.getUserByEmail(identifier)
  const owner = user && (await hash(`code of user ${user.id}`, secret))
  const counts = (key: string, limit: number, milliseconds: number): Promise<boolean> =>
    countAttempt({ key, limit, now, expires: new Date(at + milliseconds) })
  return (
    (await counts(`latchkey.code-of-mail:${value}`, MAIL_LIMIT, maxAge * 1000)) &&
    (await counts(`latchkey.code-of-address:${address}`, ADDRESS_LIMIT, ADDRESS_PERIOD)) &&
    (!owner || counts(`latchkey.code-of-user:${owner}`, ADDRESS_LIMIT, ADDRESS_PERIOD))
  )
}

/** Back to the form, with a reason. */
function askAgain(
  { plan, config }: EmailFlow,
  request: AuthRequest,
  error: 'WrongCode' | 'TooManyAttempts',
): Outcome {
  const why = error === 'WrongCode' ? 'the code is wrong' : 'the attempts at the code are used up'
  plan.logger.error(new Verification(why, { provider: config.id }))
  const params = { provider: config.id, type: 'email', error }
  const to = trusted(withParams(`${request.base}/verify-request`, params))
  return { ...redirect(to), error: { error } }
}
