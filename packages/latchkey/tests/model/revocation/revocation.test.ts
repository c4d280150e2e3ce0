import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { replacePlatform } from './edge.ts'
import { profiles, runHistory, type Seen, type Setting } from './history.ts'
import { DAY, loadPlugin } from './machine.ts'

/** Histories of each profile; `MODEL_RUNS=100000` for a night. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 150)
/** The same histories each time, so that a failure is of the change at hand; a long run draws others. */
const SEED = Number(
  process.env['MODEL_SEED'] ?? (process.env['MODEL_RUNS'] ? Date.now() % 1_000_000 : 23),
)

/** Profiles of few actions: long schedules of them would hide what short ones show. */
const SHORT: ReadonlySet<string> = new Set(['ends', 'spare'])

const offset = fc.constantFrom(0, 0, 37, DAY / 2, DAY)

const settingsOf = (profile: keyof typeof profiles): fc.Arbitrary<Setting> =>
  fc.record({
    profile: fc.constant(profile),
    offsets: fc.tuple(offset, offset, offset, offset),
    kinds: fc.nat(15),
    stale: fc.constantFrom('read', 'read', 'refuse'),
    edgeStale: fc.constantFrom('read', 'read', 'refuse'),
    maxEntries: fc.constantFrom(1000, 1000, 1000, 3),
    plan: fc.array(fc.tuple(fc.nat(999), fc.nat(99_999_999)), {
      minLength: 1,
      maxLength: SHORT.has(profile) ? 25 : 120,
      size: 'max',
    }),
  })

describe('REV-1, REV-18: no schedule of calls, kills, pauses, clocks, backups and proxies', () => {
  beforeAll(async () => {
    await loadPlugin()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    replacePlatform()
    // The platform's takes another thread, and nobody knows when it is back.
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(
      async (_, data) =>
        Uint8Array.from(
          createHash('sha256')
            .update(data as Uint8Array)
            .digest(),
        ).buffer,
    )
  })
  afterAll(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  test.each(Object.keys(profiles) as (keyof typeof profiles)[])(
    'lets a user in after the bound, or signs out without a reason: %s',
    async (profile) => {
      const seen: Seen = {
        histories: 0,
        accepted: 0,
        ended: 0,
        unreadable: 0,
        extended: 0,
        signedIn: 0,
        acceptedAtEdge: 0,
        endedAtEdge: 0,
      }
      const checked = await fc.check(
        fc.asyncProperty(settingsOf(profile), (setting) => runHistory(setting, seen)),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env['MODEL_SHRINK'] === undefined },
      )
      const [failing] = checked.counterexample ?? []
      if (failing) {
        const trace: string[] = []
        await runHistory(failing, seen, trace).catch(() => undefined)
        const cause = String(checked.errorInstance)
        expect.fail(`seed ${SEED}: ${cause}\n${JSON.stringify(failing)}\n${trace.join('\n')}`)
      }
      expect(seen.histories).toBe(RUNS)
      // A schedule in which nothing happens would hold as well.
      expect(seen.accepted).toBeGreaterThan(RUNS)
      expect(seen.ended).toBeGreaterThan(RUNS / 10)
      expect(seen.acceptedAtEdge).toBeGreaterThan(RUNS / 2)
      expect(seen.endedAtEdge).toBeGreaterThan(RUNS / 20)
      if (profile === 'race') expect(seen.signedIn).toBeGreaterThan(RUNS / 2)
      if (process.env['MODEL_RUNS']) console.log(profile, JSON.stringify(seen))
    },
    60_000 + RUNS * 200,
  )
})
