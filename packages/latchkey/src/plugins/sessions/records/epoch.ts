import { digestOf, type Host, recordKind } from '../../../entries/plugin.ts'

/**
 * One record for each user, which changes when all of their sessions end, so that a pending sign-in cannot begin a
 * session. The record has no user, since it must outlive the user.
 */
const KIND = 'user-epoch'

/** The stored epoch of a user; without an epoch if the record is damaged. */
interface EpochData {
  readonly epoch?: number
}

export interface Epochs {
  /** @returns 0 for a user whose sessions were never ended together. */
  read(userId: string): Promise<number>
  /**
   * @param spare receives the next epoch before it is stored, at each attempt.
   * @param expires when no earlier session can exist.
   * @param isRepair whether only a damaged epoch is raised.
   * @returns the next epoch.
   */
  raise(
    userId: string,
    how?: { spare?: (epoch: number) => Promise<unknown>; expires?: Date; isRepair?: boolean },
  ): Promise<number>
}

export function createEpochs(host: Pick<Host, 'records' | 'ports' | 'logger'>): Epochs {
  const { ports } = host
  const records = recordKind<EpochData>(host, KIND, {
    shape: ({ epoch }) => (typeof epoch === 'number' ? { epoch } : undefined),
    onDamaged(_, report) {
      report('no earlier session of its user is confirmed or renewed; end all of them')
      return {}
    },
  })
  const keyOf = (userId: string): Promise<string> => digestOf('user-epoch', userId)
  const epochs: Epochs = {
    async read(userId) {
      const { epoch } = (await records.get(await keyOf(userId)))?.data ?? NO_EPOCH
      // It is unknown which sessions had ended, so earlier ones are neither confirmed nor renewed.
      return epoch ?? epochs.raise(userId, { isRepair: true })
    },

    async raise(userId, { spare, expires, isRepair = false } = {}) {
      let epoch = 0
      await records.upsert(await keyOf(userId), async ({ epoch: known } = NO_EPOCH) => {
        epoch = known ?? 0
        // Another call has repaired the record, and its epoch is valid.
        if (isRepair && known !== undefined) return undefined
        epoch = Math.max(epoch + 1, ports.now())
        await spare?.(epoch)
        return { data: { epoch }, ...(expires && { expires }) }
      })
      return epoch
    },
  }
  return epochs
}

/** The epoch of a user whose sessions were never ended together. */
const NO_EPOCH: EpochData = { epoch: 0 }
