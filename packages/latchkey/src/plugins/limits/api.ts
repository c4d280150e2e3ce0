import {
  type LimitBy,
  type LimitRule,
  Problem,
  type SiteRequest,
  withClientAddress,
} from '../../entries/plugin.ts'
import { clearStrikes } from './browsers/strikes.ts'
import type { Allowances, Counted } from './counting/allowances.ts'
import { halfOf } from './counting/counter.ts'
import { foldCase } from './fold-case.ts'
import type { Parts } from './parts.ts'
import { rulesWith } from './settings.ts'

/** Whose attempts are meant. Without a member, it is the limit of the whole site. */
export interface LimitSubject {
  /** What was typed: an address or a name. */
  readonly identifier?: string | undefined
  /** The id of a user. */
  readonly userId?: string | undefined
  /** The address of a client. */
  readonly address?: string | undefined
}

/** Whether attempts at an action are refused. */
export interface PeekedLimit {
  /** Whether the next attempt would be allowed, as far as it is known from the subject. */
  readonly allowed: boolean
  /** The rules of the action for the subject. */
  readonly rules: readonly (Pick<LimitRule, 'by' | 'limit' | 'window'> & {
    readonly isReached: boolean
  })[]
}

/** Functions for those who run the site. */
export interface LimitsApi {
  /**
   * Forgets the attempts of a subject at an action, those of a name or a user from all networks and browsers. Other processes
   * may refuse attempts for up to a minute. What a process counts alone by pair or device stays.
   *
   * @param action the name of its rules, for example `password.sign-in`.
   * @returns the number of rules whose attempts were forgotten.
   */
  reset(action: string, subject?: LimitSubject): Promise<number>
  /** Returns whether attempts of a subject at an action are refused, without counting one. */
  peek(action: string, subject?: LimitSubject): Promise<PeekedLimit>
  /**
   * Lets a user in again: forgets the attempts of the user, the address and the user name at all actions, and the wrong proofs
   * in a row that disabled a password or a second factor. Limits of networks stay.
   *
   * @throws {Problem} `not_found` without such a user.
   */
  unlock(userId: string): Promise<void>
}

export function createApi({ counter, host, settings }: Parts): LimitsApi {
  /** Returns the counters of a subject: of attempts from this site, and of those that other sites caused. */
  async function countersOf(action: string, subject: LimitSubject): Promise<Allowances[][]> {
    const { allowancesOf } = await counter()
    const { identifier, userId, address } = subject
    const typed = typedAs(identifier)
    const isOfSite = typed.length === 0 && userId === undefined && address === undefined
    const by: readonly LimitBy[] = [
      'identifier',
      'user',
      ...(address === undefined ? [] : (['network', 'pair'] as const)),
      ...(isOfSite ? (['site'] as const) : []),
    ]
    return Promise.all(
      [true, false].map((isProven) => {
        const attempting = { request: requestFrom(address, isProven), identifier: typed, isProven }
        return allowancesOf(action, attempting, by, userId)
      }),
    )
  }

  async function reset(action: string, subject: LimitSubject = {}): Promise<number> {
    const { tally } = await counter()
    const [own = [], elsewhere = []] = await countersOf(action, subject)
    for (const { others, ...counted } of [...own, ...elsewhere]) {
      for (const each of [counted, ...others]) {
        await tally.reset(each)
        await tally.reset({ ...each, key: halfOf(each.key) })
      }
    }
    if (subject.address !== undefined) return own.length
    const owners = await ofOwners(action, subject)
    for (const each of owners) await tally.reset(each)
    return own.length + owners.length
  }

  /** Returns the keys with which the counters of a name and a user are reset, for all networks and browsers. */
  async function ofOwners(
    action: string,
    { identifier, userId }: LimitSubject,
  ): Promise<readonly Counted[]> {
    const attempting = { request: requestFrom(undefined, true), identifier: typedAs(identifier) }
    return (await counter()).ofOwners(action, attempting, userId)
  }

  return {
    reset,
    async unlock(userId) {
      const user = await host.store?.getUser(userId)
      if (!user) throw new Problem('not_found', `there is no user ${userId}`)
      const names = [user.email, await host.userNames()?.nameOf(userId)]
      for (const action of Object.keys(rulesWith(settings, host.limitRules))) {
        await reset(action, { userId })
        for (const identifier of names) if (identifier) await reset(action, { identifier })
      }
      if (host.hasRecords) await clearStrikes(userId, host)
    },
    async peek(action, subject = {}) {
      const { tally } = await counter()
      const [own = []] = await countersOf(action, subject)
      const rules = await Promise.all(
        own.map(async ({ others, ...counted }) => {
          const { by, limit, window } = counted.rule
          const reached = await Promise.all([counted, ...others].map(tally.isReached))
          return { by, limit, window, isReached: !reached.includes(false) }
        }),
      )
      return { allowed: rules.every(({ isReached }) => !isReached), rules }
    },
  }
}

/** Returns the forms of an identifier that are counted. */
const typedAs = (identifier: string | undefined): readonly string[] =>
  identifier === undefined ? [] : [...new Set([identifier, foldCase(identifier)])]

/** A request with nothing but an address, since the rules look at the requests of clients. */
function requestFrom(address: string | undefined, isOwn: boolean): SiteRequest {
  const headers = isOwn ? undefined : { 'sec-fetch-site': 'cross-site' }
  const origin = 'http://localhost'
  return {
    original: withClientAddress(new Request(origin, { ...(headers && { headers }) }), address),
    origin,
    base: '',
    method: 'POST',
    secure: false,
    cookies: { get: () => undefined, names: () => [] },
    query: new URLSearchParams(),
    form: {},
  }
}
