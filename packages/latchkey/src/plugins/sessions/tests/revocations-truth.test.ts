import { describe, expect, test } from 'vitest'
import type { PluginRecord, RecordKind } from '../../../entries/plugin.ts'
import type { KnownFacts, SessionFacts } from '../../../session/facts.ts'
import type { SessionData } from '../records/session-record.ts'
import { truthOf } from '../revocations/truth.ts'

const session = (claims: KnownFacts): SessionFacts => ({
  key: 'a name',
  sid: () => 'a name',
  strategy: 'jwt',
  userId: 'ada',
  expires: 0,
  known: () => claims,
})

const record = (data: object): PluginRecord => ({
  kind: 'session',
  key: 'a name',
  version: 1,
  createdAt: new Date(0),
  data: { begun: 0, seen: 0, until: 0, ...data },
})

/** What is found out of a session: what the store says of its record, time after time, and of the epoch of its user. */
async function reasonOf(claims: KnownFacts, found: (PluginRecord | null)[], epoch: number) {
  const answers = [...found]
  const records = { get: async () => answers.shift() ?? null } as unknown as RecordKind<SessionData>
  const { reason } = await truthOf(session(claims), {
    records,
    epochs: { read: async () => epoch },
  })
  return { reason, asked: found.length - answers.length }
}

describe('REV-2, REV-11: the state of a sealed session in the store', () => {
  test('is that it goes on, also in a later epoch than that of its token', async () => {
    expect(await reasonOf({ epo: 0 }, [record({ epo: 0 })], 0)).toEqual({ asked: 1 })
    expect(await reasonOf({ epo: 0 }, [record({ epo: 7 })], 7)).toEqual({ asked: 1 })
    expect(await reasonOf({ epo: 7 }, [record({})], 7)).toEqual({ asked: 1 })
  })

  test('is that it ended, and why', async () => {
    const ended = record({ ended: { at: 1, reason: 'binding' } })
    expect(await reasonOf({ epo: 0 }, [ended], 0)).toEqual({ reason: 'binding', asked: 1 })
  })

  test('is that all sessions of its user ended', async () => {
    const earlier = record({ epo: 6 })
    expect((await reasonOf({ epo: 6 }, [earlier, earlier], 7)).reason).toBe('application')
  })

  test('is read a second time if the session was spared in the meantime', async () => {
    const found = [record({ epo: 6 }), record({ epo: 7 })]
    expect(await reasonOf({ epo: 6 }, found, 7)).toEqual({ asked: 2 })
  })

  test('is read a second time if a backup was restored between its record and the epoch', async () => {
    const epochs = [7, 0]
    const records = { get: async () => record({ epo: 0 }) } as unknown as RecordKind<SessionData>
    const read = async (): Promise<number> => epochs.shift() ?? 0
    const { reason } = await truthOf(session({ epo: 0 }), { records, epochs: { read } })
    expect(reason).toBeUndefined()
  })

  test('is an error while the epoch changes each time', async () => {
    let epoch = 1
    const records = { get: async () => record({ epo: 0 }) } as unknown as RecordKind<SessionData>
    const asked = truthOf(session({ epo: 0 }), { records, epochs: { read: async () => epoch++ } })
    await expect(asked).rejects.toThrow('too many requests end sessions of a user at the same time')
  })

  test('is that its user was deleted, if its token says that it had a record', async () => {
    expect((await reasonOf({ epo: 0 }, [null, null], 0)).reason).toBe('user-deleted')
    expect((await reasonOf({}, [null, null], 7)).reason).toBe('user-deleted')
    expect(await reasonOf({}, [null], 0)).toEqual({ asked: 1 })
  })
})
