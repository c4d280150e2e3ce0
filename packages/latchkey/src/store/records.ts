import { AdapterError, MissingAdapterMethods } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import type { WithDamaged } from '../model/damaged-record.ts'
import type { PluginRecord, RecordAbilities } from '../model/record.ts'

/**
 * The records of all plugins, without expired ones.
 *
 * A record with a damaged text throws an `AdapterError`, unless the caller handles it: {@link WithDamaged}.
 */
export interface Records {
  /**
   * Stores a record.
   *
   * @returns `false` if there is a record with this kind and key.
   */
  create(record: NewRecord): Promise<boolean>
  get(kind: string, key: string, how?: WithDamaged): Promise<PluginRecord | null>
  /**
   * Replaces a record.
   *
   * @returns the new record; `null` if another call has changed it since it was read.
   * @throws {TypeError} for a damaged record without new `data`.
   */
  replace(read: PluginRecord, change: RecordChange): Promise<PluginRecord | null>
  /** Removes a record, also a damaged one, and returns it. Of concurrent calls, exactly one receives it. */
  take(kind: string, key: string, how?: WithDamaged): Promise<PluginRecord | null>
  /** Returns a page of records. It may be shorter than `limit` without being the last. */
  list(
    query: { kind: string; userId?: string; after?: string; limit: number },
    how?: WithDamaged,
  ): Promise<{ records: PluginRecord[]; next: string | null }>
}

export type NewRecord = Pick<PluginRecord, 'kind' | 'key' | 'userId' | 'data' | 'expires'>

export type RecordChange = Partial<Pick<PluginRecord, 'data' | 'expires'>>

/** Returns the records for plugins: expired ones are absent, by the clock of the plan. */
export function createRecords(
  store: Required<RecordAbilities> | undefined,
  ports: Pick<Ports, 'now'>,
): Records {
  /** Returns the record unless it has expired. */
  const found = (
    record: PluginRecord | null,
    how: WithDamaged | undefined,
    what: string = 'is damaged; restore or remove it',
  ): PluginRecord | null => {
    if (!record || (record.expires && record.expires.getTime() <= ports.now())) return null
    if (!record.isDamaged || how) return record
    throw new AdapterError(`a record of kind "${record.kind}" ${what}`)
  }
  const kept = (): Required<RecordAbilities> => {
    if (store) return store
    throw new MissingAdapterMethods(
      "there is no record store; a plugin that uses records must declare `needs: ['records']`",
    )
  }
  return {
    async create(record) {
      const now = new Date(ports.now())
      return kept().createRecord({ ...record, version: 1, createdAt: now }, now)
    },
    async get(kind, key, how) {
      return found(await kept().getRecord({ kind, key }), how)
    },
    async replace(read, change) {
      const { isDamaged, ...whole } = read
      // The empty data would count as valid.
      if (isDamaged && !change.data)
        throw new TypeError(
          `a damaged record of kind "${read.kind}" can only be replaced together with its \`data\``,
        )
      const next = { ...whole, ...change, version: read.version + 1 }
      return (await kept().replaceRecord(next)) ? next : null
    },
    async take(kind, key, how) {
      const taken = await kept().takeRecord({ kind, key })
      return found(taken, how, 'was damaged, and has been removed')
    },
    async list(query, how) {
      const { records, next } = await kept().listRecords(query)
      return { records: records.flatMap((record) => found(record, how) ?? []), next }
    },
  }
}
