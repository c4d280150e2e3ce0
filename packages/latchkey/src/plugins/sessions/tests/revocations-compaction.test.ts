import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { atomic } from '../../../model/adapter.ts'
import type { JsonObject, RecordAbilities } from '../../../model/record.ts'
import { createState } from '../../../protocols/revocation/state.ts'
import { createRecords } from '../../../store/records.ts'
import { compact } from '../revocations/compaction.ts'
import { createLog } from '../revocations/log.ts'
import { LOG, type LogHost, listAll } from '../revocations/log-records.ts'
import { SEGMENT } from '../revocations/segments.ts'
import { DAY, type Snapshot } from '../revocations/snapshot.ts'

const MINUTE = 60_000
const BEGIN = Date.UTC(2030, 0, 1)
const BUDGET = { isOver: () => false }

/** The log of a process, by a clock that is turned by hand. */
function logging(maxEntries = 1_000_000) {
  let now = BEGIN
  let draws = 0
  const ports = {
    now: () => now,
    monotonic: () => now,
    random: (length: number) => {
      const bytes = new Uint8Array(length)
      new DataView(bytes.buffer).setUint32(0, ++draws)
      return bytes
    },
  } as unknown as LogHost['ports']
  // It has all of them.
  const abilities = memoryAdapter()[atomic] as Required<RecordAbilities>
  const records = createRecords(abilities, ports)
  const logger = { error: () => {}, warn: () => {}, debug: () => {} }
  const host: LogHost = { ports, records, logger, sessions: { longest: () => 30 * DAY } }
  const state = createState<Snapshot>()
  return {
    host,
    state,
    log: createLog(host, state, { maxEntries }),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    now: () => now,
  }
}

/** As random as the names of sessions are: the table of a snapshot relies on that. */
const nameOf = (index: number): string =>
  createHash('sha256').update(String(index)).digest('base64url').slice(0, 22)

/** All entries in records of a kind. */
async function entriesIn(host: LogHost, kind: string): Promise<number> {
  const all = (await listAll(host, kind)).map(({ data }) => data)
  return all.reduce((sum, { s, u }) => sum + s.length + u.length, 0)
}

describe('T-ST-7: a flood of sign-outs', () => {
  test('is compacted on arrival, and processes hold a bounded amount', async () => {
    // A hundred a second for ten minutes; those that come while one is written go into one record.
    const [perMinute, minutes, atOnce] = [6000, 10, 10]
    const { host, log, state, pass, now } = logging(50_000)
    let count = 0
    let longest = 0
    for (let minute = 0; minute < minutes + 12; minute++) {
      const exp = now() / 1000 + DAY
      const most = minute < minutes ? perMinute : 0
      for (let sent = 0; sent < most; sent += atOnce) {
        const ended = Array.from({ length: atOnce }, () => nameOf(count++))
        await Promise.all(ended.map((sid) => log.append({ s: [[sid, exp]], u: [] })))
      }
      longest = Math.max(longest, (await listAll(host, LOG)).length)
      pass(MINUTE)
      await compact(host, BUDGET)
    }
    expect(count).toBe(perMinute * minutes)
    // Ten minutes of them stay, for readers that are there already.
    const records = (perMinute / atOnce) * 2
    expect(longest).toBeLessThanOrEqual(records * (minutes + 1) + 1)
    expect((await listAll(host, LOG)).length).toBeLessThanOrEqual(1001)
    expect((await listAll(host, SEGMENT)).length).toBeLessThanOrEqual(2 * (count / 1000))
    expect(await entriesIn(host, SEGMENT)).toBeGreaterThanOrEqual(count - 1000 * atOnce)
    // REV-14: more than fits, so each read asks the store.
    expect(await log.refresh()).toBe(true)
    expect(state.snapshot?.isFull).toBe(true)

    const other = createState<Snapshot>()
    expect(await createLog(host, other, { maxEntries: 1_000_000 }).refresh()).toBe(true)
    expect(other.snapshot?.seq).toBe(state.snapshot?.seq)
    for (const index of [0, 1, perMinute, count - 1])
      expect(other.snapshot?.sids.has(nameOf(index))).toBe(true)
  })
})

describe('REV-6: a compaction that stops between two deletions', () => {
  test('hides no entry from a process that already read a part of the log', async () => {
    const appended = 6
    for (let known = 1; known <= appended; known++) {
      for (let deletions = 0; deletions <= appended; deletions++) {
        const { host, log, pass, now } = logging()
        const exp = now() / 1000 + DAY
        const reader = createState<Snapshot>()
        const readerLog = createLog(host, reader, { maxEntries: 1000 })
        for (let index = 0; index < appended; index++) {
          await log.append({ s: [[nameOf(index), exp]], u: [] })
          if (index + 1 === known) await readerLog.refresh()
        }
        pass(11 * MINUTE)
        let left = deletions
        await compact(host, { isOver: () => left-- <= 0 }, { least: 2, part: 8 })
        expect(await readerLog.refresh()).toBe(true)
        const missing = Array.from({ length: appended }, (_, index) => nameOf(index)).filter(
          (name) => !reader.snapshot?.sids.has(name),
        )
        expect({ known, deletions, missing }).toEqual({ known, deletions, missing: [] })
      }
    }
  })
})

describe('REV-6: a compaction that was stopped while a backup was restored', () => {
  test('removes no entry that no segment has', async () => {
    const { host, log, pass, now } = logging()
    const exp = now() / 1000 + DAY
    for (let index = 0; index < 6; index++) await log.append({ s: [[nameOf(index), exp]], u: [] })
    pass(11 * MINUTE)
    const { records } = host
    // After it has read the log, record 3 is another one.
    const create: typeof records.create = async (record) => {
      if (record.kind === SEGMENT && (await records.take(LOG, '3'))) {
        const data = { id: 'another', at: now(), s: [[nameOf(7), exp]], u: [['ada', 1, exp]] }
        await records.create({ kind: LOG, key: '3', data })
      }
      return records.create(record)
    }
    const sizes = { least: 2, part: 8 }
    await compact({ ...host, records: { ...records, create } }, BUDGET, sizes)
    await compact(host, BUDGET, sizes)
    const late = createState<Snapshot>()
    await createLog(host, late, { maxEntries: 1000 }).refresh()
    expect(late.snapshot?.sids.has(nameOf(7))).toBe(true)
    expect(late.snapshot?.users.get('ada')).toBeDefined()
  })
})

describe('REV-7: an entry of the log', () => {
  test('is removed from memory and segments a day after its last cookie expired, and not earlier', async () => {
    const { host, log, state, pass, now } = logging()
    const exp = now() / 1000 + DAY
    for (let index = 0; index < 20; index++) await log.append({ s: [[nameOf(index), exp]], u: [] })
    await log.append({ s: [], u: [['ada', 1, exp]] })
    await log.append({ s: [], u: [] })
    const sizes = { least: 5, part: 8 }
    pass(11 * MINUTE)
    await compact(host, BUDGET, sizes)
    expect(await entriesIn(host, SEGMENT)).toBe(21)

    pass((2 * DAY - 12 * 60) * 1000 - MINUTE)
    expect(now() / 1000).toBeLessThan(exp + DAY)
    await compact(host, BUDGET, sizes)
    await log.refresh()
    expect(await entriesIn(host, SEGMENT)).toBe(21)
    expect(state.snapshot?.sids.size).toBe(20)

    pass(3 * 60 * MINUTE)
    for (let index = 20; index < 30; index++)
      await log.append({ s: [[nameOf(index), now() / 1000 + DAY]], u: [] })
    pass(11 * MINUTE)
    await log.append({ s: [], u: [] })
    for (let times = 0; times < 5; times++) await compact(host, BUDGET, sizes)
    expect(await entriesIn(host, SEGMENT)).toBe(10)
    const late = createState<Snapshot>()
    await createLog(host, late, { maxEntries: 1000 }).refresh()
    expect([late.snapshot?.sids.size, late.snapshot?.users.size]).toEqual([10, 0])
  })
})

test('REV-5: eight simultaneous processes create one first record', async () => {
  const { host } = logging()
  const states = Array.from({ length: 8 }, () => createState<Snapshot>())
  const begun = states.map((state) => createLog(host, state, { maxEntries: 1000 }).refresh())
  expect(await Promise.all(begun)).toEqual(states.map(() => true))
  const [first, ...others] = await listAll(host, LOG)
  expect(others).toEqual([])
  expect(first).toMatchObject({ key: '1', data: { s: [], u: [] } })
  expect(new Set(states.map(({ snapshot }) => snapshot?.anchor)).size).toBe(1)
})

describe('a damaged record of the log', () => {
  /** Nobody knows the entries of record 3, which is about the session 1. */
  async function damaged() {
    const it = logging()
    const { host, log, now } = it
    for (let index = 0; index < 6; index++)
      await log.append({ s: [[nameOf(index), now() / 1000 + DAY]], u: [] })
    const record = await host.records.get(LOG, '3')
    const data = { toJSON: () => 'half of a rec' } as unknown as JsonObject
    if (record) await host.records.replace(record, { data })
    return it
  }

  test('is not compacted, nor are newer ones, and nothing is lost', async () => {
    const { host, pass } = await damaged()
    pass(11 * MINUTE)
    await compact(host, BUDGET, { least: 1, part: 8 })
    const left = (await listAll(host, LOG)).map(({ key }) => Number(key))
    expect(left.sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7])
    expect(await entriesIn(host, SEGMENT)).toBe(1)
    const state = createState<Snapshot>()
    expect(await createLog(host, state, { maxEntries: 1000 }).refresh()).toBe(true)
    expect(state.snapshot).toMatchObject({ seq: 7, isFull: true, isDamaged: true })
  })

  test('counts until none of its cookies can be valid: for `maxAge` and two days', async () => {
    const { host, pass, now } = await damaged()
    const state = createState<Snapshot>()
    const reader = createLog(host, state, { maxEntries: 1000 })
    await reader.refresh()
    expect(state.snapshot?.isFull).toBe(true)
    pass(31 * DAY * 1000)
    state.snapshot?.forget(now())
    expect(state.snapshot?.isFull).toBe(true)
    pass(2 * DAY * 1000)
    state.snapshot?.forget(now())
    expect(state.snapshot?.isFull).toBe(false)
    await compact(host, BUDGET, { least: 1, part: 8 })
    expect((await listAll(host, LOG)).map(({ key }) => key)).toEqual(['7'])
  })

  test('that is a segment is not merged with another one', async () => {
    const { host, log, pass, now } = logging()
    for (let index = 0; index < 4; index++) {
      await log.append({ s: [[nameOf(index), now() / 1000 + DAY]], u: [] })
      pass(11 * MINUTE)
      await compact(host, { isOver: () => false }, { least: 100, part: 8 })
    }
    await compact(host, BUDGET, { least: 2, part: 8 })
    const [segment] = await listAll(host, SEGMENT)
    const data = { toJSON: () => 'half of a rec' } as unknown as JsonObject
    if (segment) await host.records.replace(segment, { data })
    for (let index = 4; index < 8; index++)
      await log.append({ s: [[nameOf(index), now() / 1000 + DAY]], u: [] })
    pass(11 * MINUTE)
    await compact(host, BUDGET, { least: 2, part: 8 })
    expect((await listAll(host, SEGMENT)).map(({ key }) => key)).toContain(segment?.key)
    const state = createState<Snapshot>()
    expect(await createLog(host, state, { maxEntries: 1000 }).refresh()).toBe(true)
    expect(state.snapshot?.isDamaged).toBe(true)
  })
})
