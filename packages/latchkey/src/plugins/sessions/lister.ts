import {
  type CurrentSession,
  definedOnly,
  type Host,
  isTexts,
  isTime,
  type Proved,
  type SessionFacts,
  sessionName,
} from '../../entries/plugin.ts'
import type { Seen } from './observer.ts'
import type { Cover, Ending } from './records/end.ts'
import type { Keeper } from './records/keeper.ts'
import { recordsOf, type SessionRecord, sessionRecords } from './records/session-record.ts'
import type { SessionInfo } from './session-info.ts'

/** The largest number of sessions in a list. */
const LONGEST_LIST = 500

/** The caller, whose session was read from the store. */
export interface Caller extends Proved {
  readonly sid: string
  readonly userId: string
  readonly record: SessionRecord | null
}

/** Lists and ends sessions. */
export interface SessionLister {
  /** Returns the caller; `null` without a session, or if it has ended. @throws if the store cannot be read. */
  caller(current: CurrentSession | null, request: Seen): Promise<Caller | null>
  /** @param current the id of the caller's session. */
  list(userId: string, current?: string): Promise<SessionInfo[]>
  current(caller: Caller): Promise<SessionInfo>
  /** @returns the session; `null` if it is over, unknown, or belongs to another user. */
  rename(userId: string, id: string, name: string, current?: string): Promise<SessionInfo | null>
  /** @returns whether this call ended it; `undefined` if it is unknown or belongs to another user. */
  end(userId: string, id: string, how: Ending): Promise<boolean | undefined>
  /** @returns how many sessions this call ended. */
  endAll(userId: string, how: Ending, except?: string): Promise<number>
}

/** An active session: its record, its row, or both. */
interface Live {
  readonly id: string
  readonly expires: number
  readonly record?: SessionRecord | undefined
}

/** A row without a record. */
interface Row {
  readonly key: string
  readonly expires: number
}

/** @param isOver reads from the store whether a sealed session has ended. */
export function createLister(
  host: Host,
  keeper: Keeper,
  isOver: (session: SessionFacts) => Promise<boolean>,
): SessionLister {
  const { store, ports } = host
  const records = sessionRecords(host)

  /** Returns the unexpired rows of a user, by their keys. @param known keys in records. */
  async function rowsOf(userId: string, known: readonly string[]): Promise<Map<string, Row>> {
    const listed = await store?.atomic.listSessionsByUserId?.(userId)
    const found =
      listed ??
      (await Promise.all(known.map(async (key) => (await store?.getSessionAndUser(key))?.session)))
    const rows = new Map<string, Row>()
    for (const row of found) {
      const expires = row?.expires.getTime() ?? 0
      if (row?.userId === userId && expires > ports.now())
        rows.set(row.sessionToken, { key: row.sessionToken, expires })
    }
    return rows
  }

  /**
   * @param also `over`: also sealed sessions that have ended, of which the log may not know, and those that are over by
   * the clock of this process, since other clocks may differ. `damaged`: also sessions with a damaged record.
   */
  async function live(
    userId: string,
    also: { over?: boolean; damaged?: boolean } = {},
  ): Promise<Live[]> {
    const all = await recordsOf(userId, records)
    const liveOf = (record: SessionRecord): Live => ({
      id: record.key,
      expires: record.data.until,
      record,
    })
    if (!also.damaged) {
      for (const { key, data } of all)
        if (data.isDamaged)
          void host.work.background('damaged-session', () =>
            keeper.end(key, { reason: 'application' }),
          )
    }
    if (host.sessions.strategy() === 'jwt') {
      return all
        .filter(({ data: { ended, until, isDamaged } }) => {
          if (isDamaged) return also.damaged
          return ended ? also.over && ended.seq === undefined : also.over || until > ports.now()
        })
        .map(liveOf)
    }
    const rows = await rowsOf(
      userId,
      all.flatMap(({ data }) => data.stored ?? []),
    )
    const sessions: Live[] = []
    for (const record of all) {
      const { data } = record
      if (data.isDamaged && also.damaged) sessions.push(liveOf(record))
      for (const key of data.stored ?? []) {
        const row = rows.get(key)
        rows.delete(key)
        if (row && !data.ended) sessions.push({ id: record.key, expires: row.expires, record })
      }
    }
    for (const { key, expires } of rows.values()) sessions.push({ id: await rowId(key), expires })
    return sessions
  }

  /** Ends a row without a record. */
  async function endRow(
    userId: string,
    id: string,
    { reason, by }: Ending,
  ): Promise<boolean | undefined> {
    if (host.sessions.strategy() === 'jwt') return undefined
    for (const { key } of (await rowsOf(userId, [])).values()) {
      if ((await rowId(key)) !== id) continue
      if (!(await store?.deleteSession(key))) return false
      const at = new Date(ports.now())
      await host.tell('sessionEnded', { sid: id, userId, reason, ...definedOnly({ by }), at })
      return true
    }
    return undefined
  }

  const end = async (
    userId: string,
    id: string,
    how: Ending,
    cover?: Cover,
  ): Promise<boolean | undefined> =>
    (await keeper.end(id, how, userId, cover)) ?? endRow(userId, id, how)

  return {
    async caller(current, request) {
      if (!current) return null
      const { facts, holder } = current
      if (facts.strategy === 'jwt' && (await isOver(facts))) return null
      const record = await keeper.adopt(facts)
      const userId = facts.userId ?? record?.userId
      if (userId === undefined || (record && record.data.ended)) return null
      if (record && !(await keeper.fits(record, request))) return null
      return { sid: await facts.sid(), userId, facts, holder, record }
    },

    async list(userId, current) {
      const infos = (await live(userId)).map((session) => infoOf(session, current))
      return infos.sort(newestFirst).slice(0, LONGEST_LIST)
    },

    async current({ sid, facts, record }) {
      return infoOf({ id: sid, expires: facts.expires, record: record ?? undefined }, sid)
    },

    async rename(userId, id, name, current) {
      const record = await keeper.rename(id, userId, name)
      return record && infoOf({ id, expires: record.data.until, record }, current)
    },

    end,

    async endAll(userId, how, except) {
      // First, so that later sessions are either found below or refused.
      const cover = await keeper.endEarlier(userId, except)
      let count = 0
      for (const { id } of await live(userId, { over: cover !== undefined, damaged: true })) {
        if (id !== except && (await end(userId, id, how, cover))) count++
      }
      return count
    },
  }
}

/** Returns the id of a row without a record. The key of the row is a keyed hash, so the id is not a credential. */
async function rowId(key: string): Promise<string> {
  return `x${(await sessionName(key)).slice(0, 21)}`
}

function infoOf({ id, expires, record }: Live, current: string | undefined): SessionInfo {
  const common = { id, current: id === current, expires: isoDate(expires) }
  if (!record) return { ...common, remembered: true, via: 'cookie', methods: [] }
  const data = record.data
  const { begun, seen, per, auth_time, amr = [], provider, via = 'cookie' } = data
  const { device, address, name } = data
  return {
    ...common,
    begun: isoDate(begun),
    seen: isoDate(seen),
    ...(auth_time !== undefined &&
      isTime(auth_time * 1000) && { authTime: isoDate(auth_time * 1000) }),
    remembered: per !== 0,
    via,
    methods: isTexts(amr) ? amr : [],
    ...definedOnly({ provider, device, address, name }),
  }
}

/** Puts the session of the caller first. */
function newestFirst(a: SessionInfo, b: SessionInfo): number {
  if (a.current !== b.current) return a.current ? -1 : 1
  return (b.seen ?? '').localeCompare(a.seen ?? '') || a.id.localeCompare(b.id)
}

const isoDate = (time: number): string => new Date(time).toISOString()
