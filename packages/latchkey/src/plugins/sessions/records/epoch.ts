import { digestOf, type Host, recordKind } from '../../../entries/plugin.ts'

/**
 * One record a user, which changes when all of their sessions end: a sign-in that was under way then does
 * not begin a session. Of no user, since it outlives them.
 */
const KIND = 'user-epoch'

/** What is stored of a user; without an epoch if the record is damaged. */
interface EpochData {
  readonly epoch?: number
}

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
      // Nobody can know which sessions had ended: none of the earlier ones is confirmed or renewed.
      return epoch ?? epochs.raise(userId, { isRepair: true })
    },

    async raise(userId, { spare, expires, isRepair = false } = {}) {
      let epoch = 0
      await records.upsert(await keyOf(userId), async ({ epoch: known } = NO_EPOCH) => {
        epoch = known ?? 0
        // Another call has repaired it: its epoch is the user's, and no session of it is refused.
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

/** The epoch of a user whose sessions never ended all at once. */
const NO_EPOCH: EpochData = { epoch: 0 }
