import {
  type LimitBy,
  type LimitRule,
  type SiteRequest,
  withClientAddress,
} from '../../entries/plugin.ts'
import type { Allowances } from './counting/allowances.ts'
import { halfOf } from './counting/counter.ts'
import { foldCase } from './fold-case.ts'
import type { Parts } from './parts.ts'

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
   * Forgets the attempts of a subject at an action. Other processes may refuse attempts for up to a minute.
   *
   * @param action the name of its rules, for example `password.sign-in`.
   * @returns the number of rules whose attempts were forgotten.
   */
  reset(action: string, subject?: LimitSubject): Promise<number>
  /** Returns whether attempts of a subject at an action are refused, without counting one. */
  peek(action: string, subject?: LimitSubject): Promise<PeekedLimit>
}

export function createApi({ counter }: Parts): LimitsApi {
  /** Returns the counters of a subject: of attempts from this site, and of those that other sites caused. */
  async function countersOf(action: string, subject: LimitSubject): Promise<Allowances[][]> {
    const { allowancesOf } = await counter()
    const { identifier, userId, address } = subject
    const typed = identifier === undefined ? [] : [...new Set([identifier, foldCase(identifier)])]
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

  return {
    async reset(action, subject = {}) {
      const { tally } = await counter()
      const [own = [], elsewhere = []] = await countersOf(action, subject)
      for (const { others, ...counted } of [...own, ...elsewhere]) {
        for (const each of [counted, ...others]) {
          await tally.reset(each)
          await tally.reset({ ...each, key: halfOf(each.key) })
        }
      }
      return own.length
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
