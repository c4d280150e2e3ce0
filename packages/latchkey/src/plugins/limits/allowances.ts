import {
  type Host,
  isFromElsewhere,
  type LimitSubjects,
  type WarningCode,
} from '../../entries/plugin.ts'
import { createClients } from './address.ts'
import { createKnownBrowsers } from './known-browser.ts'
import type { LimitRule, Settings } from './settings.ts'

/** One thing that is counted. */
export interface Counted {
  readonly rule: LimitRule
  readonly key: string
}

/** The allowances of one attempt under one rule. One of them is enough; without the first, nobody else uses them up. */
export interface Allowances extends Counted {
  readonly others: readonly Counted[]
}

/** The same where several things were typed. Each of them is counted. */
export interface Subjects extends Omit<LimitSubjects, 'identifier'> {
  readonly identifier?: string | readonly string[] | undefined
}

/** Returns the allowances of an attempt at an action, by its rules. */
export type AllowancesOf = (name: string, subjects: Subjects) => Promise<Allowances[]>

/** Clients without a known address share one limit, which is wider. */
const UNKNOWN_FACTOR = 10
/** The limit of the wide network of an IPv6 address, beside that of the narrow one. */
const WIDE_FACTOR = 5
/** The part of the limit of a name that each network has for itself, whatever others do with this name. */
const NAME_SHARE = 1 / 2
/** The same of the limit of the site. */
const SITE_SHARE = 1 / 100
/** Longest identifier that is told apart from others, characters. */
const LONGEST_IDENTIFIER = 320

/** Marks keys of requests that other sites caused. */
const ELSEWHERE = 'from another site'

/** A session and a user are known by a proof, which no other site has. */
const isOfVisitor = ({ by }: LimitRule): boolean => by !== 'user' && by !== 'session'

/** Finds out what attempts count for: the network, the user, what was typed. */
export async function createAllowances(
  host: Host,
  settings: Settings,
  warnOnce: (code: WarningCode, detail: string) => void,
): Promise<AllowancesOf> {
  const { keys } = host
  const clients = await createClients(settings.client, settings.exempt)
  const browsers = createKnownBrowsers(host)

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

  return async (name, subjects) => {
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
}
