import { isJsonObject } from '../../base/encoding/json.ts'
import { type SafeUrl, trusted } from '../../http/safe-url.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import { Problem } from '../../plugin/problem.ts'
import type { Need } from '../../session/proof/step-up.ts'

/** What a step needs, and where it goes on. */
export interface AskedNeed {
  readonly need: Need
  readonly to: SafeUrl
}

const PURPOSE = 'latchkey.reauthenticate'

/** Seconds within which the user has to prove it. */
const MAX_AGE = 15 * 60

type SealPlan = Pick<SessionPlan, 'ports' | 'sealer'>

/** Seals a need with its target for one user, so that nothing in an address can lower it. */
export async function sealNeed(
  { need, to }: AskedNeed,
  userId: string,
  { sealer, ports }: SealPlan,
): Promise<string> {
  const { maxAge = null, factors, phishingResistant } = need
  return sealer(PURPOSE).seal(
    { sub: userId, to, need: { maxAge, factors, phishingResistant } },
    MAX_AGE,
    ports,
  )
}

/** @throws {Problem} `invalid_code` if it was changed, has expired or belongs to another user. */
export async function openNeed(
  sealed: string,
  userId: string,
  { sealer, ports }: SealPlan,
): Promise<AskedNeed> {
  const { sub, to, need, exp } = (await sealer(PURPOSE).open(sealed, ports))?.claims ?? {}
  // It was sealed here, so no other clock has a say.
  const isOver = typeof exp !== 'number' || exp * 1000 <= ports.now()
  if (isOver || sub !== userId || typeof to !== 'string' || !isJsonObject(need))
    throw new Problem('invalid_code', 'the need was changed, has expired or is for another user')
  const { maxAge, factors, phishingResistant } = need
  return {
    to: trusted(to),
    need: {
      maxAge: typeof maxAge === 'number' ? maxAge : undefined,
      factors: factors === 2 ? 2 : 1,
      phishingResistant: phishingResistant === true,
    },
  }
}
