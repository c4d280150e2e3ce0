import { loadOnce } from '../../base/once.ts'
import type { PlanProofs, SessionPlan } from '../../plan/plan.ts'
import type { AllProofs } from './ways.ts'

/** Creates what the rest of the library knows of the ways in which users prove their identity again. */
export function createProofs(all: () => AllProofs, plan: SessionPlan): PlanProofs {
  return {
    get hasWays() {
      return all().ways.length > 0
    },
    async factors(userId) {
      for (const each of all().proofs) if ((await each.factors?.(userId)) === 2) return 2
      return 1
    },
    async ofProvider(proof) {
      const said = all().proofs.map(async (each) => (await each.ofProvider?.(proof)) ?? [])
      return (await Promise.all(said)).flat()
    },
    askOfProvider: (provider) =>
      all().proofs.flatMap((each) => each.askOfProvider?.(provider) ?? []),
    async page(...asked) {
      if (all().ways.length === 0) return undefined
      return (await loadPage()).pageFor(...asked, { all, plan })
    },
  }
}

const loadPage = loadOnce(() => import('./page.ts'))
