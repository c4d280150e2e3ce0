import {
  type Awaitable,
  type Host,
  type LimitBy,
  type LimitRule,
  type LimitVerdict,
  type SiteRequest,
  type WarningCode,
} from '../../../entries/plugin.ts'
import { createKnownBrowsers } from '../browsers/known-browser.ts'
import { foldCase } from '../fold-case.ts'
import type { JudgedCount, Settings } from '../settings.ts'
import { type Allowances, type Attempting, type Counted, createAllowances } from './allowances.ts'
import type { ProcessCounts } from './process-counts.ts'
import { createTally, type Tally } from './tally.ts'

/** Counts attempts by the rules of an action. */
export interface Counter {
  /** Begins to count an attempt, step by step. */
  begin(name: string, attempting: Attempting): Promise<Counting>
  count(name: string, subjects: CountedSubjects): Promise<LimitVerdict>
  /** Returns whether half of a rule by network is used, as far as this process knows. */
  isHalfUsed(name: string, attempting: Attempting): Promise<boolean>
  /** Returns the counters of an attempt by the rules for some subjects. */
  allowancesOf(
    name: string,
    attempting: Attempting,
    by: readonly LimitBy[],
    userId?: string,
  ): Promise<Allowances[]>
  /** Returns the keys with which the counters by pair and device are reset, for all networks and browsers. */
  ofOwners(name: string, attempting: Attempting, userId?: string): Promise<Counted[]>
  readonly tally: Tally
  /** Counts a mail to an address, over all kinds. */
  mayMail(address: string, request: SiteRequest): Promise<boolean>
  /** Returns whether an attempt would be refused, without counting it, as far as this process knows. */
  refused(name: string, subjects: Attempting): Promise<LimitVerdict>
}

/** One attempt that is counted. */
export interface Counting {
  /** Counts by network and for the site. */
  shared(): Promise<CountedStep>
  /** Counts by what the attempt concerns. @param userId the user, if it is known who that is. */
  own(userId: string | undefined): Promise<CountedStep>
}

/** What a step of counting found. */
export interface CountedStep {
  readonly refusal: Extract<LimitVerdict, { allowed: false }> | undefined
  /** Whether the refusing rule asks for a challenge instead. */
  readonly isSoft: boolean
  /** Whether half of a rule by network or identifier is used. It is known only if a challenge or a hook needs it. */
  readonly isHalfUsed: boolean
  /** The rules of the step. */
  readonly counts: readonly JudgedCount[]
}

/** The subjects of an attempt. The user is looked up after the rules by network. */
export interface CountedSubjects extends Attempting {
  readonly userId?: string | undefined | (() => Awaitable<string | undefined>)
}

/** The rules of the first step: networks are refused before typed identifiers are read. */
const SHARED: readonly LimitBy[] = ['network', 'site']
/** The rules of the second step. */
const OWN: readonly LimitBy[] = ['pair', 'identifier', 'device', 'user', 'session']

/** Mails a day to one address, over all kinds. */
const MOST_MAILS = 15
const DAY: number = 24 * 60 * 60

/** The key of the count that says whether half of a limit is used. */
export const halfOf = (key: string): string => `${key}/2`

export async function createCounter(
  host: Host,
  settings: Settings,
  known: ProcessCounts,
): Promise<Counter> {
  const { logger, ports } = host
  const warnOnce = (code: WarningCode, detail: string): void => {
    if (known.warned.has(code)) return
    known.warned.add(code)
    logger.warn(code, detail)
  }
  const browsers = createKnownBrowsers(host)
  const attemptAt = await createAllowances(host, settings, warnOnce)
  if (settings.store === 'process') {
    warnOnce(
      'limits-in-process',
      "limits() counts in this process alone (`store: 'process'`): each instance allows the full limit; with several instances, use `store: 'adapter'`",
    )
  }

  const tally = createTally(host, settings, known)
  const { countAny, countOne, isOver, refusal } = tally

  /** Emits the event about a reached limit, once for a key and window in this process. */
  async function tell(
    name: string,
    { rule, key }: Counted,
    { identifier }: Attempting,
    userId?: string,
  ): Promise<void> {
    const now = ports.now()
    if (!known.isUntold(key, now + rule.window * 1000, now)) return
    const { tellSecurity } = await import('../../../entries/plugin-accounts.ts')
    const isTyped = rule.by === 'identifier' || rule.by === 'pair'
    const typed = isTyped && userId === undefined ? [identifier].flat()[0] : undefined
    const isOfUser = rule.by !== 'network' && rule.by !== 'site' && rule.by !== 'session'
    await tellSecurity(host, {
      type: 'limit.reached',
      outcome: 'refused',
      reason: `${name} by ${rule.by}`,
      ...(isOfUser && userId !== undefined && { userId }),
      ...(typed !== undefined && { typed }),
    })
  }

  /** Counts under the rules for some subjects. @returns the counter that refuses, if there is one. */
  async function overOf(allowances: readonly Allowances[]): Promise<Allowances | undefined> {
    const refused = allowances.find((each) => isOver(each) && each.others.every(isOver))
    // What is refused in any case is counted by no further rule.
    if (refused) return refused
    const results = await Promise.all(allowances.map(countAny))
    return allowances.find((_, at) => !results[at])
  }

  /** Counts the attempt at halves of the limits. @returns the rules of which more than half is used. */
  async function halfUsed(allowances: readonly Allowances[]): Promise<readonly LimitRule[]> {
    if (!settings.challenge && !settings.hooks.decide) return []
    const asked = allowances.filter(({ rule: { by } }) => by === 'network' || by === 'identifier')
    const isCounted = await Promise.all(
      asked.map(({ rule, key }) =>
        countOne({ rule: { ...rule, limit: Math.ceil(rule.limit / 2) }, key: halfOf(key) }),
      ),
    )
    return asked.filter((_, at) => !isCounted[at]).map(({ rule }) => rule)
  }

  async function begin(name: string, attempting: Attempting): Promise<Counting> {
    const { allowances } = await attemptAt(name, attempting)
    const step = async (by: readonly LimitBy[], userId?: string): Promise<CountedStep> => {
      const counted = await allowances(by, userId)
      const [over, halves] = await Promise.all([overOf(counted), halfUsed(counted)])
      if (over) await tell(name, over, attempting, userId)
      return {
        refusal: over && refusal(name, over),
        isSoft: over?.rule.over === 'challenge',
        isHalfUsed: halves.length > 0,
        counts: counted.map(({ rule }) => ({
          by: rule.by,
          limit: rule.limit,
          window: rule.window,
          isHalfUsed: halves.includes(rule) || rule === over?.rule,
          isReached: rule === over?.rule,
        })),
      }
    }
    return { shared: () => step(SHARED), own: (userId) => step(OWN, userId) }
  }

  return {
    begin,
    async count(name, { userId, ...attempting }) {
      const counting = await begin(name, attempting)
      const { refusal: shared } = await counting.shared()
      if (shared) return shared
      const id = typeof userId === 'function' ? await userId() : userId
      const { refusal: own } = await counting.own(id)
      return own ?? { allowed: true }
    },
    async isHalfUsed(name, attempting) {
      const { allowances } = await attemptAt(name, attempting)
      return (await allowances(SHARED)).some(({ rule, key }) => isOver({ rule, key: halfOf(key) }))
    },
    tally,
    ofOwners: async (name, attempting, userId) =>
      (await attemptAt(name, attempting)).ofOwners(userId),
    allowancesOf: async (name, attempting, by, userId) =>
      (await attemptAt(name, attempting)).allowances(by, userId),
    async mayMail(address, request) {
      const name = foldCase(address)
      const count = async (...parts: readonly string[]): Promise<boolean> =>
        countOne({
          rule: { by: 'identifier', limit: MOST_MAILS, window: DAY },
          key: await host.keys.hash('limit-mails', ...parts),
        })
      if (await count(name)) return true
      // Who is known by this browser is no stranger to the address.
      const user = await browsers.userOf([name], request)
      return user !== undefined && count(name, user)
    },
    async refused(name, attempting) {
      const { allowances } = await attemptAt(name, attempting)
      const counted = await allowances([...SHARED, ...OWN])
      const over = counted.find((each) => isOver(each) && each.others.every(isOver))
      return over ? refusal(name, over) : { allowed: true }
    },
  }
}
