import { type PluginRecord, recordData, recordText } from '../model/record.ts'

/** A record of a plugin, as stores with columns keep it. */
export interface StoredRecord
  extends Omit<PluginRecord, 'userId' | 'data' | 'isDamaged' | 'expires'> {
  readonly userId: string | null
  /** JSON as text: a JSON type of the engine would sort the names and round the numbers. */
  readonly data: string
  readonly expires: Date | null
}

/** @throws TypeError for an invalid record, see {@link recordText}. */
export function toStored(record: PluginRecord): StoredRecord {
  const { kind, key, version, createdAt, userId = null, expires = null } = record
  return { kind, key, userId, data: recordText(record), version, createdAt, expires }
}

export function fromStored(stored: StoredRecord): PluginRecord {
  const { userId, expires, data, kind, key, version, createdAt } = stored
  return {
    kind,
    key,
    ...(userId !== null && { userId }),
    ...recordData(data),
    version,
    createdAt,
    ...(expires !== null && { expires }),
  }
}

/** Whether a record has expired, so that another one can take its key. */
export function isOver({ expires }: Pick<StoredRecord, 'expires'>, now: Date): boolean {
  return expires !== null && expires <= now
}
