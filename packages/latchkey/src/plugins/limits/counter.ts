import {
  type CountedAttempt,
  type Host,
  type LimitVerdict,
  Problem,
  type WarningCode,
} from '../../entries/plugin.ts'
import { type Allowances, type Counted, createAllowances, type Subjects } from './allowances.ts'
import { createProcessCounts } from './process-counts.ts'
import type { LimitBy, LimitRule, Settings } from './settings.ts'

/** Counts attempts by the rules of an action. */
export interface Counter {
  count(name: string, subjects: Subjects): Promise<LimitVerdict>
  /** Returns whether an attempt would be refused, without counting it, as far as this process knows. */
  refused(name: string, subjects: Subjects): Promise<LimitVerdict>
}

/** Varies the waiting time, so that refused clients return at different moments. */
const JITTER = 0.1
/** Milliseconds for which a refusal is kept without a read of the store. */
const LONGEST_REFUSAL = 60_000
/** The order of the rules: networks are refused before typed identifiers are read. */
const STEPS: readonly (readonly LimitBy[])[] = [
  ['network', 'site'],
  ['pair', 'identifier', 'user', 'session'],
]

const attemptKey = (key: string): string => `latchkey.limit:${key}`

export async function createCounter(host: Host, settings: Settings): Promise<Counter> {
  const { logger, ports } = host
  const known = host.shared(createProcessCounts)
  const { refusals, counts } = known
  const warnOnce = (code: WarningCode, detail: string): void => {
    if (known.warned.has(code)) return
    known.warned.add(code)
    logger.warn(code, detail)
  }
  const allowancesOf = await createAllowances(host, settings, warnOnce)
  if (settings.store === 'process') {
    warnOnce(
      'limits-in-process',
      "limits() counts in this process alone (`store: 'process'`): each instance allows the full limit; with several instances, use `store: 'adapter'`",
    )
  }

  const isHere = (rule: LimitRule): boolean => (rule.store ?? settings.store) === 'process'
  const endOf = ({ window }: LimitRule, now: number): number => now + window * 1000

  /** Attempts expire one by one in the store without a notice, so it is read again after a while. */
  function refusedUntil({ rule, key }: Counted, now: number): number {
    if (isHere(rule)) return counts.until(attemptKey(key)) ?? now
    return Math.min(endOf(rule, now), now + LONGEST_REFUSAL)
  }

  /** Counts under all rules at once, so that one network gets no more than the limit. */
  const countAny = async (allowances: Allowances): Promise<boolean> =>
    (await Promise.all([allowances, ...allowances.others].map(countOne))).includes(true)

  const countOne = async ({ rule, key }: Counted): Promise<boolean> => {
    const now = ports.now()
    if (refusals.until(key, now) !== undefined) return false
    const expires = endOf(rule, now)
    const attempt: CountedAttempt = {
      key: attemptKey(key),
      limit: rule.limit,
      now: new Date(now),
      expires: new Date(expires),
    }
    const isCounted = isHere(rule) ? counts.count(attempt) : await countInStore(attempt)
    if (!isCounted) refusals.add(key, refusedUntil({ rule, key }, now), now)
    return isCounted
  }

  async function countInStore(attempt: CountedAttempt): Promise<boolean> {
    const { countAttempt } = host.store ?? {}
    if (!countAttempt) throw new Problem('store_unavailable', 'the store counts no attempts')
    return countAttempt(attempt)
  }

  function refusal(name: string, { rule, key }: Counted): LimitVerdict {
    const now = ports.now()
    const known = isHere(rule) ? counts.until(attemptKey(key)) : undefined
    const rest = ((known ?? endOf(rule, now)) - now) / 1000
    const [random = 0] = ports.random(1)
    const retryAfter = Math.ceil(rest * (1 + (JITTER * random) / 255))
    const isOwn = rule.by === 'network' || rule.by === 'session'
    // The headers must not reveal attempts of others at an account.
    if (!settings.headers || !isOwn) {
      return { allowed: false, retryAfter, headers: {}, members: {} }
    }
    const policy = `${name.replaceAll('.', '-')}-${rule.by}`
    return {
      allowed: false,
      retryAfter,
      headers: {
        'ratelimit-policy': `"${policy}";q=${rule.limit};w=${rule.window}`,
        ratelimit: `"${policy}";r=0;t=${retryAfter}`,
      },
      members: {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        'violated-policies': [policy],
      },
    }
  }

  return {
    async count(name, subjects) {
      const counted = await allowancesOf(name, subjects)
      for (const step of STEPS) {
        const now = counted.filter(({ rule }) => step.includes(rule.by))
        const results = await Promise.all(now.map(countAny))
        const over = now.find((_, at) => !results[at])
        if (over) return refusal(name, over)
      }
      return { allowed: true }
    },
    async refused(name, subjects) {
      const now = ports.now()
      const counted = await allowancesOf(name, subjects)
      const isOver = ({ key }: Counted): boolean => refusals.until(key, now) !== undefined
      const over = counted.find((each) => isOver(each) && each.others.every(isOver))
      return over ? refusal(name, over) : { allowed: true }
    },
  }
}
