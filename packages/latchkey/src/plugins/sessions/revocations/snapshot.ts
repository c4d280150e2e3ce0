import type { JsonObject, PluginRecord } from '../../../entries/plugin.ts'
import type { Moment } from '../../../protocols/revocation/moment.ts'
import type { Known } from '../../../protocols/revocation/state.ts'
import { createFingerprints, type Fingerprints } from './fingerprints.ts'

/** A session that was ended: its name, and the second after which no cookie of it can be valid. */
export type EndedSession = readonly [sid: string, exp: number]

/** A user all of whose sessions of earlier epochs were ended; the epoch in milliseconds. */
export type EndedUser = readonly [userId: string, epoch: number, exp: number]

/** What was ended together. */
export type Entries = {
  readonly s: readonly EndedSession[]
  readonly u: readonly EndedUser[]
  /** The entries cannot be read: until this time, any session may be among them. Milliseconds since the epoch. */
  readonly unknownUntil?: number
}

/** One record of the log. */
export type LogData = Entries & {
  /** 16 random bytes: a number may be used again after a backup was restored, and this is another one then. */
  readonly id: string
  /** When it was written; milliseconds since the epoch. */
  readonly at: number
}

/** What this process knows of sessions that were ended. */
export interface Snapshot extends Known {
  /** The log was read up to this number. */
  readonly seq: number
  /** `id` of the record with that number. */
  readonly anchor: string
  readonly sids: Fingerprints
  /** Entries of the log cannot be read, so that each session may have ended. */
  readonly isDamaged: boolean
  /** Epochs of users, and the second after which the entry is of no use. */
  readonly users: ReadonlyMap<string, { readonly epoch: number; readonly exp: number }>
  /** The last records, by their numbers, for those who ask what came since one of them. */
  readonly recent: ReadonlyMap<number, LogData>
  /** Takes entries in that this process wrote itself. */
  include(entries: Entries): void
  /** Moves on along the log. */
  advance(records: readonly LogData[], asOf: Moment): void
  /** Takes out what no cookie can bring any more. @param now milliseconds since the epoch. */
  forget(now: number): void
}

/** A clock that is a day fast must drop nothing too early. Seconds. */
export const DAY: number = 24 * 60 * 60

/** An entry of the `Map` of users takes as much room as so many of the table. */
const USER = 5

/** So many of the last records are kept whole. */
const RECENT = 1000

/** Seconds after which no cookie is valid, whatever `maxAge` is: browsers keep none for longer than 400 days. */
const LONGEST = 402 * DAY

/** Seconds by which the clocks of processes may differ, before and after. */
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

/** Returns the data of a record of the log, or of a part of a compacted one. */
export function logData(data: JsonObject): LogData | undefined {
  const { id = UNKNOWN_ID, at = 0, s, u } = data as Partial<LogData>
  const isWhole = typeof id === 'string' && typeof at === 'number'
  return isWhole && isList(s, 2) && isList(u, 3) ? { id, at, s, u } : undefined
}

/**
 * Returns data for a damaged record of the log, which does not stop its readers: its entries are unknown, so the record of
 * each session is asked until they have expired.
 *
 * @param longestSession seconds.
 */
export function unknownEntries(
  { createdAt }: Pick<PluginRecord, 'createdAt'>,
  longestSession: number,
): LogData {
  const written = createdAt.getTime()
  const lasts = Math.min(longestSession + CLOCKS, LONGEST) * 1000
  return { id: UNKNOWN_ID, at: written, s: [], u: [], unknownUntil: written + lasts }
}

/** The id of a damaged record: of the form that others have. */
const UNKNOWN_ID = 'A'.repeat(22)

/** Returns whether each entry of a stored list has a name and one or two numbers. */
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
