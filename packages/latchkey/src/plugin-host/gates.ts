import { definedOnly } from '../base/encoding/defined-only.ts'
import type { Ports } from '../base/ports.ts'
import { withProviders } from '../core/compile/providers.ts'
import { withCookies } from '../http/outcome.ts'
import type { PlanGates, SessionPlan } from '../plan/plan.ts'
import type { PendingSignIn } from '../plugin/hooks.ts'
import type { GateProof } from '../plugin/host-groups.ts'
import type { PluginParts } from '../plugin/plugin.ts'
import { Problem } from '../plugin/problem.ts'
import { isSecondFactor } from '../session/proof/factors.ts'
import { timesAfter } from '../session/proof/method-times.ts'
import { finishSignIn } from '../sign-in/establish-session.ts'
import {
  forgetPending,
  type KeptSignIn,
  keepPending,
  noLongerNew,
  type PendingHost,
  readPending,
  takePending,
  wasNew,
} from '../sign-in/pending.ts'

/** The gate of a plugin. */
export interface Gate {
  readonly name: string
  atGate(
    ...asked: Parameters<NonNullable<PluginParts['atGate']>>
  ): ReturnType<NonNullable<PluginParts['atGate']>>
}

/**
 * Creates the gates between the proof of identity and the session. @param inOrder the gates of plugins, in
 * their order.
 */
export function createGates(
  inOrder: readonly Gate[],
  host: PendingHost,
  given: SessionPlan,
): PlanGates {
  const gates: PlanGates = {
    async pass(asked, request) {
      const plan = withProviders(given)
      const signIn = (await wasNew(asked, host)) ? { ...asked, isNewUser: true } : asked
      for (const { name, atGate } of inOrder) {
        const page = await atGate(signIn, request)
        if (page !== undefined)
          return keepPending(signIn, { page, gate: name }, request, plan, host)
      }
      return signIn
    },
    passed: (signIn) => noLongerNew(signIn, host),
    async pending(plugin, request, tokens) {
      const kept = await readPending(request, withProviders(given), host, tokens)
      // A step is open only to the plugin at whose gate the sign-in waits, so that nobody skips the gates before it.
      if (!kept || (kept.gate !== undefined && kept.gate !== plugin)) return undefined
      // Without a session at its end, no step changes the account either.
      return (await isUnchanged(kept, given)) ? kept.signIn : undefined
    },
    async leave(request) {
      const plan = withProviders(given)
      return (await takePending(request, plan, host)) ? [forgetPending(request, plan)] : []
    },
    async resume(request, proof: GateProof = { amr: [] }) {
      const plan = withProviders(given)
      const kept = await takePending(request, plan, host)
      if (!kept)
        throw new Problem(
          'invalid_code',
          'no sign-in in this browser waits for this page; sign in again',
        )
      const amr = [...new Set([...kept.signIn.amr, ...proof.amr])]
      const browser = { ...kept.signIn.browser, ...proof.browser }
      const next = await gates.pass(
        { ...kept.signIn, amr, browser, ...timesOf(kept.signIn, proof, plan.ports) },
        request,
      )
      const end = 'kind' in next ? next : await finishSignIn(next, request, plan)
      return withCookies(end, [forgetPending(request, plan)])
    },
  }
  return gates
}

/** Returns whether a sign-in can still begin a session: the sessions of the user were not ended meanwhile, for example. */
async function isUnchanged(
  { signIn: { user }, unchanged }: KeptSignIn,
  { watch }: Pick<SessionPlan, 'watch'>,
): Promise<boolean> {
  const now = user.id === undefined ? {} : ((await watch?.beforeProof(String(user.id))) ?? {})
  return Object.entries(unchanged).every(
    ([name, value]) => !(name in now) || JSON.stringify(now[name]) === JSON.stringify(value),
  )
}

/** Returns the times of a sign-in after a proof at a gate. */
function timesOf(
  { amr, authTime, methodTimes, ...signIn }: PendingSignIn,
  proof: Pick<PendingSignIn, 'amr'>,
  { now }: Ports,
): Pick<PendingSignIn, 'authTime' | 'secondTime' | 'methodTimes'> {
  const { secondTime = isSecondFactor(amr) ? authTime : undefined } = signIn
  if (proof.amr.length === 0) return { authTime, secondTime, methodTimes }
  const at = Math.floor(now() / 1000)
  const second = isSecondFactor(proof.amr) ? at : secondTime
  const known = { amr, auth_time: authTime, amr_times: methodTimes }
  return {
    authTime: at,
    secondTime: second,
    // The first factor is as old as it was.
    methodTimes: timesAfter(
      proof.amr,
      { ...known, ...definedOnly({ second_time: secondTime }) },
      { amr, auth_time: at, ...definedOnly({ second_time: second }) },
    ),
  }
}
