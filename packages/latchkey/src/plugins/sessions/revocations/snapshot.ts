import type { JsonObject } from '../../../plugin-kit.ts'
import type { Moment } from '../../../revocation/moment.ts'
import type { Known } from '../../../revocation/state.ts'
import { createFingerprints, type Fingerprints } from './fingerprints.ts'

/** A session that was ended: its name, and the second after which no cookie of it can be valid. */
export type EndedSession = readonly [sid: string, exp: number]

/** A user all of whose sessions of earlier epochs were ended; the epoch in milliseconds. */
export type EndedUser = readonly [userId: string, epoch: number, exp: number]

/** What was ended together. */
export interface Entries {
  readonly s: readonly EndedSession[]
  readonly u: readonly EndedUser[]
}

/** One record of the log. */
export interface LogData extends Entries {
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

  function include({ s, u }: Entries, after: number): void {
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
      return sids.size + users.size * USER > maxEntries
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
      for (const [userId, { exp }] of users) if (exp + DAY <= time / 1000) users.delete(userId)
    },
  }
}

/** A record of the log or a part of one that was compacted, as stored. */
export function entriesOf({ data }: { readonly data: JsonObject }): LogData {
  return data as unknown as LogData
}
