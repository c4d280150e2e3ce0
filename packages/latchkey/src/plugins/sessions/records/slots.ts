import {
  type Host,
  isTexts,
  type JsonObject,
  Problem,
  recordKind,
  SessionLimit,
} from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'
import { recordsOf, type SessionData, sessionRecords } from './session-record.ts'

/** One record for each user: the sessions that count towards the limit. */
const KIND = 'session-slots'

/** The longest time of a sign-in, in milliseconds. A younger session without a slot may still get one, or its row. */
const LONGEST_SIGN_IN = 60_000

type Entry = {
  readonly sid: string
  readonly begun: number
  /** The session whose slot it took. */
  readonly from?: string
}

type SlotsData = {
  readonly entries: readonly Entry[]
  /** The sessions that lost their slot last. The call that took it ends them, or the next call does. */
  readonly leaving: readonly string[]
}

/** Ends a session of a user. */
type EndSession = (
  sid: string,
  how: { readonly reason: 'evicted' },
  userId: string,
) => Promise<unknown>

/** A session that needs a slot. */
export interface AskedSlot {
  readonly sid: string
  readonly userId: string
  /** The session that it replaces. */
  readonly replaces: string | undefined
}

/** The slots of the sessions of users. */
export interface Slots {
  /** @throws {SessionLimit} if a further session would be refused, before anything is written. */
  check(asked: AskedSlot): Promise<void>
  /** Gives a session with a record its slot. @throws {SessionLimit} if it is refused. */
  take(asked: AskedSlot): Promise<void>
}

export function createSlots(
  host: Host,
  { most, atLimit }: Pick<Settings, 'atLimit'> & { readonly most: number },
  end: EndSession,
): Slots {
  const {
    ports,
    store,
    sessions: { strategy },
  } = host
  const records = sessionRecords(host)
  const slots = recordKind<SlotsData>(host, KIND, {
    shape: slotsData,
    // Sessions are counted from their own records, except those of the last minute.
    onDamaged(_, report) {
      report('the sessions of the user were counted again')
      return NO_SLOTS
    },
  })

  /** Returns the records of the user's other active sessions, by their ids. */
  async function others({ sid, userId, replaces }: AskedSlot): Promise<Map<string, SessionData>> {
    const all = (await recordsOf(userId, records)).map(({ key, data }) => [key, data] as const)
    return new Map(
      all.filter(
        ([id, { ended, until }]) => id !== sid && id !== replaces && !ended && until > ports.now(),
      ),
    )
  }

  /**
   * Returns the sessions that have a slot, or that need one because they are older than the limit. The one that was
   * seen longest ago comes first.
   */
  function holders(
    live: ReadonlyMap<string, SessionData>,
    { entries, leaving }: SlotsData,
  ): (readonly [string, SessionData])[] {
    const held = new Set(entries.map(({ sid }) => sid))
    return [...live]
      .filter(([sid, data]) => !leaving.includes(sid) && (held.has(sid) || isOld(data)))
      .sort(([a, one], [b, other]) => one.seen - other.seen || a.localeCompare(b))
  }

  const isOld = ({ begun }: SessionData): boolean => begun <= ports.now() - LONGEST_SIGN_IN

  /** Removes sessions whose row was deleted. */
  async function withRows(
    held: (readonly [string, SessionData])[],
    userId: string,
  ): Promise<(readonly [string, SessionData])[]> {
    if (strategy() === 'jwt') return held
    const listed = await store?.atomic.listSessionsByUserId?.(userId)
    const rows = listed && new Set(listed.map(({ sessionToken }) => sessionToken))
    const hasRow = async (key: string): Promise<boolean> =>
      rows?.has(key) ?? Boolean(await store?.getSessionAndUser(key))
    const isThere = await Promise.all(
      held.map(async ([, data]) => {
        if (!isOld(data)) return true
        return (await Promise.all((data.stored ?? []).map(hasRow))).includes(true)
      }),
    )
    return held.filter((_, at) => isThere[at])
  }

  /** Returns the sessions that keep their slot beside a new one, and those that lose it. */
  async function plan(asked: AskedSlot, data: SlotsData): Promise<{ stay: Held; leave: Held }> {
    let held = holders(await others(asked), data)
    if (held.length >= most) held = await withRows(held, asked.userId)
    const leave = held.slice(0, Math.max(0, held.length - most + 1))
    if (atLimit === 'refuse' && leave.length > 0) throw refusal(most, host)
    return { stay: held.slice(leave.length), leave }
  }

  /** Fails if a parallel call took the slot of the replaced session, which would count twice. */
  async function stillHasSlot(asked: AskedSlot, { entries }: SlotsData): Promise<void> {
    const since = ports.now() - LONGEST_SIGN_IN
    const taken = entries.filter(({ from, begun }) => from === asked.replaces && begun > since)
    if (asked.replaces === undefined || taken.length === 0) return
    const live = await others(asked)
    if (taken.some(({ sid }) => live.has(sid)))
      throw new Problem('conflict', 'the session was renewed meanwhile')
  }

  async function endAll(sids: readonly string[], userId: string): Promise<void> {
    for (const sid of sids) await end(sid, { reason: 'evicted' }, userId)
  }

  async function takeOne(asked: AskedSlot): Promise<void> {
    const { sid, userId, replaces } = asked
    let leaving: readonly string[] = []
    await slots.upsert(userId, async (data = NO_SLOTS) => {
      // The call that took their slots may have stopped before it ended them.
      await endAll(data.leaving, userId)
      await stillHasSlot(asked, data)
      const { stay, leave } = await plan(asked, data)
      const entries = stay.map(
        ([id, { begun }]): Entry =>
          data.entries.find((entry) => entry.sid === id) ?? { sid: id, begun },
      )
      const own: Entry = {
        sid,
        begun: ports.now(),
        ...(replaces !== undefined && { from: replaces }),
      }
      leaving = leave.map(([id]) => id)
      return { data: { entries: [...entries, own], leaving }, userId }
    })
    await endAll(leaving, userId)
  }

  return {
    async check(asked) {
      if (atLimit !== 'refuse') return
      await plan(asked, (await slots.get(asked.userId))?.data ?? NO_SLOTS)
    },

    // In sequence within one process, so that conflicts occur only between processes.
    take: (asked) => {
      const work = (): Promise<void> => takeOne(asked)
      return store ? store.inTurn(`session slots ${asked.userId}`, work) : work()
    },
  }
}

type Held = readonly (readonly [string, SessionData])[]

const NO_SLOTS: SlotsData = { entries: [], leaving: [] }

function slotsData(data: JsonObject): SlotsData | undefined {
  const { entries, leaving } = data
  const isWhole = isTexts(leaving) && Array.isArray(entries) && entries.every(isEntry)
  return isWhole ? (data as unknown as SlotsData) : undefined
}

const isEntry = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'sid' in entry && typeof entry.sid === 'string'

function refusal(most: number, { site }: Pick<Host, 'site'>): SessionLimit {
  const next = site.path('signin', { error: 'SessionLimit' })
  const why = `the user has ${most} sessions, which is the limit`
  const problem = new Problem('session_limit', why, { next })
  return new SessionLimit(problem)
}
