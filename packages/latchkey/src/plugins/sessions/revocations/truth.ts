import type { EndReason, Host, RecordKind, SessionFacts } from '../../../entries/plugin.ts'
import type { Epochs } from '../records/epoch.ts'
import { type SessionData, type SessionRecord, sessionRecords } from '../records/session-record.ts'

/** The state of a sealed session in the store: its record, and why it is over, if it is. */
export interface Truth {
  readonly record: SessionRecord | null
  readonly reason: EndReason | undefined
}

/** Reads until the epoch of the user stays the same. */
const TRIES = 5

/** Reads from the store of a host whether a sealed session is active. @throws if it cannot be found out. */
export function truthAt(
  session: SessionFacts,
  host: Host,
  epochs: Pick<Epochs, 'read'>,
): Promise<Truth> {
  return truthOf(session, { records: sessionRecords(host), epochs })
}

/** Reads from the store whether a sealed session is active. @throws if it cannot be found out. */
export async function truthOf(
  session: SessionFacts,
  {
    records,
    epochs,
  }: {
    readonly records: Pick<RecordKind<SessionData>, 'get'>
    readonly epochs: Pick<Epochs, 'read'>
  },
): Promise<Truth> {
  const { epo } = await session.known()
  const { key, userId } = session
  const read = (): Promise<SessionRecord | null> => records.get(key)
  const readEpoch = async (): Promise<number> => (userId === undefined ? 0 : epochs.read(userId))
  const claimed = typeof epo === 'number' ? epo : undefined
  let [record, epoch] = await Promise.all([read(), readEpoch()])
  for (let tries = 0; tries < TRIES; tries++) {
    const reason = reasonOf(record, claimed, epoch)
    const isSure = reason === undefined || (record !== null && record.data.ended)
    if (isSure) return { record, reason }
    // The session may have been spared, and its record written between the two reads.
    record = await read()
    const spared = reasonOf(record, claimed, epoch)
    // Or a backup was restored between the two reads.
    const current = await readEpoch()
    if (spared === undefined || current === epoch) return { record, reason: spared }
    epoch = current
  }
  throw new Error('too many requests end sessions of a user at the same time')
}

/** @param claimed the epoch in the token; `undefined` for a token from before the plugin. */
function reasonOf(
  record: SessionRecord | null,
  claimed: number | undefined,
  epoch: number,
): EndReason | undefined {
  const isEarlier = (claimed ?? 0) < epoch
  if (!record) {
    // A session with an epoch had a record, which was deleted with its user.
    return claimed !== undefined || isEarlier ? 'user-deleted' : undefined
  }
  const { ended, epo = 0 } = record.data
  if (ended) return ended.reason
  return isEarlier && epo < epoch ? 'application' : undefined
}
