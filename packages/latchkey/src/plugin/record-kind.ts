import type { Awaitable } from '../base/awaitable.ts'
import { definedOnly } from '../base/encoding/defined-only.ts'
import { reportDamaged, WITH_DAMAGED } from '../model/damaged-record.ts'
import type { JsonObject, PluginRecord } from '../model/record.ts'
import type { Host } from './host.ts'
import { Problem } from './problem.ts'

/** A record whose data has the shape of its kind. */
export interface KindRecord<Data> extends Omit<PluginRecord, 'data' | 'isDamaged'> {
  readonly data: Data
}

/** The new data of a record, its new expiry, or both. What is left out stays. */
export interface KindChange<Data> {
  readonly data?: Data | undefined
  readonly expires?: Date | undefined
}

/** How a kind of records is read. */
export interface RecordKindOptions<Data> {
  /** Returns the data of a record, or `undefined` if the data is damaged. */
  shape(data: JsonObject): Data | undefined
  /**
   * What follows from a damaged record: its stored text is not a JSON object, or `shape` returned `undefined`.
   *
   * A string completes the error that is logged, once for each version of the record, and the record counts as absent. A
   * function decides itself: it may call `report` with such a string, and return data to use instead.
   *
   * @default 'it counts as absent'
   */
  readonly onDamaged?:
    | string
    | ((record: PluginRecord, report: (consequence: string) => void) => Data | undefined)
    | undefined
  /** The keys are secrets or hashes of secrets, so they do not appear in the log. @default false */
  readonly hasSecretKeys?: boolean
}

/**
 * The records of one kind.
 *
 * A change that another call was faster with is repeated with the new record, up to 50 times.
 */
export interface RecordKind<Data extends object> {
  /**
   * Stores a record.
   *
   * @returns `false` if there is a record with this key.
   */
  create(record: Omit<KindRecord<Data>, 'kind' | 'version' | 'createdAt'>): Promise<boolean>
  get(key: string): Promise<KindRecord<Data> | null>
  /**
   * Replaces a record, without a second attempt.
   *
   * @returns the new record; `null` if another call has changed it since it was read.
   */
  replace(read: KindRecord<Data>, change: KindChange<Data>): Promise<KindRecord<Data> | null>
  /**
   * Changes a record.
   *
   * @param from its key, or the record as it was read, which saves reading it again before the first attempt.
   * @param change called with the current record, again after each call that was faster. `undefined` leaves the record
   *   as it is.
   * @returns the record, and whether this call changed it; `null` if there is no record.
   * @throws {Problem} `conflict` if other calls were faster each time.
   */
  update(
    from: string | KindRecord<Data>,
    change: (data: Data, record: KindRecord<Data>) => Awaitable<KindChange<Data> | undefined>,
  ): Promise<{ readonly record: KindRecord<Data>; readonly isChanged: boolean } | null>
  /**
   * Changes a record, or creates it.
   *
   * @param change called with the current data, again after each call that was faster. The data is `undefined` if there
   *   is no record, or a damaged one, which is then replaced. `userId` counts only for a new record.
   * @returns whether this call wrote the record; not if `change` returned `undefined`.
   * @throws {Problem} `conflict` if other calls were faster each time.
   */
  upsert(
    key: string,
    change: (
      data: Data | undefined,
      record: PluginRecord | null,
    ) => Awaitable<
      (KindChange<Data> & { readonly data: Data; readonly userId?: string | undefined }) | undefined
    >,
  ): Promise<boolean>
  /** Removes a record, also a damaged one, and returns it. Of concurrent calls, exactly one receives it. */
  take(key: string): Promise<KindRecord<Data> | null>
  /**
   * Removes a record, also a damaged one.
   *
   * @returns whether this call removed it, and no other one.
   */
  delete(key: string): Promise<boolean>
  /** Reads all records, or those of one user, page by page. */
  each(userId?: string): AsyncIterable<KindRecord<Data>>
  /** Returns at most `limit` records of a user, in any order. */
  some(userId: string, limit: number): Promise<KindRecord<Data>[]>
}

/** Attempts of one change. */
const TRIES = 50
/** Attempts before a change begins to wait between two of them. */
const WITHOUT_WAIT = 5
/** Records of a page. */
const PAGE = 500

/**
 * Returns the records of one kind, with data of one shape.
 *
 * @param kind 1 to 40 characters of `a` to `z`, `0` to `9` and `-`.
 */
export function recordKind<Data extends object>(
  { records, ports, logger }: Pick<Host, 'records' | 'ports' | 'logger'>,
  kind: string,
  { shape, onDamaged = 'it counts as absent', hasSecretKeys = false }: RecordKindOptions<Data>,
): RecordKind<Data> {
  function damagedData(stored: PluginRecord): Data | undefined {
    const report = (consequence: string): void =>
      reportDamaged(logger, stored, consequence, !hasSecretKeys)
    if (typeof onDamaged === 'function') return onDamaged(stored, report)
    report(onDamaged)
    return undefined
  }

  function read(stored: PluginRecord | null): KindRecord<Data> | null {
    if (!stored) return null
    const { isDamaged, ...record } = stored
    const data = (isDamaged ? undefined : shape(stored.data)) ?? damagedData(stored)
    return data === undefined ? null : { ...record, data }
  }

  const getStored = (key: string): Promise<PluginRecord | null> =>
    records.get(kind, key, WITH_DAMAGED)

  const replaceStored = (
    stored: Omit<PluginRecord, 'data'>,
    data: Data,
    { expires }: KindChange<Data>,
  ): Promise<PluginRecord | null> =>
    records.replace(
      { ...stored, data: {} },
      { data: data as unknown as JsonObject, ...(expires && { expires }) },
    )

  /** Returns the first result of `attempt` that is not `undefined`. @throws {Problem} `conflict` */
  async function repeat<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries >= WITHOUT_WAIT) await wait(ports)
      const result = await attempt()
      if (result !== undefined) return result
    }
    throw new Problem(
      'conflict',
      `too many requests change a record of kind "${kind}" at the same time; try again`,
    )
  }

  /** Reads page by page. */
  async function* pages(limit: number, userId?: string): AsyncGenerator<KindRecord<Data>> {
    let after: string | undefined
    do {
      const query = { kind, limit, ...definedOnly({ userId, after }) }
      const page = await records.list(query, WITH_DAMAGED)
      for (const stored of page.records) {
        const record = read(stored)
        if (record) yield record
      }
      after = page.next ?? undefined
    } while (after !== undefined)
  }

  const own: RecordKind<Data> = {
    create: ({ key, userId, data, expires }) =>
      records.create({
        kind,
        key,
        userId,
        data: data as unknown as JsonObject,
        expires,
      }),
    get: async (key) => read(await getStored(key)),
    async replace(before, change) {
      const data = change.data ?? before.data
      const next = await replaceStored(before, data, change)
      return next && { ...next, data }
    },
    update(from, change) {
      let known = typeof from === 'string' ? undefined : from
      const key = typeof from === 'string' ? from : from.key
      return repeat(async () => {
        const record = known ?? (await own.get(key))
        known = undefined
        if (!record) return null
        const next = await change(record.data, record)
        if (!next) return { record, isChanged: false }
        const changed = await own.replace(record, next)
        return changed ? { record: changed, isChanged: true } : undefined
      })
    },
    upsert: (key, change) =>
      repeat(async () => {
        const stored = await getStored(key)
        const next = await change(read(stored)?.data, stored)
        if (!next) return false
        const isWritten = stored
          ? (await replaceStored(stored, next.data, next)) !== null
          : await own.create({ key, ...next })
        return isWritten || undefined
      }),
    take: async (key) => read(await records.take(kind, key, WITH_DAMAGED)),
    delete: async (key) => (await records.take(kind, key, WITH_DAMAGED)) !== null,
    each: (userId) => pages(PAGE, userId),
    async some(userId, limit) {
      const found: KindRecord<Data>[] = []
      // Expired and damaged records fill a page, too.
      for await (const record of pages(limit, userId)) if (found.push(record) === limit) break
      return found
    },
  }
  return own
}

/** Waits some milliseconds, not the same for all who wait. */
function wait({ random }: Pick<Host['ports'], 'random'>): Promise<void> {
  const [byte = 0] = random(1)
  return new Promise((resolve) => {
    setTimeout(resolve, 1 + byte / 8)
  })
}
