import { Problem } from '../../../entries/plugin.ts'
import { readCode, tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Own, Prover } from '../own.ts'
import type { FactorMethod } from '../settings.ts'
import { isMailedCode } from './mail-code.ts'
import { tellOfWrong } from './tell.ts'

/** Wrong codes in a row after which an authenticator is disabled: NIST SP 800-63B-4 section 3.2.2 allows 100. */
const MOST_WRONG = 50

/** A way in which a code is typed. */
export type CodeMethod = Exclude<FactorMethod, 'passkey'>

/** The authentication methods (RFC 8176) that a right code proves. `mfa`: the first factor was proved before. */
export const PROVED: Readonly<Record<CodeMethod, readonly string[]>> = {
  totp: ['otp', 'mfa'],
  recovery: ['recovery', 'mfa'],
  email: ['email', 'mca', 'mfa'],
}

/**
 * Compares a code, and marks it as used. Attempts are counted before.
 *
 * @throws {Problem} `too_many_attempts`, or `invalid_code` for a wrong code.
 */
export async function proveCode(
  method: CodeMethod,
  typed: string,
  prover: Prover,
  own: Own,
): Promise<void> {
  const { host } = own
  const { user, request, sid } = prover
  await host.attempts.count(`two-factor.${method}`, { request, userId: user.id, sid })
  const strikes = host.attempts.strikes(method, MOST_WRONG)
  const isDisabled = await strikes.isDisabled(user.id, request)
  const isRight = !isDisabled && (await isRightCode(method, typed, prover, own))
  if (isRight) return strikes.right(user.id, request)
  const { count, mustTell } = await strikes.wrong(user.id, request)
  await tellSecurity(host, {
    type: 'factor.wrong',
    outcome: 'refused',
    reason: 'invalid_code',
    userId: user.id,
  })
  await tellOfWrong({ count, mustTell }, user, request, own)
  throw new Problem('invalid_code', 'the code is wrong, or was used before')
}

async function isRightCode(
  method: CodeMethod,
  typed: string,
  prover: Prover,
  own: Own,
): Promise<boolean> {
  const { host, totp, recovery } = own
  const { user, request } = prover
  if (method === 'totp') return totp.prove(user.id, readCode(typed, 6) ?? '')
  if (method === 'email') return isMailedCode(typed, prover, own)
  return recovery.take(user.id, typed, {
    signal: request.original.signal,
    isKnownBrowser: await host.attempts.isKnownBrowser(user.id, request),
  })
}
