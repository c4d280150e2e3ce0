import {
  type CountedAttempt,
  type Host,
  type LimitRule,
  type LimitVerdict,
  MissingAdapterMethods,
  Problem,
  recordKind,
} from '../../../entries/plugin.ts'
import { isOfProcess, type Settings } from '../settings.ts'
import type { Allowances, Counted } from './allowances.ts'
import type { ProcessCounts } from './process-counts.ts'

/** Varies the waiting time, so that refused clients return at different moments. */
const JITTER = 0.1
/** Milliseconds for which a refusal is kept without a read of the store. */
const LONGEST_REFUSAL = 60_000
const attemptKey = (key: string): string => `latchkey.limit:${key}`

/** Counts by single keys, in the store or in this process. */
export interface Tally {
  countOne(counted: Counted): Promise<boolean>
  /** Counts under all rules at once, so that one network gets no more than the limit. */
  countAny(allowances: Allowances): Promise<boolean>
  /** Returns whether the next attempt would be refused, without counting one. */
  isReached(counted: Counted): Promise<boolean>
  /** Forgets the attempts that were counted. Other processes may remember a refusal for a minute. */
  reset(counted: Counted): Promise<void>
  /** Returns whether a key is refused, as far as this process knows. */
  isOver(counted: Counted): boolean
  /** Returns the refusal by a rule. */
  refusal(name: string, counted: Counted): Extract<LimitVerdict, { allowed: false }>
}

export function createTally(
  host: Host,
  settings: Settings,
  { refusals, counts }: ProcessCounts,
): Tally {
  const { ports, store, hasRecords } = host
  const resets = recordKind<{ readonly at: number }>(host, 'limit-reset', {
    shape: ({ at }) => (typeof at === 'number' ? { at } : undefined),
    onDamaged: 'the attempts from before the reset count',
    hasSecretKeys: true,
  })
  const isHere = (rule: LimitRule): boolean => isOfProcess(rule, settings)
  const endOf = ({ window }: LimitRule, now: number): number => now + window * 1000

  /** Attempts expire one by one in the store without a notice, so it is read again after a while. */
  function refusedUntil({ rule, key }: Counted, now: number): number {
    if (isHere(rule)) return counts.until(attemptKey(key)) ?? now
    return Math.min(endOf(rule, now), now + LONGEST_REFUSAL)
  }

  /** Counts under all rules at once, so that one network gets no more than the limit. */
  const countAny = async (allowances: Allowances): Promise<boolean> =>
    (await Promise.all([allowances, ...allowances.others].map(countOne))).includes(true)

  const countOne = async (counted: Counted): Promise<boolean> => {
    const { rule, key } = counted
    const now = ports.now()
    if (refusals.until(key, now) !== undefined) return false
    const expires = endOf(rule, now)
    const attempt: CountedAttempt = {
      key: attemptKey(key),
      limit: rule.limit,
      now: new Date(now),
      expires: new Date(expires),
    }
    const isCounted = isHere(rule) ? counts.count(attempt) : await countInStore(attempt, counted)
    if (!isCounted) refusals.add(key, refusedUntil({ rule, key }, now), now)
    return isCounted
  }

  async function countInStore(
    attempt: CountedAttempt,
    { key, ownerKey }: Counted,
  ): Promise<boolean> {
    const { countAttempt } = store ?? {}
    if (!countAttempt) throw new Problem('store_unavailable', 'the store counts no attempts')
    if (await countAttempt(attempt)) return true
    // After a reset, further attempts count under another key. Only refused ones look for it.
    if (!hasRecords) return false
    const keys = ownerKey ? [key, await ownerKey()] : [key]
    const found = await Promise.all(keys.map((each) => resets.get(each)))
    const at = Math.max(...found.map((reset) => reset?.data.at ?? 0))
    return at > 0 && countAttempt({ ...attempt, key: `${attempt.key}:${at}` })
  }

  /** Returns whether the next attempt would be refused. What expires at once counts for nobody. */
  async function isReached(counted: Counted): Promise<boolean> {
    const { rule, key } = counted
    const now = ports.now()
    const attempt = {
      key: attemptKey(key),
      limit: rule.limit,
      now: new Date(now),
      expires: new Date(now),
    }
    return !(isHere(rule) ? counts.count(attempt) : await countInStore(attempt, counted))
  }

  async function reset({ rule, key }: Counted): Promise<void> {
    const now = ports.now()
    refusals.delete(key)
    counts.delete(attemptKey(key))
    if (isHere(rule)) return
    if (!hasRecords) {
      throw new MissingAdapterMethods(
        'limits: a limit can be reset only with a record store; use an adapter of Latchkey (without `records: false`)',
      )
    }
    const expires = new Date(endOf(rule, now))
    await resets.upsert(key, () => ({ data: { at: now }, expires }))
  }

  function refusal(
    name: string,
    { rule, key }: Counted,
  ): Extract<LimitVerdict, { allowed: false }> {
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
    countOne,
    countAny,
    isReached,
    reset,
    isOver: ({ key }) => refusals.until(key, ports.now()) !== undefined,
    refusal,
  }
}
