import { type Budget, encodeBase64url, type KindRecord } from '../../../entries/plugin.ts'
import { LOG, type LogHost, listAll, logRecords } from './log-records.ts'
import { orphansOf, type Range, rangesOf, SEGMENT, segmentKey } from './segments.ts'
import { DAY, type EndedSession, type EndedUser, type Entries, type LogData } from './snapshot.ts'

/** Milliseconds for which a record stays in the log. This saves readers a full load, and has no other effect. */
const RECENTLY = 10 * 60 * 1000

export interface CompactionSizes {
  /** The smallest number of older records for a compaction. */
  readonly least: number
  /** The largest number of entries in one segment. */
  readonly part: number
}

type Entry = { readonly s: EndedSession } | { readonly u: EndedUser }

const SIZES: CompactionSizes = { least: 1000, part: 1000 }

/**
 * Merges older records of the log into segments, and drops entries whose cookies have expired. It may stop at any point
 * and run twice, since readers read everything that they find. The ranges cover the log from its beginning without a
 * gap.
 */
export async function compact(
  host: LogHost,
  budget: Budget,
  { least, part }: CompactionSizes = SIZES,
): Promise<void> {
  const { ports } = host
  const [records, parts] = [logRecords(host, LOG), logRecords(host, SEGMENT)]
  const log = new Map(
    (await listAll(host, LOG)).map(({ key, data }) => [Number(key), data] as const),
  )
  const ranges = rangesOf(await listAll(host, SEGMENT))
  const newest = Math.max(0, ...log.keys())
  let covered = 0
  for (const { from, to } of ranges) if (from <= covered + 1) covered = Math.max(covered, to)
  const done = [...log.keys()].filter((seq) => seq <= covered)

  let to = covered
  while (to + 1 < newest && isOld(log.get(to + 1))) to++
  if (to - covered >= least) {
    const numbers = Array.from({ length: to - covered }, (_, index) => covered + 1 + index)
    await write(
      covered + 1,
      to,
      numbers.flatMap((seq) => log.get(seq) ?? []),
    )
    done.push(...numbers)
  }
  const segments = await listAll(host, SEGMENT)
  const has = contentsOf(rangesOf(segments))
  // In sequence, the lowest number first: if a reader finds a number, all higher ones still exist.
  for (const seq of done.sort((a, b) => a - b)) {
    if (budget.isOver()) return
    if (seq >= newest) continue
    const { data } = (await records.get(String(seq))) ?? {}
    if (data && isUnknown(data)) break
    // After a restored backup, the number may belong to another record whose entries no segment has.
    if (data && !live([data]).every(has)) break
    await records.delete(String(seq))
  }
  await tidy(segments)

  function isOld(data: LogData | undefined): boolean {
    return data !== undefined && ports.now() - data.at > RECENTLY && !isUnknown(data)
  }

  /** A damaged record cannot be merged. It stays until its entries have expired. */
  function isUnknown({ unknownUntil = 0 }: Entries): boolean {
    return unknownUntil > ports.now()
  }

  /** Removes expired segments, and merges ranges that have become half empty. */
  async function tidy(segments: readonly KindRecord<LogData>[]): Promise<void> {
    for (const orphan of orphansOf(segments)) {
      const age = ports.now() - orphan.createdAt.getTime()
      if (age > ABANDONED && !budget.isOver()) await parts.delete(orphan.key)
    }
    const all = rangesOf(segments)
    for (const [index, first] of all.entries()) {
      const second = all[index + 1]
      if (budget.isOver()) return
      if (!second || second.from > first.to + 1) continue
      // A range inside another one comes from a second compaction, and may have entries of its own.
      const isInside = second.to <= first.to
      const both = [...first.records, ...second.records]
      const entries = both.map((each) => each.data)
      if (entries.some(isUnknown)) continue
      if (!isInside && live(entries).length > both.length * part * FULL) continue
      await write(first.from, Math.max(first.to, second.to), entries)
      for (const { key } of both) await parts.delete(key)
      // The next compaction continues from here.
      return
    }
  }

  /** Returns the unexpired entries: each session and each user once, with the latest end. */
  function live(all: readonly Entries[]): Entry[] {
    const earliest = ports.now() / 1000 - DAY
    const sessions = new Map<string, EndedSession>()
    const users = new Map<string, EndedUser>()
    for (const { s, u } of all) {
      for (const [sid, exp] of s) {
        if (exp > earliest) sessions.set(sid, [sid, Math.max(exp, sessions.get(sid)?.[1] ?? 0)])
      }
      for (const [id, epoch, exp] of u) {
        if (exp <= earliest) continue
        const [, known = 0, lasts = 0] = users.get(id) ?? []
        users.set(id, [id, Math.max(epoch, known), Math.max(exp, lasts)])
      }
    }
    return [
      ...[...sessions.values()].map((each) => ({ s: each })),
      ...[...users.values()].map((each) => ({ u: each })),
    ]
  }

  /** Returns whether ranges contain an entry, or one that covers it. */
  function contentsOf(ranges: readonly Range[]): (entry: Entry) => boolean {
    const known = live(ranges.flatMap(({ records }) => records.map((each) => each.data)))
    const sessions = new Map(known.flatMap((each) => ('s' in each ? [each.s] : [])))
    const users = new Map(known.flatMap((each) => ('u' in each ? [[each.u[0], each.u]] : [])))
    return (entry) => {
      if ('s' in entry) return (sessions.get(entry.s[0]) ?? 0) >= entry.s[1]
      const [id, epoch, exp] = entry.u
      const [, raised = 0, lasts = 0] = users.get(id) ?? []
      return raised >= epoch && lasts >= exp
    }
  }

  async function write(from: number, end: number, all: readonly Entries[]): Promise<void> {
    const kept = live(all)
    // Also for an empty range, since there must be no gap.
    const parts = Math.max(1, Math.ceil(kept.length / part))
    const run = encodeBase64url(ports.random(16))
    for (let index = 0; index < parts; index++) {
      const mine = kept.slice(index * part, (index + 1) * part)
      const data = {
        s: mine.flatMap((each) => ('s' in each ? [each.s] : [])),
        u: mine.flatMap((each) => ('u' in each ? [each.u] : [])),
      }
      const key = segmentKey({ from, to: end, part: index + 1, parts, run })
      await host.records.create({ kind: SEGMENT, key, data })
    }
  }
}

/** Ranges above this fill level are not merged. */
const FULL = 0.5

/** Milliseconds after which an incomplete compaction is abandoned. */
const ABANDONED = 60 * 60 * 1000
