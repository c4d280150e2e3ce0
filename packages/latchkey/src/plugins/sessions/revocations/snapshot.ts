import type { JsonObject, PluginRecord } from '../../../entries/plugin.ts'
import type { Moment } from '../../../protocols/revocation/moment.ts'
import type { Known } from '../../../protocols/revocation/state.ts'
import { createFingerprints, type Fingerprints } from './fingerprints.ts'

/** An ended session: its id, and the second at which its last cookie expires. */
export type EndedSession = readonly [sid: string, exp: number]

/** A user whose earlier sessions have ended; the epoch is in milliseconds. */
export type EndedUser = readonly [userId: string, epoch: number, exp: number]

/** Entries that were written together. */
export type Entries = {
  readonly s: readonly EndedSession[]
  readonly u: readonly EndedUser[]
  /**
   * Set if the entries cannot be read. Until this time, any session may be among them; in milliseconds since the epoch.
   */
  readonly unknownUntil?: number
}

/** One record of the log. */
export type LogData = Entries & {
  /** 16 random bytes. After a restored backup, a number may be used by another record, which this id reveals. */
  readonly id: string
  /** When it was written, in milliseconds since the epoch. */
  readonly at: number
}

/** The ended sessions that this process knows. */
export interface Snapshot extends Known {
  /** The number of the last record that was read. */
  readonly seq: number
  /** The `id` of that record. */
  readonly anchor: string
  readonly sids: Fingerprints
  /** Whether entries of the log cannot be read, so that any session may have ended. */
  readonly isDamaged: boolean
  /** The epochs of users, and the second at which each entry expires. */
  readonly users: ReadonlyMap<string, { readonly epoch: number; readonly exp: number }>
  /** The last records, by their numbers, for readers that need only newer ones. */
  readonly recent: ReadonlyMap<number, LogData>
  /** Adds entries that this process wrote itself. */
  include(entries: Entries): void
  /** Adds the next records of the log. */
  advance(records: readonly LogData[], asOf: Moment): void
  /** Removes expired entries. @param now in milliseconds since the epoch. */
  forget(now: number): void
}

/** A tolerance for fast clocks, in seconds. */
export const DAY: number = 24 * 60 * 60

/** The number of table slots that one entry of the `Map` of users is worth. */
const USER = 5

/** The number of last records that are kept whole. */
const RECENT = 1000

/** Seconds after which every cookie has expired, since browsers keep none for longer than 400 days. */
const LONGEST = 402 * DAY

/** The tolerated difference between clocks of processes, in seconds, before and after. */
const CLOCKS = 2 * DAY

/** @param first the entries of segments and of the log, up to `seq`. */
export function createSnapshot(
  first: {
    readonly entries: readonly Entries[]
    readonly records: readonly LogData[]
    readonly seq: number
  },
  {
    asOf,
    now,
    maxEntries,
  }: { readonly asOf: Moment; readonly now: number; readonly maxEntries: number },
): Snapshot {
  const sids = createFingerprints(first.entries.reduce((count, { s }) => count + s.length, 0))
  const users = new Map<string, { epoch: number; exp: number }>()
  const recent = new Map<number, LogData>()
  let seq = first.seq - first.records.length
  let anchor = ''
  let stamp = asOf
  let unknown = 0

  function include({ s, u, unknownUntil = 0 }: Entries, after: number): void {
    if (unknownUntil > after * 1000) unknown = Math.max(unknown, unknownUntil)
    for (const [sid, exp] of s) if (exp + DAY > after) sids.add(sid, exp)
    for (const [userId, epoch, exp] of u) {
      const known = users.get(userId)
      if (exp + DAY > after && (known === undefined || known.epoch < epoch)) {
        users.set(userId, { epoch, exp })
      }
    }
  }

  function advance(records: readonly LogData[], after: number): void {
    for (const record of records) {
      include(record, after)
      recent.set(++seq, record)
      anchor = record.id
      if (recent.size > RECENT) recent.delete(seq - RECENT)
    }
  }

  for (const entries of first.entries) include(entries, now / 1000)
  advance(first.records, now / 1000)
  return {
    get seq() {
      return seq
    },
    get anchor() {
      return anchor
    },
    get asOf() {
      return stamp
    },
    get isFull() {
      return unknown > 0 || sids.size + users.size * USER > maxEntries
    },
    get isDamaged() {
      return unknown > 0
    },
    sids,
    users,
    recent,
    include: (entries) => include(entries, 0),
    advance(records, time) {
      advance(records, time.wall / 1000)
      if (time.monotonic >= stamp.monotonic) stamp = time
    },
    forget(time) {
      sids.forget(time / 1000 - DAY)
      if (unknown <= time) unknown = 0
      for (const [userId, { exp }] of users) if (exp + DAY <= time / 1000) users.delete(userId)
    },
  }
}

/** Returns the data of a record of the log, or of a segment. */
export function logData(data: JsonObject): LogData | undefined {
  const { id = UNKNOWN_ID, at = 0, s, u } = data as Partial<LogData>
  const isWhole = typeof id === 'string' && typeof at === 'number'
  return isWhole && isList(s, 2) && isList(u, 3) ? { id, at, s, u } : undefined
}

/**
 * Returns the data for a damaged record of the log. Its entries are unknown, so the record of each session is read
 * until they have expired.
 *
 * @param longestSession in seconds.
 */
export function unknownEntries(
  { createdAt }: Pick<PluginRecord, 'createdAt'>,
  longestSession: number,
): LogData {
  const written = createdAt.getTime()
  const lasts = Math.min(longestSession + CLOCKS, LONGEST) * 1000
  return { id: UNKNOWN_ID, at: written, s: [], u: [], unknownUntil: written + lasts }
}

/** The id of a damaged record, in the form of other ids. */
const UNKNOWN_ID = 'A'.repeat(22)

/** Returns whether each entry of a stored list has an id and one or two numbers. */
function isList<Entry extends readonly [string, number, number?]>(
  stored: readonly Entry[] | undefined,
  length: number,
): stored is readonly Entry[] {
  return (
    Array.isArray(stored) &&
    stored.every(
      (entry: unknown) =>
        Array.isArray(entry) &&
        entry.length === length &&
        typeof entry[0] === 'string' &&
        typeof entry[1] === 'number' &&
        typeof entry[length - 1] === 'number',
    )
  )
}
