import { loadOnce } from '../../base/once.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type {
  AttemptSubjects,
  AttemptVerdict,
  HostAttempts,
  LimitRules,
  Strikes,
} from '../../plugin/attempts.ts'
import type { Limiter } from '../../plugin/provides.ts'
import type { AnyPlugin } from '../parts.ts'
import { limited } from './limited.ts'

const noStrikes: Strikes = {
  isDisabled: async () => false,
  wrong: async () => ({ mustTell: false, count: 0 }),
  right: async () => undefined,
  clear: async () => undefined,
}

/** Creates what plugins know of limits. Without a plugin that limits, every attempt is allowed. */
export function createAttempts(
  limiter: () => Limiter | undefined,
  plan: SessionPlan,
): HostAttempts {
  return {
    get areLimited() {
      return limiter() !== undefined
    },
    async count(name, subjects) {
      const { isProven = subjects.request.method === 'POST' } = subjects
      const verdict = await verdictOf(name, { ...subjects, isProven }, limiter())
      if (!verdict.allowed) throw limited(name, verdict)
    },
    challenge: async (...asked) => limiter()?.challenge?.(...asked),
    failed: async () => limiter()?.failed?.(),
    isDisposable: async (address) => (await limiter()?.isDisposable?.(address)) ?? false,
    isKnownBrowser: async (...asked) => (await limiter()?.isKnownBrowser?.(...asked)) ?? false,
    browserOf: async (...asked) => limiter()?.browserOf?.(...asked),
    poolOf: async (...asked) => limiter()?.poolOf?.(...asked),
    forgetBrowsers: async (...asked) => limiter()?.forgetBrowsers?.(...asked),
    mayMail: async (...asked) => (await limiter()?.mayMail?.(...asked)) ?? true,
    async guessCode({ request, ...guess }, rule) {
      const { countGuess } = await loadGuesses()
      const browserOf = async (userId: string): Promise<string | undefined> =>
        limiter()?.poolOf?.(userId, request)
      return plan.store !== undefined && countGuess({ ...guess, browserOf }, plan.store, plan, rule)
    },
    strikes: (...asked) => limiter()?.strikes?.(...asked) ?? noStrikes,
  }
}

const loadGuesses = loadOnce(() => import('../../flows/email/count-guesses.ts'))

/** A limiter of an application may know neither challenges nor look-ups. */
async function verdictOf(
  name: string,
  subjects: AttemptSubjects,
  limiter: Limiter | undefined,
): Promise<AttemptVerdict> {
  if (!limiter) return { allowed: true }
  if (limiter.attempt) return limiter.attempt(name, subjects)
  const { userId, challenge: _, ...rest } = subjects
  const id = typeof userId === 'function' ? await userId() : userId
  return limiter.count(name, { ...rest, userId: id })
}

/** Returns the rules that plugins have for their actions. */
export function limitRulesOf(plugins: readonly Pick<AnyPlugin, 'limits'>[]): LimitRules {
  return Object.assign({}, ...plugins.map(({ limits }) => limits))
}
