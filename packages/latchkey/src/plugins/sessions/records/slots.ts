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

/** One record a user: the sessions that they may have. */
const KIND = 'session-slots'

/** A sign-in takes less: a younger session without a slot may be about to get one, or its row. Milliseconds. */
const LONGEST_SIGN_IN = 60_000

type Entry = {
  readonly sid: string
  readonly begun: number
  /** The session whose slot it took. */
  readonly from?: string
}

type SlotsData = {
  readonly entries: readonly Entry[]
  /** Sessions that lost their slot last. Whoever took it ends them, or the next one does. */
  readonly leaving: readonly string[]
}

/** Ends a session of a user. */
type EndSession = (
  sid: string,
  how: { readonly reason: 'evicted' },
  userId: string,
) => Promise<unknown>

/** Who wants a slot. */
export interface AskedSlot {
  readonly sid: string
  readonly userId: string
  /** The session that ends for it. */
  readonly replaces: string | undefined
}

/** The sessions that each user may have. */
export interface Slots {
  /** @throws {SessionLimit} where a further session would be refused, before anything is written. */
  check(asked: AskedSlot): Promise<void>
  /** Gives a session its slot. Its record is there already. @throws {SessionLimit} when it is refused. */
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
    // Sessions are counted from their own records, without those of the last minute.
    onDamaged(_, report) {
      report('the sessions of the user were counted again')
      return NO_SLOTS
    },
  })

  /** Records of the user's other sessions that go on, by their names. */
  async function others({ sid, userId, replaces }: AskedSlot): Promise<Map<string, SessionData>> {
    const all = (await recordsOf(userId, records)).map(({ key, data }) => [key, data] as const)
    return new Map(
      all.filter(
        ([id, { ended, until }]) => id !== sid && id !== replaces && !ended && until > ports.now(),
      ),
    )
  }

  /** Those that hold a slot, or need one since they have none from before there was a limit; seen longest ago first. */
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

  /** Without those whose row is gone. */
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

  /** Who has a slot beside a further session, and who loses one to it. */
  async function plan(asked: AskedSlot, data: SlotsData): Promise<{ stay: Held; leave: Held }> {
    let held = holders(await others(asked), data)
    if (held.length >= most) held = await withRows(held, asked.userId)
    const leave = held.slice(0, Math.max(0, held.length - most + 1))
    if (atLimit === 'refuse' && leave.length > 0) throw refusal(most)
    return { stay: held.slice(leave.length), leave }
  }

  /** Fails where a parallel call took the slot of the session that is replaced: it would count twice. */
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
      // Whoever took their slots may have been stopped before they were ended.
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

    // In one process one after the other, so that only processes meet.
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

function refusal(most: number): SessionLimit {
  const problem = new Problem('session_limit', `the user has ${most} sessions, which is the limit`)
  return new SessionLimit(problem)
}
