import { AccountNotLinked } from '../base/errors.ts'
import { type Outcome, redirect } from '../http/outcome.ts'
import type { SiteRequest } from '../http/request.ts'
import type { Plan } from '../plan/plan.ts'
import type { ProvenAccount, Visit } from '../plan/provider.ts'
import { factsAfter } from '../session/proof/step-up.ts'
import { drawCsrf } from './visit.ts'

/**
 * Completes a proof of the signed-in user at a provider: the session gets the new proof, and nothing else changes. The response
 * was bound to the session and the account, and its `auth_time` is not from before the proof began.
 *
 * @throws {AccountNotLinked} if the account is no longer one of the user.
 */
export async function proveAgain(
  { account, claims = {}, cookies }: ProvenAccount,
  request: SiteRequest,
  { callbackUrl }: Pick<Visit, 'callbackUrl'>,
  plan: Plan,
): Promise<Outcome> {
  const { provider, providerAccountId } = account
  const current = await plan.session.current(request)
  const owner = await plan.store?.getAccount(providerAccountId, provider)
  const userId = String(current?.user.id)
  if (!current || owner?.userId !== userId)
    throw new AccountNotLinked('the account was disconnected from the signed-in user meanwhile', {
      provider,
    })
  const further = (await plan.plugins?.proofs.ofProvider({ provider, claims })) ?? []
  const proved = [...new Set(['fed', ...further])]
  const { amr = [], auth_time: authTime = 0 } = factsAfter(
    proved,
    await current.facts.known(),
    plan.ports,
  )
  const written = await plan.session.renew(request, { amr, authTime, proved })
  if (!written) throw new AccountNotLinked('the session has ended', { provider })
  await plan.emit('security', {
    type: 'signin.step-up',
    outcome: 'success',
    userId,
    at: new Date(plan.ports.now()),
  })
  // Forms from before the proof must not work after it.
  const fresh = plan.csrf ? [(await drawCsrf(request, plan)).cookie] : []
  return redirect(callbackUrl, [...written, ...fresh, ...cookies])
}
