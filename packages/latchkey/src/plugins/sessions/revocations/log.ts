import {
  encodeBase64url,
  type Host,
  type HostSessions,
  type KindRecord,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'
import { momentOf } from '../../../protocols/revocation/moment.ts'
import type { RevocationState } from '../../../protocols/revocation/state.ts'
import { type Range, rangesOf, SEGMENT } from './segments.ts'
import {
  createSnapshot,
  type Entries,
  type LogData,
  logData,
  type Snapshot,
  unknownEntries,
} from './snapshot.ts'

/** Records of what was ended; the key of one is its number, and the numbers have no gap. */
export const LOG = 'revocation-log'

/** So many records are asked for at once, or a reader would not catch up with writers that are as near to the store. */
const AHEAD = 16

/** Entries of one record. */
const MOST_ENTRIES = 500

/** How often a load or an append is tried again because others were faster. */
const TRIES = 8

/** What of the host the log needs. */
export type LogHost = Pick<Host, 'records' | 'ports' | 'logger'> & {
  readonly sessions: Pick<HostSessions, 'longest'>
}

/** The log of what was ended, as a process reads and writes it. */
export interface RevocationLog {
  /** Reads what is new. All who ask while it runs share one reading. @returns whether it worked. */
  refresh(): Promise<boolean>
  /** The same, begun after this call. */
  refreshAnew(): Promise<boolean>
  /**
   * Writes entries down. What is asked for meanwhile goes into the next record together.
   *
   * @returns the number of the record.
   * @throws when the store fails; then it may be written or not.
   */
  append(entries: Entries): Promise<number>
  /** The record with a number; `undefined` if there is none, or it was compacted. */
  read(seq: number): Promise<Entries | undefined>
}

/** Entries that wait for their turn. */
interface Waiting {
  readonly entries: Entries
  readonly written: (seq: number) => void
  readonly failed: (error: unknown) => void
}

export function createLog(
  host: LogHost,
  state: RevocationState<Snapshot>,
  {
    maxEntries,
    notify,
  }: {
    readonly maxEntries: number
    readonly notify?: ((seq: number) => Promise<void>) | undefined
  },
): RevocationLog {
  const { ports, logger } = host
  const records = logRecords(host, LOG)
  const get = async (seq: number): Promise<LogData | undefined> =>
    (await records.get(String(seq)))?.data

  const create = (seq: number, entries: Entries): Promise<boolean> => {
    const data: LogData = {
      id: encodeBase64url(ports.random(16)),
      at: ports.now(),
      ...entries,
    }
    return records.create({ key: String(seq), data })
  }

  function changed(): void {
    state.version++
    state.alive.clear()
  }

  /** The records after a number, as many as there are, and when it was asked for the one that is not there. */
  async function readFrom(seq: number): Promise<{ found: LogData[]; asOf: Snapshot['asOf'] }> {
    const found: LogData[] = []
    for (let many = 1; ; many = AHEAD) {
      const asOf = momentOf(ports)
      const next = seq + found.length + 1
      const batch = await Promise.all(Array.from({ length: many }, (_, index) => get(next + index)))
      const end = batch.indexOf(undefined)
      found.push(...((end === -1 ? batch : batch.slice(0, end)) as LogData[]))
      if (end !== -1) return { found, asOf }
    }
  }

  /** Does the log still have the records with these ids? @param first the number of the first of them. */
  async function hasStill(first: number, ids: readonly string[]): Promise<boolean> {
    for (let at = 0; at < ids.length; at += AHEAD) {
      const part = ids.slice(at, at + AHEAD)
      const there = await Promise.all(part.map((_, index) => get(first + at + index)))
      if (there.some((data, index) => data?.id !== part[index])) return false
    }
    return true
  }

  async function refreshNow(): Promise<void> {
    const { snapshot } = state
    if (!snapshot || state.isLost) return load()
    const { seq, anchor } = snapshot
    const { found, asOf } = await readFrom(seq)
    // Afterwards: while they are there, nothing above the first was compacted away, and no backup was restored.
    if (!(await hasStill(seq, [anchor, ...found.map(({ id }) => id)]))) return load(seq)
    // Another reading may have been here, if this one was given up as too slow.
    snapshot.advance(found.slice(snapshot.seq - seq), asOf)
    if (found.length > 0) changed()
    forgetNowAndThen(snapshot)
  }

  let forgotten = Number.NEGATIVE_INFINITY
  function forgetNowAndThen(snapshot: Snapshot): void {
    const now = ports.monotonic()
    if (now - forgotten < FORGETTING) return
    forgotten = now
    snapshot.forget(ports.now())
  }

  /** Reads the whole log. @param lost the number that it went up to when it was known last. */
  async function load(lost?: number): Promise<void> {
    let lastGap = ''
    for (let tries = 0; tries < TRIES; tries++) {
      const log = new Map<number, LogData>()
      // First: what is compacted in between is in both.
      for (const { key, data } of await listAll(host, LOG)) log.set(Number(key), data)
      const [segments, again] = await Promise.all([listAll(host, SEGMENT), listAll(host, LOG)])
      if (log.size === 0 && segments.length === 0) {
        await create(1, NOTHING)
        continue
      }
      const ranges = rangesOf(segments)
      // A backup was restored while the log was listed: some records are of the log before, some of the one after.
      if (isMixed(log, again, ranges)) continue
      const top = Math.max(...log.keys(), ...ranges.map(({ to }) => to))
      const gaps = await gapsOf(log, ranges, top)
      if (gaps.length > 0 || !log.has(top)) {
        const gap = gaps.length > 0 ? String(gaps[0]) : `top ${top}`
        // A compaction was in between; or a backup was restored, and whoever was about to use the number takes the next.
        if (gap === lastGap) await fill(gaps.length > 0 ? gaps : [top])
        lastGap = gap
        continue
      }
      const run = endOf(log, top)
      const { found, asOf } = await readFrom(top)
      const ids = [log.get(top)?.id ?? '', ...found.map(({ id }) => id)]
      if (!(await hasStill(top, ids))) continue
      const snapshot = createSnapshot(
        { entries: [...segments.map(({ data }) => data), ...log.values()], records: run, seq: top },
        { asOf, now: ports.now(), maxEntries },
      )
      snapshot.advance(found, asOf)
      if (lost !== undefined && !isWithin(lost, ranges)) {
        logger.warn(
          'revocation-log-lost',
          `record ${lost} of the log of ended sessions is missing or has changed: was a backup restored? Sessions that were ended after the backup may be valid again`,
        )
      }
      state.snapshot = snapshot
      state.isLost = false
      changed()
      return
    }
    throw new Error('too many requests write the log of ended sessions at the same time')
  }

  /** Numbers that neither a record nor a range has; those that a listing overlooked are added to the log. */
  async function gapsOf(
    log: Map<number, LogData>,
    ranges: readonly Range[],
    top: number,
  ): Promise<number[]> {
    const missing: number[] = []
    let at = 1
    while (at <= top) {
      const range = ranges.find(({ from, to }) => from <= at && at <= to)
      if (range) at = range.to
      else if (!log.has(at)) missing.push(at)
      at++
    }
    const gaps: number[] = []
    for (const seq of missing) {
      const data = await get(seq)
      if (data) log.set(seq, data)
      else gaps.push(seq)
    }
    return gaps
  }

  async function fill(numbers: readonly number[]): Promise<void> {
    for (const seq of numbers) await create(seq, NOTHING)
  }

  const refresh = (): Promise<boolean> => {
    const running = (state.refreshing ??= refreshNow()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        if (state.refreshing === running) state.refreshing = undefined
      }))
    return running
  }

  const refreshAnew = async (): Promise<boolean> => {
    await state.refreshing
    return refresh()
  }

  /** @returns the number under which the entries are. */
  async function write(entries: Entries): Promise<number> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { snapshot } = state
      if (snapshot && !state.isLost) {
        const { seq, anchor } = snapshot
        if (await create(seq + 1, entries)) {
          const before = await get(seq)
          if (before?.id === anchor) return seq + 1
          // The number was free because the log is another one: nobody looks there.
          state.isLost = true
        }
      }
      if (!(await refreshAnew())) break
    }
    throw new Error('the end of a session could not be stored')
  }

  const waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  function begin(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined
      // It may have come just as the last one was written.
      if (waiting.length > 0) begin()
    })
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      const entries = {
        s: group.flatMap(({ entries: { s } }) => s),
        u: group.flatMap(({ entries: { u } }) => u),
      }
      try {
        const seq = await write(entries)
        state.snapshot?.include(entries)
        changed()
        for (const { written } of group) written(seq)
        // A hint, which may be lost.
        notify?.(seq).catch(() => undefined)
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
  }

  return {
    refresh,
    refreshAnew,
    read: get,
    append: (entries) =>
      new Promise((written, failed) => {
        waiting.push({ entries, written, failed })
        begin()
      }),
  }
}

/** Returns the records of the log, or of its segments. */
export function logRecords(host: LogHost, kind: string): RecordKind<LogData> {
  return recordKind(host, kind, {
    shape: logData,
    onDamaged(record, report) {
      report('each read of a sealed session calls the store')
      return unknownEntries(record, host.sessions.longest())
    },
  })
}

/** Returns all records of a kind: each that was there during the whole listing. */
export async function listAll(host: LogHost, kind: string): Promise<KindRecord<LogData>[]> {
  const all: KindRecord<LogData>[] = []
  for await (const record of logRecords(host, kind).each()) all.push(record)
  return all
}

const NOTHING: Entries = { s: [], u: [] }

/** Milliseconds between two times at which old entries are taken out. */
const FORGETTING = 10 * 60 * 1000

const sizeOf = ({ s, u }: Entries): number => s.length + u.length

/** Those from the front that fit into one record; at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let size = 0
  let many = 0
  for (const { entries } of waiting) {
    size += sizeOf(entries)
    if (many > 0 && size > MOST_ENTRIES) break
    many++
  }
  return waiting.splice(0, many)
}

/** The records at the end of the log that follow each other. */
function endOf(log: ReadonlyMap<number, LogData>, top: number): LogData[] {
  const run: LogData[] = []
  for (let at = top; ; at--) {
    const data = log.get(at)
    if (!data) return run.toReversed()
    run.push(data)
  }
}

/** Is one of the records that no segment has another one in a later listing, or not there any more? */
function isMixed(
  log: ReadonlyMap<number, LogData>,
  later: readonly KindRecord<LogData>[],
  ranges: readonly Range[],
): boolean {
  const ids = new Map(later.map(({ key, data }) => [Number(key), data.id]))
  return [...log].some(([seq, { id }]) => ids.get(seq) !== id && !isWithin(seq, ranges))
}

const isWithin = (seq: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ from, to }) => from <= seq && seq <= to)
