import { definedOnly } from '../base/encoding/defined-only.ts'
import { type SafeUrl, trusted, withParams } from '../http/safe-url.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { Problem } from '../plugin/problem.ts'
import type { Proved } from '../session/proof/fresh.ts'
import { acrFor, meets, type Need, type StepUp } from '../session/proof/step-up.ts'
import { wholeNeed } from './whole-need.ts'

type NeedPlan = Pick<SessionPlan, 'basePath' | 'ports' | 'plugins'>

/**
 * Checks that a person proved their identity in this session recently.
 *
 * @param asked seconds since the last proof, or also how strong it must be.
 * @throws {Problem} `reauthentication_required`, which redirects people to the page that asks for a proof.
 */
export async function needFresh(
  session: Proved | null,
  asked: number | StepUp,
  callbackUrl: SafeUrl,
  plan: NeedPlan,
): Promise<void> {
  const need = await wholeNeed(session, typeof asked === 'number' ? { maxAge: asked } : asked, plan)
  if (session && (await meets(session, need, plan.ports))) return
  throw new Problem('reauthentication_required', 'the last proof of identity is too old', {
    next: await proofPage(session, need, callbackUrl, plan),
    members: definedOnly({ max_age: need.maxAge, acr_values: acrFor(need) }),
  })
}

/** Returns the page on which a session gets the proof that it needs: the sign-in page, if the user has no other way. */
export async function proofPage(
  session: Proved | null,
  need: Need,
  callbackUrl: SafeUrl,
  { basePath, plugins }: NeedPlan,
): Promise<SafeUrl> {
  const page = session && (await plugins?.proofs.page(session, need, callbackUrl))
  return page ?? trusted(withParams(`${basePath}/signin`, { callbackUrl }))
}
