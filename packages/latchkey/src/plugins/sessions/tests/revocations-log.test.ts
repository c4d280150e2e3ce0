import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { PluginRecord } from '../../../entries/plugin.ts'
import { atomic } from '../../../model/adapter.ts'
import type { RecordAbilities } from '../../../model/record.ts'
import { createState } from '../../../protocols/revocation/state.ts'
import { createRecords } from '../../../store/records.ts'
import { createLog } from '../revocations/log.ts'
import { LOG, type LogHost } from '../revocations/log-records.ts'
import { DAY, type Snapshot } from '../revocations/snapshot.ts'

const EXP = Date.UTC(2030, 0, 2) / 1000

/** Returns a session id; the table of a snapshot expects ids that are as good as random. */
const sidOf = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').slice(0, 22)

/** A log with the records 1 and 2, from before a backup, and record 3, from after it. */
async function loggedSinceBackup() {
  let draws = 0
  const ports = {
    now: () => Date.UTC(2030, 0, 1),
    monotonic: () => 0,
    random: (length: number) => new Uint8Array(length).fill(++draws),
  } as unknown as LogHost['ports']
  const abilities = memoryAdapter()[atomic] as Required<RecordAbilities>
  const records = createRecords(abilities, ports)
  const logger = { error: () => {}, warn: () => {}, debug: () => {} }
  const host: LogHost = { ports, records, logger, sessions: { longest: () => 30 * DAY } }
  const state = createState<Snapshot>()
  const log = createLog(host, state, { maxEntries: 1000 })
  const end = (name: string) => log.append({ s: [[sidOf(name), EXP]], u: [] })
  await log.refresh()
  await end('before')
  const early = createState<Snapshot>()
  await createLog(host, early, { maxEntries: 1000 }).refresh()
  await end('lost')
  return {
    host,
    /** Knows the log up to record 2. */
    early,
    /** Restores the backup. Then two other sessions end, in records 3 and 4. */
    async restore() {
      await records.take(LOG, '3')
      for (const [key, name] of [
        ['3', 'third'],
        ['4', 'fourth'],
      ] as const) {
        const data = { id: `restored ${key}`, at: ports.now(), s: [[sidOf(name), EXP]], u: [] }
        await records.create({ kind: LOG, key, data })
      }
    },
  }
}

function known({ snapshot }: { readonly snapshot: Snapshot | undefined }): string[] {
  return ['before', 'third', 'fourth'].filter((name) => snapshot?.sids.has(sidOf(name)))
}

describe('REV-8: a process that reads the log while a backup is restored', () => {
  test('knows all sessions that ended afterwards, if it knew an earlier part of the log', async () => {
    const { host, early, restore } = await loggedSinceBackup()
    let isRestored = false
    const get: typeof host.records.get = async (kind, key) => {
      const record = await host.records.get(kind, key)
      if (key === '3' && !isRestored) {
        isRestored = true
        await restore()
      }
      return record
    }
    const log = createLog({ ...host, records: { ...host.records, get } }, early, {
      maxEntries: 1000,
    })
    expect(await log.refresh()).toBe(true)
    expect(isRestored).toBe(true)
    expect(known(early)).toEqual(['before', 'third', 'fourth'])
  })

  test('knows all sessions that ended afterwards, if it reads the whole log', async () => {
    const { host, restore } = await loggedSinceBackup()
    let isRestored = false
    const list: typeof host.records.list = async (query) => {
      const page = await host.records.list(query)
      if (query.kind !== LOG || isRestored) return page
      isRestored = true
      await restore()
      // A listing may have records that were created while it ran.
      const created = (await host.records.get(LOG, '4')) as PluginRecord
      return { ...page, records: [...page.records, created] }
    }
    const state = createState<Snapshot>()
    const log = createLog({ ...host, records: { ...host.records, list } }, state, {
      maxEntries: 1000,
    })
    expect(await log.refresh()).toBe(true)
    expect(isRestored).toBe(true)
    expect(known(state)).toEqual(['before', 'third', 'fourth'])
  })
})
