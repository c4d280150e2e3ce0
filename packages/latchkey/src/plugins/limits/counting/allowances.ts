import {
  type Host,
  isFromElsewhere,
  type LimitBy,
  type LimitRule,
  type LimitSubjects,
  type WarningCode,
} from '../../../entries/plugin.ts'
import { createClients } from '../address.ts'
import { createKnownBrowsers } from '../browsers/known-browser.ts'
import { isOfProcess, type Settings } from '../settings.ts'

/** A counter: one key under one rule. */
export interface Counted {
  readonly rule: LimitRule
  readonly key: string
  /**
   * Returns the key under which administrators reset all counters of a typed identifier or a user, for all networks and
   * browsers. Only rules by pair and device have it.
   */
  readonly ownerKey?: (() => Promise<string>) | undefined
}

/**
 * The allowances of one attempt under one rule. Any of them is sufficient. The others are reserved, so strangers cannot
 * use them up.
 */
export interface Allowances extends Counted {
  readonly others: readonly Counted[]
}

/** The subjects of a limit with several typed identifiers, each of which is counted. */
export interface Subjects extends Omit<LimitSubjects, 'identifier'> {
  readonly identifier?: string | readonly string[] | undefined
}

/** What is counted under a rule, and the typed identifier or the user that it belongs to. */
type Valued = readonly [rule: LimitRule, value: readonly string[], owner?: string | undefined]

/** An attempt at one action. */
export interface Attempt {
  /** Returns the keys with which its counters by pair and device are reset, for all networks and browsers. */
  ofOwners(userId?: string): Promise<Counted[]>
  /** Returns its allowances by the rules for some subjects. @param userId the user whom it concerns, if that is known. */
  allowances(by: readonly LimitBy[], userId?: string): Promise<Allowances[]>
}

/** The subjects of an attempt without the user, who may be looked up later. */
export type Attempting = Omit<Subjects, 'userId'>

/** The factor for clients with an unknown address, which share one limit. */
const UNKNOWN_FACTOR = 10
/** The factor for the large network of an IPv6 address, in addition to the small one. */
const WIDE_FACTOR = 5
/** The part of the limit of a name that is reserved for each network. */
const NAME_SHARE = 1 / 2
/** The part of the limit of the site that is reserved for each network. */
const SITE_SHARE = 1 / 100
/** Identifiers are distinguished by this number of characters. */
const LONGEST_IDENTIFIER = 320

/** Marks keys of requests that other sites caused. */
const ELSEWHERE = 'from another site'

/** Sessions, users and their browsers are identified by a proof, which another site does not have. */
const isOfVisitor = ({ by, unknownDevices }: LimitRule): boolean =>
  by !== 'user' && by !== 'session' && by !== 'device' && !unknownDevices

const typedIn = ({ identifier = [] }: Pick<Subjects, 'identifier'>): string[] =>
  [identifier].flat().map((text) => text.slice(0, LONGEST_IDENTIFIER))

const dependsOnDevice = ({ by, unknownDevices }: LimitRule): boolean =>
  by === 'device' || unknownDevices === true

/** Creates a function that finds the counters of an attempt: network, user and typed identifiers. */
export async function createAllowances(
  host: Host,
  settings: Settings,
  warnOnce: (code: WarningCode, detail: string) => void,
): Promise<(name: string, attempting: Attempting) => Promise<Attempt>> {
  const { keys } = host
  const clients = await createClients(settings.client, settings.exempt)
  const browsers = createKnownBrowsers(host)

  /** Returns the rules with the network of the request, or with the one that clients with an unknown address share. */
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

  function valuesOf(rule: LimitRule, subjects: Subjects, device: string | undefined): Valued[] {
    const { request, userId, sid } = subjects
    if (rule.unknownDevices && device !== undefined) return []
    const typed = typedIn(subjects)
    const one = (value: string | undefined, owner?: string): Valued[] =>
      value === undefined ? [] : [[rule, [value], owner]]
    switch (rule.by) {
      case 'network':
        return networkRules(rule, request.original).map(([own, network]) => [own, [network]])
      case 'pair':
        return networkRules(rule, request.original).flatMap(([own, network]) =>
          typed.map((text): Valued => [own, [network, text], text]),
        )
      case 'identifier':
        return typed.map((text) => [rule, [text]])
      case 'device':
        return one(device, userId)
      case 'user':
        return one(userId)
      case 'session':
        return one(sid)
      default:
        return [[rule, []]]
    }
  }

  /**
   * Returns a mark for requests that pages of other sites cause in a browser. Such requests have a separate allowance,
   * so they do not use up that of their network.
   */
  function originOf({ request, isProven }: Subjects): readonly string[] {
    return !isProven && isFromElsewhere(request.original.headers, request.origin) ? [ELSEWHERE] : []
  }

  /**
   * Returns the reserved allowances: for typed identifiers, one for the user who signed in with this browser; for
   * limits of all clients, one for the network.
   */
  function reserved(
    rule: LimitRule,
    value: readonly string[],
    { request }: Subjects,
    user: string | undefined,
  ): Valued[] {
    // Against many networks, the limit must hold for all of them together.
    if (rule.unknownDevices) return []
    const ofUser: Valued[] = user === undefined ? [] : [[rule, ['known', user, ...value]]]
    const isShared = rule.by === 'identifier' || rule.by === 'site'
    const networks = isShared ? clients.networksOf(request.original) : undefined
    if (!networks) return ofUser
    const share = rule.by === 'site' ? SITE_SHARE : NAME_SHARE
    const limit = Math.ceil(rule.limit * share)
    return [...ofUser, [{ ...rule, limit }, ['network', networks.wide ?? networks.own, ...value]]]
  }

  return async (name, attempting) => {
    const { request, identifier = [] } = attempting
    const isExempt = clients.isExempt(request.original)
    const rules = (settings.rules[name] || []).filter(
      ({ by }) => !isExempt || (by !== 'network' && by !== 'pair' && by !== 'site'),
    )
    const user = await browsers.userOf([identifier].flat(), request)
    const keyed = async ([rule, value]: Valued, purpose: string): Promise<Counted> => {
      const { by, window } = rule
      const from = isOfVisitor(rule) ? originOf(attempting) : []
      return { rule, key: await keys.hash(purpose, name, by, String(window), ...value, ...from) }
    }
    const ownerKey = ({ by, window }: LimitRule, owner: string): Promise<string> =>
      keys.hash('limit-owner', name, by, String(window), owner)
    return {
      ofOwners(userId) {
        const owners = { pair: typedIn(attempting), device: userId === undefined ? [] : [userId] }
        return Promise.all(
          rules.flatMap((rule) =>
            (rule.by === 'pair' || rule.by === 'device') && !isOfProcess(rule, settings)
              ? owners[rule.by].map(async (owner) => ({ rule, key: await ownerKey(rule, owner) }))
              : [],
          ),
        )
      },
      async allowances(by, userId) {
        const subjects = { ...attempting, userId }
        const now = rules.filter((rule) => by.includes(rule.by))
        const device = now.some(dependsOnDevice)
          ? (await browsers.deviceOf(userId, request))?.pool
          : undefined
        const pairs = now.flatMap((rule) => valuesOf(rule, subjects, device))
        return Promise.all(
          pairs.map(async ([rule, value, owner]) => {
            const others = isOfVisitor(rule) ? reserved(rule, value, subjects, user) : []
            return {
              ...(await keyed([rule, value], 'limit')),
              ...(owner !== undefined && { ownerKey: () => ownerKey(rule, owner) }),
              others: await Promise.all(others.map((other) => keyed(other, 'limit-reserved'))),
            }
          }),
        )
      },
    }
  }
}
