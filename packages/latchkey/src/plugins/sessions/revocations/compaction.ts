import { type Budget, encodeBase64url, type KindRecord } from '../../../entries/plugin.ts'
import { LOG, type LogHost, listAll, logRecords } from './log-records.ts'
import { orphansOf, type Range, rangesOf, SEGMENT, segmentKey } from './segments.ts'
import { DAY, type EndedSession, type EndedUser, type Entries, type LogData } from './snapshot.ts'

/** Milliseconds for which a record stays in the log: it spares readers a load, and nothing depends on it. */
const RECENTLY = 10 * 60 * 1000

export interface CompactionSizes {
  /** So many older records are compacted together at the least. */
  readonly least: number
  /** Entries of one segment at the most. */
  readonly part: number
}

type Entry = { readonly s: EndedSession } | { readonly u: EndedUser }

const SIZES: CompactionSizes = { least: 1000, part: 1000 }

/**
 * Puts older records of the log together, and leaves out what no cookie can bring any more. It may be cut off at any point
 * and done twice: readers take all that they find. The ranges cover the log from its beginning without a hole.
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
  // One after the other, the lowest first: whoever finds a number knows that nothing above it is gone.
  for (const seq of done.sort((a, b) => a - b)) {
    if (budget.isOver()) return
    if (seq >= newest) continue
    const { data } = (await records.get(String(seq))) ?? {}
    if (data && isUnknown(data)) break
    // If a backup was restored meanwhile, the number is another record's, and no segment has what it says.
    if (data && !live([data]).every(has)) break
    await records.delete(String(seq))
  }
  await tidy(segments)

  function isOld(data: LogData | undefined): boolean {
    return data !== undefined && ports.now() - data.at > RECENTLY && !isUnknown(data)
  }

  /** Nothing can be put elsewhere of a damaged record, which stays until its entries have expired. */
  function isUnknown({ unknownUntil = 0 }: Entries): boolean {
    return unknownUntil > ports.now()
  }

  /** Takes away what nobody needs, and puts ranges together that have become half empty. */
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
      // One that is inside the other comes from a second compaction, and may have entries of its own.
      const isInside = second.to <= first.to
      const both = [...first.records, ...second.records]
      const entries = both.map((each) => each.data)
      if (entries.some(isUnknown)) continue
      if (!isInside && live(entries).length > both.length * part * FULL) continue
      await write(first.from, Math.max(first.to, second.to), entries)
      for (const { key } of both) await parts.delete(key)
      // The next time goes on from here.
      return
    }
  }

  /** What still counts, each session and each user once, with what reaches furthest. */
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

  /** Tells whether ranges say as much as an entry. */
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
    // Also where nothing is left in it: there must be no hole.
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

/** Ranges fuller than this part are left as they are. */
const FULL = 0.5

/** Milliseconds after which nobody is still writing the other parts. */
const ABANDONED = 60 * 60 * 1000
