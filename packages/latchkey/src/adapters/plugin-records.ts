import { type PluginRecord, recordData, recordText } from '../model/record.ts'

/** A record of a plugin as stores with columns keep it. */
export interface StoredRecord
  extends Omit<PluginRecord, 'userId' | 'data' | 'isDamaged' | 'expires'> {
  readonly userId: string | null
  /** JSON, as a text: a type of the engine's own would sort its names and round its numbers. */
  readonly data: string
  readonly expires: Date | null
}

/** @throws TypeError for a record that no store has to keep. */
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

/** Whether a record is in nobody's way any more. */
export function isOver({ expires }: Pick<StoredRecord, 'expires'>, now: Date): boolean {
  return expires !== null && expires <= now
}
