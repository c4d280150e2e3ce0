import { withProviders } from '../core/compile/providers.ts'
import { withCookies } from '../http/outcome.ts'
import type { PlanGates, SessionPlan } from '../plan/plan.ts'
import type { PluginParts } from '../plugin/plugin.ts'
import { Problem } from '../plugin/problem.ts'
import { finishSignIn } from '../sign-in/establish-session.ts'
import {
  forgetPending,
  keepPending,
  noLongerNew,
  type PendingHost,
  readPending,
  takePending,
  wasNew,
} from '../sign-in/pending.ts'

/**
 * Creates the gates between the proof of identity and the session. @param inOrder the parts of plugins with a gate, in
 * their order.
 */
export function createGates(
  inOrder: readonly Pick<PluginParts, 'atGate'>[],
  host: PendingHost,
  given: SessionPlan,
): PlanGates {
  const gates: PlanGates = {
    async pass(asked, request) {
      const plan = withProviders(given)
      const signIn = (await wasNew(asked, host)) ? { ...asked, isNewUser: true } : asked
      for (const plugin of inOrder) {
        const page = await plugin.atGate?.(signIn, request)
        if (page !== undefined) return keepPending(signIn, page, request, plan, host)
      }
      return signIn
    },
    passed: (signIn) => noLongerNew(signIn, host),
    pending: async (request, tokens) =>
      (await readPending(request, withProviders(given), host, tokens))?.signIn,
    async resume(request, proof = { amr: [] }) {
      const plan = withProviders(given)
      const kept = await takePending(request, plan, host)
      if (!kept)
        throw new Problem(
          'invalid_code',
          'no sign-in in this browser waits for this page; sign in again',
        )
      const amr = [...new Set([...kept.signIn.amr, ...proof.amr])]
      const next = await gates.pass({ ...kept.signIn, amr }, request)
      const end = 'kind' in next ? next : await finishSignIn(next, request, plan)
      return withCookies(end, [forgetPending(request, plan)])
    },
  }
  return gates
}
