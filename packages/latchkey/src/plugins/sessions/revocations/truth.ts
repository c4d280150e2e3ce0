import type { EndReason, Host, RecordKind, SessionFacts } from '../../../entries/plugin.ts'
import type { Epochs } from '../records/epoch.ts'
import { type SessionData, type SessionRecord, sessionRecords } from '../records/session-record.ts'

/** What the store says of a sealed session: its record, and why it is over, if it is. */
export interface Truth {
  readonly record: SessionRecord | null
  readonly reason: EndReason | undefined
}

/** How often it is read again because the epoch of the user changed meanwhile. */
const TRIES = 5

/** Asks the store of a host whether a sealed session goes on. @throws when it cannot be found out. */
export function truthAt(
  session: SessionFacts,
  host: Host,
  epochs: Pick<Epochs, 'read'>,
): Promise<Truth> {
  return truthOf(session, { records: sessionRecords(host), epochs })
}

/** Asks the store whether a sealed session goes on. @throws when it cannot be found out. */
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
    // It may have been spared, and its record written between the two.
    record = await read()
    const spared = reasonOf(record, claimed, epoch)
    // Or the two are of different times: a backup was restored between them.
    const current = await readEpoch()
    if (spared === undefined || current === epoch) return { record, reason: spared }
    epoch = current
  }
  throw new Error('too many requests end sessions of a user at the same time')
}

/** @param claimed the epoch that the token names; none if it was written without the plugin. */
function reasonOf(
  record: SessionRecord | null,
  claimed: number | undefined,
  epoch: number,
): EndReason | undefined {
  const isEarlier = (claimed ?? 0) < epoch
  if (!record) {
    // Whoever has an epoch had a record, which went with its user.
    return claimed !== undefined || isEarlier ? 'user-deleted' : undefined
  }
  const { ended, epo = 0 } = record.data
  if (ended) return ended.reason
  return isEarlier && epo < epoch ? 'application' : undefined
}
