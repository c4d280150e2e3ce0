import type { Host, PluginRecord } from '../../../plugin-kit.ts'
import type { EndReason } from '../../../session/end-reason.ts'
import type { SessionFacts } from '../../../session/facts.ts'
import type { Epochs } from '../epoch.ts'
import { KIND, sessionData } from '../session-record.ts'

/** What the store says of a sealed session: its record, and why it is over, if it is. */
export interface Truth {
  readonly record: PluginRecord | null
  readonly reason: EndReason | undefined
}

/** Asks the store whether a sealed session goes on. @throws when it cannot be found out. */
export async function truthOf(
  session: SessionFacts,
  { records, epochs }: { readonly records: Host['records']; readonly epochs: Pick<Epochs, 'read'> },
): Promise<Truth> {
  const { epo } = await session.known()
  const { key, userId } = session
  const read = (): Promise<PluginRecord | null> => records.get(KIND, key)
  let [record, epoch] = await Promise.all([read(), userId === undefined ? 0 : epochs.read(userId)])
  const claimed = typeof epo === 'number' ? epo : undefined
  let reason = reasonOf(record, claimed, epoch)
  if (reason === undefined || (record && sessionData(record).ended)) return { record, reason }
  // It may have been spared, and its record written between the two.
  record = await read()
  reason = reasonOf(record, claimed, epoch)
  return { record, reason }
}

/** @param claimed the epoch that the token names; none if it was written without the plugin. */
function reasonOf(
  record: PluginRecord | null,
  claimed: number | undefined,
  epoch: number,
): EndReason | undefined {
  const isEarlier = (claimed ?? 0) < epoch
  if (!record) {
    // Whoever has an epoch had a record, which went with its user.
    return claimed !== undefined || isEarlier ? 'user-deleted' : undefined
  }
  const { ended, epo = 0 } = sessionData(record)
  if (ended) return ended.reason
  return isEarlier && epo < epoch ? 'application' : undefined
}
