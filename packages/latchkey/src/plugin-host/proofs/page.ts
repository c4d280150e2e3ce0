import type { SafeUrl } from '../../http/safe-url.ts'
import { trusted, withParams } from '../../http/safe-url.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { AskedProof } from '../../plugin/proofs.ts'
import type { KnownFacts } from '../../session/facts.ts'
import { isSecondFactor } from '../../session/proof/factors.ts'
import type { Proved } from '../../session/proof/fresh.ts'
import { factsAfter, isMet, type Need } from '../../session/proof/step-up.ts'
import { passkeyWays } from './passkey-way.ts'
import { providerWays } from './provider-way.ts'
import { sealNeed } from './sealed-need.ts'
import type { AllProofs, WayOfPlugin } from './ways.ts'

export const PATH = 'reauthenticate'

/** What the routes share. */
export interface ProofsOf {
  readonly all: () => AllProofs
  readonly plan: SessionPlan
}

/** Returns the page on which a user proves what a step needs; `undefined` if the user has no way. */
export async function pageFor(
  session: Proved,
  need: Need,
  to: SafeUrl,
  proofs: ProofsOf,
): Promise<SafeUrl | undefined> {
  const { plan } = proofs
  const { userId } = session.facts
  if (session.holder !== undefined || userId === undefined) return undefined
  const user = await plan.store?.getUser(userId)
  const { act, amr } = await session.facts.known()
  if (!user || act !== undefined) return undefined
  for (const way of everyWay(proofs)) {
    if (!(await way.has({ user, factors: 1, amr }))) continue
    const sealed = await sealNeed({ need, to }, userId, plan)
    return trusted(withParams(`${plan.basePath}/${PATH}`, { for: sealed, callbackUrl: to }))
  }
  return undefined
}

function everyWay({ all, plan }: ProofsOf): readonly WayOfPlugin[] {
  return [...passkeyWays(plan), ...all().ways, ...providerWays(plan)]
}

/** The strongest first. */
const RANKS: readonly string[] = ['pop', 'otp', 'recovery', 'pwd', 'sms', 'email', 'fed']

function rankOf({ amr }: WayOfPlugin): number {
  const ranks = amr.map((method) => RANKS.indexOf(method)).filter((rank) => rank >= 0)
  // A recovery code is for those who lost everything else.
  return amr.includes('recovery') ? RANKS.length : Math.min(RANKS.length, ...ranks)
}

/** Returns the ways of a user that bring a session closer to a need, the strongest first. */
export async function waysFor(
  asked: Pick<AskedProof, 'user' | 'factors'>,
  known: KnownFacts,
  need: Need,
  proofs: ProofsOf,
): Promise<readonly WayOfPlugin[]> {
  const { ports } = proofs.plan
  const all = everyWay(proofs)
  const had = await Promise.all(all.map((way) => way.has({ ...asked, amr: known.amr })))
  const ways = all.filter((_, at) => had[at]).toSorted((one, other) => rankOf(one) - rankOf(other))
  const enough = ways.filter(({ amr }) => isEnough(amr, known, need, ports))
  if (enough.length > 0) return enough
  // Both factors are too old: the second one first, and the other one after it.
  return ways.filter(
    ({ amr }) =>
      isSecondFactor(amr) &&
      ways.some((other) => isEnough([...amr, ...other.amr], known, need, ports)),
  )
}

function isEnough(
  amr: readonly string[],
  known: KnownFacts,
  need: Need,
  ports: SessionPlan['ports'],
): boolean {
  return isMet(factsAfter(amr, known, ports), need, ports)
}
