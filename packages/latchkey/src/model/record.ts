type Awaitable<T> = T | PromiseLike<T>

/** A JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** A JSON object. */
export type JsonObject = { readonly [name: string]: JsonValue }

/** A record of a plugin: a small object with a key. */
export interface PluginRecord {
  /** The plugin's name of this kind of record: 1 to 40 characters of `a` to `z`, `0` to `9` and `-`. */
  readonly kind: string
  /** 1 to 190 characters, compared byte by byte; unique among the records of one kind. */
  readonly key: string
  /** The user with whom the record is deleted. The store need not have this user. */
  readonly userId?: string | undefined
  /** Up to 64 kB as JSON text in UTF-8. */
  readonly data: JsonObject
  /** An adapter sets it if the stored text is not the JSON of an object; `data` is empty then. Nobody stores it. */
  readonly isDamaged?: true | undefined
  /** 1 for a new record, increased by one with each replacement. */
  readonly version: number
  readonly createdAt: Date
  /** The time from which the record is absent; `cleanup` then removes it. Without it, the record does not expire. */
  readonly expires?: Date | undefined
}

/** The key of a record. */
export type RecordKey = Pick<PluginRecord, 'kind' | 'key'>

/** The query of a list of records. */
export interface RecordQuery {
  readonly kind: string
  /** Only the records of this user. */
  readonly userId?: string | undefined
  /** `next` of the previous page. */
  readonly after?: string | undefined
  /** The maximum number of records of a page. */
  readonly limit: number
}

/** A page of records. */
export interface RecordPage {
  readonly records: PluginRecord[]
  /** The value of `after` for the next page; `null` after the last one. */
  readonly next: string | null
}

/**
 * Stores the records of plugins. A store has all of these operations or none.
 *
 * Changes of a finished call are visible to all later calls of all processes. An adapter has no clock: it returns
 * expired records until they are removed.
 */
export interface RecordAbilities {
  /**
   * Stores a record, unless there is one with this key that has not expired by `now`. It replaces an expired one
   * completely. It does not throw for an existing key, so that a transaction can continue.
   *
   * @returns whether this call stored it.
   */
  createRecord?(record: PluginRecord, now: Date): Awaitable<boolean>
  /** Returns a record, expired or not. */
  getRecord?(key: RecordKey): Awaitable<PluginRecord | null>
  /**
   * Replaces `data`, `version` and `expires` of the stored record whose version is `version - 1`. The user and the time
   * of creation do not change.
   *
   * @returns whether this call replaced it.
   */
  replaceRecord?(record: PluginRecord): Awaitable<boolean>
  /** Removes a record and returns it, expired or not. Of concurrent calls, exactly one receives it. */
  takeRecord?(key: RecordKey): Awaitable<PluginRecord | null>
  /**
   * Returns a page of records of one kind, in any order. All pages together contain every record that existed during
   * the whole time.
   *
   * @throws if `after` is not a string.
   */
  listRecords?(query: RecordQuery): Awaitable<RecordPage>
}

const KIND = /^[a-z0-9-]{1,40}$/

const LONGEST_KEY = 190

/** Bytes. */
const LARGEST_DATA = 65_536

/**
 * Returns the data of a record as JSON text to store.
 *
 * @throws TypeError for an invalid kind, key, user id, version, date or data: see {@link PluginRecord}. The message
 *   does not contain the key, which may be secret.
 */
export function recordText({
  kind,
  key,
  userId,
  data,
  version,
  createdAt,
  expires,
}: PluginRecord): string {
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw new TypeError(
      `the kind of a record must be 1 to 40 characters of a-z, 0-9 and "-", got ${JSON.stringify(kind)}`,
    )
  const fail = (problem: string): never => {
    throw new TypeError(`${problem} (record of kind "${kind}")`)
  }
  if (!isKey(key)) {
    const got = typeof key === 'string' ? `${key.length} characters` : typeof key
    fail(
      `the key of a record must be a string of 1 to ${LONGEST_KEY} characters without NUL, got ${got}`,
    )
  }
  if (userId !== undefined && (typeof userId !== 'string' || userId === ''))
    fail('`userId` of a record must be a string that is not empty, or be absent')
  if (!Number.isSafeInteger(version) || version < 1)
    fail(`\`version\` of a record must be a whole number from 1 on, got ${String(version)}`)
  if (!isValidDate(createdAt)) fail('`createdAt` of a record must be a valid Date')
  if (expires !== undefined && !isValidDate(expires))
    fail('`expires` of a record must be a valid Date, or be absent')
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    fail('`data` of a record must be an object')
  const text = JSON.stringify(data)
  const { length } = new TextEncoder().encode(text)
  if (length > LARGEST_DATA)
    fail(`\`data\` of a record must be at most ${LARGEST_DATA} bytes as JSON, got ${length}`)
  return text
}

/** Returns the data of a record from its stored text. A damaged text does not throw: other records of a list are fine. */
export function recordData(text: string): Pick<PluginRecord, 'data' | 'isDamaged'> {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return { data: data as JsonObject }
  } catch {
    // The same as for another JSON value.
  }
  return { data: {}, isDamaged: true }
}

function isKey(key: unknown): boolean {
  return (
    typeof key === 'string' &&
    key !== '' &&
    key.length <= LONGEST_KEY &&
    !key.includes('\0') &&
    // A lone surrogate has no bytes to compare.
    key.isWellFormed()
  )
}

function isValidDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
