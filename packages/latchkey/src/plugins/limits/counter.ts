import {
  type CountedAttempt,
  type Host,
  isFromElsewhere,
  type LimitSubjects,
  type LimitVerdict,
  Problem,
  type WarningCode,
} from '../../entries/plugin.ts'
import { createClients } from './address.ts'
import { createKnownBrowsers } from './known-browser.ts'
import { createProcessCounts } from './process-counts.ts'
import type { LimitBy, LimitRule, Settings } from './settings.ts'

/** One thing that is counted. */
interface Counted {
  readonly rule: LimitRule
  readonly key: string
}

/** The allowances of one attempt under one rule. One of them is enough; without the first, nobody else uses them up. */
interface Allowances extends Counted {
  readonly others: readonly Counted[]
}

/** The same where several things were typed. Each of them is counted. */
interface Subjects extends Omit<LimitSubjects, 'identifier'> {
  readonly identifier?: string | readonly string[] | undefined
}

/** Counts attempts by the rules of an action. */
export interface Counter {
  count(name: string, subjects: Subjects): Promise<LimitVerdict>
  /** The same for what does not count: is it refused already, as far as this process knows? */
  refused(name: string, subjects: Subjects): Promise<LimitVerdict>
}

/** Clients without a known address share one limit, which is wider. */
const UNKNOWN_FACTOR = 10
/** The limit of the wide network of an IPv6 address, beside that of the narrow one. */
const WIDE_FACTOR = 5
/** The part of the limit of a name that each network has for itself, whatever others do with this name. */
const NAME_SHARE = 1 / 2
/** The same of the limit of the site. */
const SITE_SHARE = 1 / 100
/** Refused clients come back at different moments. */
const JITTER = 0.1
/** Without asking the store again, milliseconds. */
const LONGEST_REFUSAL = 60_000
/** Longest identifier that is told apart from others, characters. */
const LONGEST_IDENTIFIER = 320

/** Whoever floods is refused before what was typed is looked at. */
const STEPS: readonly (readonly LimitBy[])[] = [
  ['network', 'site'],
  ['pair', 'identifier', 'user', 'session'],
]

/** Marks keys of requests that other sites caused. */
const ELSEWHERE = 'from another site'

/** A session and a user are known by a proof, which no other site has. */
const isOfVisitor = ({ by }: LimitRule): boolean => by !== 'user' && by !== 'session'

const attemptKey = (key: string): string => `latchkey.limit:${key}`

export async function createCounter(host: Host, settings: Settings): Promise<Counter> {
  const { keys, logger, ports } = host
  const clients = await createClients(settings.client, settings.exempt)
  const browsers = createKnownBrowsers(host)
  const known = host.shared(createProcessCounts)
  const { refusals, counts } = known
  const warnOnce = (code: WarningCode, detail: string): void => {
    if (known.warned.has(code)) return
    known.warned.add(code)
    logger.warn(code, detail)
  }
  if (settings.store === 'process') {
    warnOnce(
      'limits-in-process',
      "limits() counts in this process alone (`store: 'process'`): each instance allows the full limit; with several instances, use `store: 'adapter'`",
    )
  }

  /** With the request's own network, or the one that all clients share whose address nobody knows. */
  function networkRules(rule: LimitRule, request: Request): [LimitRule, string][] {
    const networks = clients.networksOf(request)
    if (networks === undefined) {
      warnOnce(
        'limits-unknown-client',
        'the address of a client is unknown, so all such clients share one limit; set `client` of limits() to the header in which your proxy or platform sends the address',
      )
      return [[{ ...rule, limit: rule.limit * UNKNOWN_FACTOR }, 'unknown']]
    }
    const { own, wide } = networks
    return wide === undefined
      ? [[rule, own]]
      : [
          [rule, own],
          [{ ...rule, limit: rule.limit * WIDE_FACTOR }, wide],
        ]
  }

  function valuesOf(rule: LimitRule, subjects: Subjects): [LimitRule, readonly string[]][] {
    const { request, identifier = [], userId, sid } = subjects
    const typed = [identifier].flat().map((text) => text.slice(0, LONGEST_IDENTIFIER))
    const one = (value: string | undefined): [LimitRule, readonly string[]][] =>
      value === undefined ? [] : [[rule, [value]]]
    switch (rule.by) {
      case 'network':
        return networkRules(rule, request.original).map(([own, network]) => [own, [network]])
      case 'pair':
        return networkRules(rule, request.original).flatMap(([own, network]) =>
          typed.map((text): [LimitRule, readonly string[]] => [own, [network, text]]),
        )
      case 'identifier':
        return typed.map((text) => [rule, [text]])
      case 'user':
        return one(userId)
      case 'session':
        return one(sid)
      default:
        return [[rule, []]]
    }
  }

  /**
   * Returns what keeps requests that pages of other sites cause in a browser apart from all others: they have an
   * allowance of their own, so that they cost nobody else in the network anything.
   */
  function originOf({ request, isProven }: Subjects): readonly string[] {
    return !isProven && isFromElsewhere(request.original.headers, request.origin) ? [ELSEWHERE] : []
  }

  /**
   * Returns the allowances that strangers do not use up: of the user who signed in with this browser and what was
   * typed, and for what everybody shares, of the network.
   */
  function reserved(
    rule: LimitRule,
    value: readonly string[],
    { request }: Subjects,
    user: string | undefined,
  ): [LimitRule, readonly string[]][] {
    const ofUser: [LimitRule, readonly string[]][] =
      user === undefined ? [] : [[rule, ['known', user, ...value]]]
    const isShared = rule.by === 'identifier' || rule.by === 'site'
    const networks = isShared ? clients.networksOf(request.original) : undefined
    if (!networks) return ofUser
    const share = rule.by === 'site' ? SITE_SHARE : NAME_SHARE
    const limit = Math.ceil(rule.limit * share)
    return [...ofUser, [{ ...rule, limit }, ['network', networks.wide ?? networks.own, ...value]]]
  }

  async function countedFor(name: string, subjects: Subjects): Promise<Allowances[]> {
    const isExempt = clients.isExempt(subjects.request.original)
    const rules = (settings.rules[name] || []).filter(
      ({ by }) => !isExempt || (by !== 'network' && by !== 'pair' && by !== 'site'),
    )
    const user = await browsers.userOf([subjects.identifier ?? []].flat(), subjects.request)
    const keyed = async (
      [rule, value]: [LimitRule, readonly string[]],
      purpose: string,
    ): Promise<Counted> => {
      const { by, window } = rule
      const from = isOfVisitor(rule) ? originOf(subjects) : []
      return { rule, key: await keys.hash(purpose, name, by, String(window), ...value, ...from) }
    }
    const pairs = rules.flatMap((rule) => valuesOf(rule, subjects))
    return Promise.all(
      pairs.map(async ([rule, value]) => {
        const others = isOfVisitor(rule) ? reserved(rule, value, subjects, user) : []
        return {
          ...(await keyed([rule, value], 'limit')),
          others: await Promise.all(others.map((other) => keyed(other, 'limit-reserved'))),
        }
      }),
    )
  }

  const isHere = (rule: LimitRule): boolean => (rule.store ?? settings.store) === 'process'
  const endOf = ({ window }: LimitRule, now: number): number => now + window * 1000

  /** Attempts of the store expire one by one, and nobody is told when: it is asked again after a while. */
  function refusedUntil({ rule, key }: Counted, now: number): number {
    if (isHere(rule)) return counts.until(attemptKey(key)) ?? now
    return Math.min(endOf(rule, now), now + LONGEST_REFUSAL)
  }

  /** Counts in all at once, so that one network gets no more than the limit. */
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
    // What others did to somebody's account is not told.
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
      const counted = await countedFor(name, subjects)
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
      const counted = await countedFor(name, subjects)
      const isOver = ({ key }: Counted): boolean => refusals.until(key, now) !== undefined
      const over = counted.find((each) => isOver(each) && each.others.every(isOver))
      return over ? refusal(name, over) : { allowed: true }
    },
  }
}
