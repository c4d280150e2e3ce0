import type { SessionPlan } from '../plan/plan.ts'
import type { Proved } from '../session/proof/fresh.ts'
import { type Need, needOf, type StepUp } from '../session/proof/step-up.ts'

/** Returns a need with as many factors as the account has, unless another number is asked for. */
export async function wholeNeed(
  session: Proved | null,
  asked: StepUp,
  { plugins }: Pick<SessionPlan, 'plugins'>,
): Promise<Need> {
  const userId = session?.facts.userId
  const isOpen = asked.factors === undefined && userId !== undefined
  return needOf(asked, (isOpen ? await plugins?.proofs.factors(userId) : undefined) ?? 1)
}
