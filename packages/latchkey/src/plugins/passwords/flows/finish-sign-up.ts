import { type Answer, type Call, Problem, type SafeUrl } from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { PROVIDER } from '../provider.ts'
import type { PendingSignUp } from '../records/sign-ups.ts'
import { createUser, tellCreated } from './create-user.ts'

/** A sign-up whose address is proved now. */
export interface ProvenSignUp {
  readonly email: string
  readonly signUp: PendingSignUp
  /** The hash of the password: that of the sign-up, or of one that was chosen where the link was opened. */
  readonly phc: string
  readonly callbackUrl: SafeUrl
}

/**
 * Creates the user and the password, and signs in. The record of the sign-up was taken, so only one call comes here.
 *
 * @throws {Problem} `invalid_code` if the address has a user by now; nothing of the sign-up is given to that user.
 */
export async function finishSignUp(
  proven: ProvenSignUp,
  call: Pick<Call, 'request'>,
  own: Own,
): Promise<{ readonly answer: Answer; readonly userId: string }> {
  const { host } = own
  const { email } = proven
  const { signUp, phc } = proven
  const { extra = {}, name, username, flow } = signUp
  const emailVerified = new Date(host.ports.now())
  const user = await createUser({ email, emailVerified, name, username, flow, phc }, own)
  await tellCreated(user, extra, host)
  for (const type of ['address.proved', 'signup.finished'] as const)
    await tellSecurity(host, { type, outcome: 'success', userId: user.id })
  const before = await host.sessions.beforeProof(user.id)
  const { request } = call
  try {
    const answer = await host.sessions.establish(
      { request, callbackUrl: proven.callbackUrl },
      { user, amr: ['pwd', 'email'], before, provider: PROVIDER, isNewUser: true },
    )
    return { answer, userId: user.id }
  } catch (error) {
    // The application does not let this person in, so there is nobody.
    if (error instanceof Problem && error.code === 'forbidden')
      await host.store?.deleteUser(user.id)
    throw error
  }
}
