import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { atomic } from 'latchkey/adapters'
import { migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import type { RecordAbilities } from '../../packages/latchkey/src/model/record.ts'
import { createLog } from '../../packages/latchkey/src/plugins/sessions/revocations/log.ts'
import type { LogHost } from '../../packages/latchkey/src/plugins/sessions/revocations/log-records.ts'
import {
  SEGMENT,
  segmentKey,
} from '../../packages/latchkey/src/plugins/sessions/revocations/segments.ts'
import {
  createSnapshot,
  type EndedSession,
  type Snapshot,
} from '../../packages/latchkey/src/plugins/sessions/revocations/snapshot.ts'
import { verdictOf } from '../../packages/latchkey/src/plugins/sessions/revocations/verdict.ts'
import { createState } from '../../packages/latchkey/src/protocols/revocation/state.ts'
import type { SessionFacts } from '../../packages/latchkey/src/session/facts.ts'
import { createRecords } from '../../packages/latchkey/src/store/records.ts'
import type { Case, Planned } from '../measure.ts'
import { inTurns } from '../stored.ts'

const MILLION = 1_000_000
/** Entries of one segment, as a compaction writes them. */
const PER_SEGMENT = 1000

/** Milliseconds for which a snapshot is good. */
const BOUND = 60_000

/** The parts of the system that the log needs. */
const ports = {
  now: Date.now,
  monotonic: () => performance.now(),
  random: (length: number) => new Uint8Array(randomBytes(length)),
} as LogHost['ports']

function endedSessions(count: number): EndedSession[] {
  const exp = Math.floor(Date.now() / 1000) + 30 * 86_400
  return Array.from({ length: count }, () => [randomBytes(16).toString('base64url'), exp])
}

/** One check of a session that goes on, beside as many ended ones. It reads no store, so its time is a bound of its own. */
async function check(ended: number): Promise<Case> {
  const asOf = { monotonic: ports.monotonic(), wall: ports.now() }
  const entries = [{ s: endedSessions(ended), u: [] }]
  const snapshot = createSnapshot(
    { entries, records: [], seq: 0 },
    { asOf, now: ports.now(), maxEntries: 4 * MILLION },
  )
  const state = createState<Snapshot>()
  state.snapshot = snapshot
  const clocks = { monotonic: () => asOf.monotonic + 1, now: () => asOf.wall + 1 }
  const sessions = Array.from({ length: 4096 }, (): SessionFacts => {
    const key = randomBytes(16).toString('base64url')
    return {
      key,
      sid: () => key,
      strategy: 'jwt',
      userId: 'u1',
      expires: asOf.wall + BOUND,
      known: () => ({ epo: 1 }),
    }
  })
  return {
    atMost: 1,
    ours: {
      prepare: inTurns(sessions),
      run: (session) => verdictOf(session as SessionFacts, state, { clocks, bound: BOUND }),
      verify: (verdict) => verdict === 'good',
    },
  }
}

/** Reading a million ended sessions from their segments, beside one query for the same rows. */
async function load(): Promise<Case> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const path = join(folder, 'sessions.db')
  const sql = openNodeSqlite(path)
  await migrate(sql, { records: true })
  const abilities = sqlAdapter(sql, { records: true })[atomic] as Required<RecordAbilities>
  const records = createRecords(abilities, ports)
  const parts = MILLION / PER_SEGMENT
  const to = MILLION / 500
  for (let part = 1; part <= parts; part++) {
    const key = segmentKey({ from: 1, to, part, parts, run: 'run' })
    const data = { s: endedSessions(PER_SEGMENT).map((entry) => [...entry]), u: [] }
    await records.create({ kind: SEGMENT, key, data })
  }
  const logger = { error: fail, warn: fail, debug: () => {} }
  const host = { records, ports, logger, sessions: { longest: () => 30 * 24 * 60 * 60 } }
  // The first load writes the record of the log that follows the segments.
  await createLog(host, createState<Snapshot>(), SETTINGS).refresh()
  const database = new DatabaseSync(path)
  const query = database.prepare('SELECT "data" FROM "record" WHERE "kind" = ?')
  return {
    within: 10,
    longer: 100,
    ours: {
      prepare: () => createState<Snapshot>(),
      async run(state) {
        const given = state as ReturnType<typeof createState<Snapshot>>
        await createLog(host, given, SETTINGS).refresh()
        return given.snapshot?.sids.size
      },
      verify: (size) => size === MILLION,
    },
    limit: {
      prepare: () => SEGMENT,
      run: (kind) => query.all(kind as string),
      verify: (rows) => (rows as unknown[]).length === parts,
    },
    async close() {
      database.close()
      await sql.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const SETTINGS = { maxEntries: 4 * MILLION }

function fail(problem: unknown): never {
  throw new Error(String(problem))
}

/** What the list of ended sessions costs a process, without the rest of a session read. */
export const revocations: readonly Planned[] = [
  ['PERF-2: check of a session, 100,000 ended', () => check(100_000)],
  ['PERF-5: 1,000,000 ended sessions read from SQLite, limit: one query', load],
]
