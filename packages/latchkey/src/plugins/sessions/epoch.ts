import { digestOf } from '../../base/crypto/digest.ts'
import { AccessDenied } from '../../base/errors.ts'
import { type Host, type PluginRecord, Problem } from '../../entries/plugin.ts'
import { damagedRecord, WITH_DAMAGED } from '../../model/damaged-record.ts'
import type { Proof } from '../../session/strategy.ts'

/**
 * One record a user, which changes when all of their sessions end: a sign-in that was under way then does
 * not begin a session. Of no user, since it outlives them.
 */
const KIND = 'user-epoch'

/** How often it is tried again because another call was faster. */
const TRIES = 50

export interface Epochs {
  /** @returns 0 for a user whose sessions never ended all at once. */
  read(userId: string): Promise<number>
  /**
   * @param spare is told the next epoch before it is the user's, anew for each try.
   * @param expires when nothing can be left from before.
   * @param isRepair whether only a damaged epoch is raised.
   * @returns the next epoch.
   */
  raise(
    userId: string,
    how?: { spare?: (epoch: number) => Promise<unknown>; expires?: Date; isRepair?: boolean },
  ): Promise<number>
}

export function createEpochs({
  records,
  ports,
  logger,
}: Pick<Host, 'records' | 'ports' | 'logger'>): Epochs {
  const keyOf = (userId: string): Promise<string> => digestOf('user-epoch', userId)
  const epochs: Epochs = {
    async read(userId) {
      const record = await records.get(KIND, await keyOf(userId), WITH_DAMAGED)
      // Nobody can know which sessions had ended: none of the earlier ones is confirmed or renewed.
      return epochOf(record) ?? epochs.raise(userId, { isRepair: true })
    },

    async raise(userId, { spare, expires, isRepair = false } = {}) {
      const key = await keyOf(userId)
      for (let tries = 0; tries < TRIES; tries++) {
        const record = await records.get(KIND, key, WITH_DAMAGED)
        const known = epochOf(record)
        // Another call has repaired it: its epoch is the user's, and no session of it is refused.
        if (isRepair && known !== undefined) return known
        const epoch = Math.max((known ?? 0) + 1, ports.now())
        await spare?.(epoch)
        const change = { data: { epoch }, ...(expires && { expires }) }
        const isRaised = record
          ? (await records.replace(record, change)) !== null
          : await records.create({ kind: KIND, key, ...change })
        if (record && isRaised && known === undefined)
          logger.error(
            damagedRecord(
              record,
              'no earlier session of its user is confirmed or renewed; end all of them',
            ),
          )
        if (isRaised) return epoch
      }
      throw new Problem('conflict', 'too many requests end all sessions of a user at the same time')
    },
  }
  return epochs
}

/** Returns the epoch in a record; `undefined` if the record is damaged. */
function epochOf(record: PluginRecord | null): number | undefined {
  if (!record) return 0
  const { epoch } = record.data
  return typeof epoch === 'number' && Number.isFinite(epoch) ? epoch : undefined
}

/**
 * Compares the epoch of a user with that from before the proof was read.
 *
 * @throws {AccessDenied} when all sessions of the user ended meanwhile.
 */
export function refuseEarlier(epoch: number, { before, since }: Proof): void {
  const { epoch: expected } = (before['sessions'] ?? {}) as { epoch?: number }
  // Where nobody knew yet who it was, the time has to do; at the same moment is no proof of after.
  const isEarlier = expected === undefined ? epoch >= since : epoch !== expected
  if (isEarlier) throw endedMeanwhile()
}

export function endedMeanwhile(): AccessDenied {
  return new AccessDenied(new Problem('conflict', 'the session was ended while it began'))
}
