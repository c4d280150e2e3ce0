import type { KindRecord } from '../../../entries/plugin.ts'
import type { LogData } from './snapshot.ts'

/** Records of older ends. Each merges many records of the log. */
export const SEGMENT = 'revocation-segment'

/** The place of the entries of a segment in the log: `<from>-<to>.<part>of<parts>.<run>`. */
export interface SegmentKey {
  readonly from: number
  readonly to: number
  /** Starts at 1. */
  readonly part: number
  readonly parts: number
  /** The id of the compaction. Two compactions may divide entries differently if one expired in between. */
  readonly run: string
}

/** A range of numbers in the log, with all segments of one compaction. */
export interface Range {
  readonly from: number
  readonly to: number
  readonly run: string
  readonly records: readonly KindRecord<LogData>[]
}

export function segmentKey({ from, to, part, parts, run }: SegmentKey): string {
  return `${from}-${to}.${part}of${parts}.${run}`
}

function parseKey(key: string): SegmentKey | undefined {
  const found = /^(\d+)-(\d+)\.(\d+)of(\d+)\.([\w-]+)$/.exec(key)
  if (!found) return undefined
  const [from = 0, to = 0, part = 0, parts = 0] = found.slice(1, 5).map(Number)
  return { from, to, part, parts, run: found[5] ?? '' }
}

/** Returns the complete ranges, by their beginning. */
export function rangesOf(segments: readonly KindRecord<LogData>[]): Range[] {
  const runs = new Map<string, { key: SegmentKey; parts: Map<number, KindRecord<LogData>> }>()
  for (const record of segments) {
    const key = parseKey(record.key)
    if (!key) continue
    const name = `${key.from}-${key.to}.${key.parts}.${key.run}`
    const run = runs.get(name) ?? { key, parts: new Map<number, KindRecord<LogData>>() }
    runs.set(name, run)
    run.parts.set(key.part, record)
  }
  return (
    [...runs.values()]
      .filter(({ key, parts }) => parts.size === key.parts)
      .map(({ key: { from, to, run }, parts }) => ({ from, to, run, records: [...parts.values()] }))
      // All processes use the same order, for any order of the listing.
      .sort((a, b) => a.from - b.from || b.to - a.to || (a.run < b.run ? -1 : 1))
  )
}

/** Returns the segments of an incomplete compaction. */
export function orphansOf(segments: readonly KindRecord<LogData>[]): KindRecord<LogData>[] {
  const whole = new Set(rangesOf(segments).flatMap(({ records }) => records))
  return segments.filter((record) => !whole.has(record))
}
