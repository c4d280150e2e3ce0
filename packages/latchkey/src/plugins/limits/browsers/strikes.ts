import {
  type Host,
  Problem,
  type RecordKind,
  recordKind,
  type SiteRequest,
  type Strikes,
} from '../../../entries/plugin.ts'
import type { KnownBrowsers } from './known-browser.ts'

/**
 * Wrong proofs in a row after which an authenticator is disabled. It leaves room for those that are under way at this
 * moment: NIST SP 800-63B-4 section 3.2.2 allows no more than 100.
 */
const MOST_WRONG = 80
/** Wrong proofs in a row after which a browser is only known: what plugins keep with it, such as that it is trusted, ends. */
const MOST_TRUSTED = 5
/** The pool of all browsers that are not known to the user. */
const UNKNOWN = 'unknown'
/** Longer ids are hashed, since keys of records have a limit. */
const LONGEST_ID = 100
/** Milliseconds after the last wrong proof until a count is forgotten, so that names nobody has do not fill the store. */
const MAX_AGE: number = 400 * 24 * 60 * 60 * 1000
/** How often a count begins again, after as many attempts of {@link recordKind}. */
const ROUNDS = 4

/** Consecutive wrong proofs in one pool. */
interface Counted {
  readonly authenticator: string
  readonly count: number
  /** In milliseconds since the epoch. */
  readonly firstAt: number
  readonly disabledAt?: number
  readonly told?: true
}

/** Creates the counter of one authenticator. Without records, nothing is counted. */
export function createStrikes(
  host: Host,
  authenticator: string,
  browsers: KnownBrowsers,
  most: number = MOST_WRONG,
): Strikes {
  const { keys, ports } = host
  const pools = poolsOf(host, authenticator, most)

  async function keyOf(userId: string, pool: string): Promise<string> {
    const id = userId.length > LONGEST_ID ? await keys.hash('strikes', userId) : userId
    return `${id}:${authenticator}:${pool}`
  }

  const isOver = ({ count }: Counted): boolean => count >= most

  async function count(
    key: string,
    userId: string,
  ): Promise<{ isLast: boolean; tells: boolean; total: number }> {
    let result = { isLast: false, tells: false, total: 0 }
    await pools.upsert(key, (before) => {
      const now = ports.now()
      const counted: Counted = {
        ...before,
        authenticator,
        count: (before?.count ?? 0) + 1,
        firstAt: before?.firstAt ?? now,
      }
      result = {
        isLast: isOver(counted),
        tells: isOver(counted) && !before?.told,
        total: counted.count,
      }
      const disabled: Counted = { ...counted, disabledAt: before?.disabledAt ?? now, told: true }
      const expires = new Date(now + MAX_AGE)
      return { userId, data: result.isLast ? disabled : counted, expires }
    })
    return result
  }

  /** Many wrong proofs at once are each counted, and none is answered in another way. */
  async function countSurely(key: string, userId: string): ReturnType<typeof count> {
    for (let round = 1; ; round++) {
      try {
        return await count(key, userId)
      } catch (error) {
        const isConflict = error instanceof Problem && error.code === 'conflict'
        if (!isConflict || round === ROUNDS) throw error
      }
    }
  }

  const poolOf = async (userId: string, request: SiteRequest): Promise<string> =>
    (await browsers.deviceOf(userId, request))?.pool ?? UNKNOWN

  return {
    async isDisabled(userId, request) {
      if (!host.hasRecords) return false
      const found = await pools.get(await keyOf(userId, await poolOf(userId, request)))
      return found !== null && isOver(found.data)
    },
    async wrong(userId, request) {
      if (!host.hasRecords) return { mustTell: false, count: 0 }
      const browser = await browsers.deviceOf(userId, request)
      const key = await keyOf(userId, browser?.pool ?? UNKNOWN)
      const { isLast, tells, total } = await countSurely(key, userId)
      if (browser) {
        // The browser is known no more, so its next attempts count among those of strangers.
        if (isLast) await browsers.forget(userId, browser)
        else if (total >= MOST_TRUSTED) await browsers.withdraw(userId, browser)
      }
      return { mustTell: tells, count: total }
    },
    async right(userId, request) {
      if (!host.hasRecords) return
      await pools.delete(await keyOf(userId, await poolOf(userId, request)))
    },
    async clear(userId) {
      if (!host.hasRecords) return
      for await (const { key, data } of pools.each(userId)) {
        if (data.authenticator === authenticator) await pools.delete(key)
      }
    },
  }
}

/** Deletes the wrong proofs of a user at all authenticators, which are then no longer disabled. */
export async function clearStrikes(userId: string, host: Host): Promise<void> {
  const pools = poolsOf(host, '', MOST_WRONG)
  for await (const { key } of pools.each(userId)) await pools.delete(key)
}

function poolsOf(host: Host, authenticator: string, most: number): RecordKind<Counted> {
  return recordKind<Counted>(host, 'strikes', {
    shape: (data) => (typeof data['count'] === 'number' ? (data as unknown as Counted) : undefined),
    // A damaged count must not give further guesses.
    onDamaged: (_, report) => {
      report('it counts as disabled')
      return { authenticator, count: most, firstAt: 0, disabledAt: 0, told: true }
    },
  })
}
