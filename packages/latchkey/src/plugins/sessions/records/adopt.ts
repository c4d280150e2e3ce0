import type { SessionFacts } from '../../../entries/plugin.ts'
import { endSession } from './end.ts'
import { createRecord, dataOf, type Keeping } from './record.ts'
import type { SessionRecord } from './session-record.ts'

/** Returns the record of a session. It is created if the session is older than the plugin. */
export async function adopt(
  session: SessionFacts,
  keeping: Keeping,
): Promise<SessionRecord | null> {
  const { host, records, epochs } = keeping
  const sid = await session.sid()
  const end = () => endSession({ sid }, { reason: 'application' }, keeping)
  const record = await records.get(sid)
  if (record?.data.isDamaged) {
    // No other record has the key of its row.
    if (session.strategy === 'database') await host.store?.deleteSession(session.key)
    await end()
    return records.get(sid)
  }
  if (record || session.userId === undefined || (await hadRecord(session))) return record
  const isSealed = session.strategy === 'jwt'
  const data = dataOf(session, isSealed ? await session.known() : {}, keeping)
  // All sessions of the user may have ended before this one had a record. Such an end deletes rows itself.
  const isCovered = async (userId: string): Promise<boolean> =>
    isSealed && (data.epo ?? 0) < (await epochs.read(userId))
  const isOver = await isCovered(session.userId)
  const ended = { at: host.ports.now(), reason: 'application' } as const
  await createRecord(session, { ...data, ...(isOver && { ended }) }, keeping)
  if (!isOver && (await isCovered(session.userId))) await end()
  return records.get(sid)
}

/** Returns whether a sealed session had a record, which was deleted with its user. */
export async function hadRecord({ strategy, known }: SessionFacts): Promise<boolean> {
  return strategy === 'jwt' && (await known())['epo'] !== undefined
}
