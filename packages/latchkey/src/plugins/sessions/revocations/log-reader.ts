import { inTime, type KindRecord } from '../../../entries/plugin.ts'
import { momentOf } from '../../../protocols/revocation/moment.ts'
import type { RevocationState } from '../../../protocols/revocation/state.ts'
import { LOG, type LogHost, listAll, type NumberedRecords } from './log-records.ts'
import { type Range, rangesOf, SEGMENT } from './segments.ts'
import { createSnapshot, type Entries, type LogData, type Snapshot } from './snapshot.ts'

/** The number of records in one batch. With single reads, a reader could not keep up with writers near the store. */
const AHEAD = 16

/** Attempts of a load that other calls disturb. */
const TRIES = 8

/** Milliseconds for a read. */
const PATIENCE = 10_000

/** Reads the log into the snapshot of a process. */
export interface LogReader {
  /** Reads new records. Concurrent callers share one read. @returns whether it succeeded. */
  refresh(): Promise<boolean>
  /** Reads new records, with a read that begins after this call. */
  refreshAnew(): Promise<boolean>
}

export function createReader(
  host: LogHost,
  state: RevocationState<Snapshot>,
  { records, maxEntries }: { readonly records: NumberedRecords; readonly maxEntries: number },
): LogReader {
  const { ports, logger } = host
  const { get, create } = records

  /** Returns all records after a number, and when the first missing one was requested. */
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

  /** Returns whether the log still has the records with these ids. @param first the number of the first one. */
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
    // Afterwards: while these records exist, no later one was compacted, and no backup was restored.
    if (!(await hasStill(seq, [anchor, ...found.map(({ id }) => id)]))) return load(seq)
    // Another read may have advanced the snapshot, if this one was given up as too slow.
    snapshot.advance(found.slice(snapshot.seq - seq), asOf)
    if (found.length > 0) noteChange(state)
    forgetNowAndThen(snapshot)
  }

  let forgotten = Number.NEGATIVE_INFINITY
  function forgetNowAndThen(snapshot: Snapshot): void {
    const now = ports.monotonic()
    if (now - forgotten < FORGETTING) return
    forgotten = now
    snapshot.forget(ports.now())
  }

  /** Reads the whole log. @param lost the number up to which it was known before. */
  async function load(lost?: number): Promise<void> {
    let lastGap = ''
    for (let tries = 0; tries < TRIES; tries++) {
      const log = new Map<number, LogData>()
      // First, so that records which are compacted meanwhile are read in either form.
      for (const { key, data } of await listAll(host, LOG)) log.set(Number(key), data)
      const [segments, again] = await Promise.all([listAll(host, SEGMENT), listAll(host, LOG)])
      if (log.size === 0 && segments.length === 0) {
        await create(1, NOTHING)
        continue
      }
      const ranges = rangesOf(segments)
      // A backup was restored during the read, so the records come from two logs.
      if (isMixed(log, again, ranges)) continue
      const top = Math.max(...log.keys(), ...ranges.map(({ to }) => to))
      const gaps = await gapsOf(log, ranges, top, records)
      if (gaps.length > 0 || !log.has(top)) {
        const gap = gaps.length > 0 ? String(gaps[0]) : `top ${top}`
        // A compaction ran meanwhile, or a backup was restored and the writer of this number has moved on.
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
      noteChange(state)
      return
    }
    throw new Error('too many requests write the log of ended sessions at the same time')
  }

  async function fill(numbers: readonly number[]): Promise<void> {
    for (const seq of numbers) await create(seq, NOTHING)
  }

  const refresh = (): Promise<boolean> => {
    // A read that never ends must not be what all later ones wait for. If it ends later, the snapshot has it.
    const running = (state.refreshing ??= inTime(refreshNow(), PATIENCE)
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

  return { refresh, refreshAnew }
}

/** Marks a change of the snapshot, after which remembered verdicts are invalid. */
export function noteChange(state: RevocationState<Snapshot>): void {
  state.version++
  state.alive.clear()
}

const NOTHING: Entries = { s: [], u: [] }

/** Milliseconds between two removals of expired entries. */
const FORGETTING = 10 * 60 * 1000

/** Returns the numbers that neither a record nor a range has. Records that a listing missed are added to the log. */
async function gapsOf(
  log: Map<number, LogData>,
  ranges: readonly Range[],
  top: number,
  { get }: NumberedRecords,
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

/** Returns the consecutive records at the end of the log. */
function endOf(log: ReadonlyMap<number, LogData>, top: number): LogData[] {
  const run: LogData[] = []
  for (let at = top; ; at--) {
    const data = log.get(at)
    if (!data) return run.toReversed()
    run.push(data)
  }
}

/** Returns whether a record outside of the segments is missing or differs in a later listing. */
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
