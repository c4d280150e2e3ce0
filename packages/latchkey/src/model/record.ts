type Awaitable<T> = T | PromiseLike<T>

/** A value that JSON has. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** An object of JSON. */
export type JsonObject = { readonly [name: string]: JsonValue }

/** What a plugin stores: a small object under a key. */
export interface PluginRecord {
  /** The plugin's name for records of this sort: 1 to 40 of `a` to `z`, `0` to `9` and `-`. */
  readonly kind: string
  /** 1 to 190 characters, compared byte by byte. Of two records of one kind, no two have the same. */
  readonly key: string
  /** The record is deleted with this user. There need not be such a user in the store. */
  readonly userId?: string | undefined
  /** Up to 64 kB as JSON text in UTF-8. */
  readonly data: JsonObject
  /** 1 when the record is created, and one more with each replacement. */
  readonly version: number
  readonly createdAt: Date
  /** The record is absent from then on, and `cleanup` removes it. Without it, the record stays. */
  readonly expires?: Date | undefined
}

/** What identifies a record. */
export type RecordKey = Pick<PluginRecord, 'kind' | 'key'>

/** Which records are listed. */
export interface RecordQuery {
  readonly kind: string
  /** Only the records of this user. */
  readonly userId?: string | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** The most records that a page has. */
  readonly limit: number
}

/** A part of the records that are listed. */
export interface RecordPage {
  readonly records: PluginRecord[]
  /** Where the next page begins; `null` after the last one. */
  readonly next: string | null
}

/**
 * Stores the records of plugins. A store has all of these abilities or none.
 *
 * What a finished call changed is seen by every later one, from every process. An adapter has no clock:
 * it returns expired records as long as they are there.
 */
export interface RecordAbilities {
  /**
   * Stores a record, unless there is one with this key that has not expired by `now`. An expired one is
   * replaced as a whole. Does not throw for a key that is taken, so that a transaction goes on.
   *
   * @returns whether this call stored it.
   */
  createRecord?(record: PluginRecord, now: Date): Awaitable<boolean>
  /** Returns a record, expired or not. */
  getRecord?(key: RecordKey): Awaitable<PluginRecord | null>
  /**
   * Replaces `data`, `version` and `expires` of the stored record whose version is `version - 1`. The
   * user and the time of creation stay.
   *
   * @returns whether this call did it.
   */
  replaceRecord?(record: PluginRecord): Awaitable<boolean>
  /** Removes a record and returns it, expired or not: of parallel calls exactly one gets it. */
  takeRecord?(key: RecordKey): Awaitable<PluginRecord | null>
  /**
   * Returns some records of one kind, in any order. Following the pages finds each record that was there
   * all the while.
   *
   * @throws for an `after` that is not a text.
   */
  listRecords?(query: RecordQuery): Awaitable<RecordPage>
}

const KIND = /^[a-z0-9-]{1,40}$/

const LONGEST_KEY = 190

/** Bytes. */
const LARGEST_DATA = 65_536

/**
 * Returns the data of a record as the JSON text to store.
 *
 * @throws TypeError for a record that no store has to keep: a kind, key, user id, version, date or data
 *   beyond what {@link PluginRecord} says. The message does not contain the key, which may be secret.
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
      `the kind of a record must be 1 to 40 of a-z, 0-9 and "-", got ${JSON.stringify(kind)}`,
    )
  const fail = (problem: string): never => {
    throw new TypeError(`${problem} (record of kind "${kind}")`)
  }
  if (!isKey(key)) {
    const got = typeof key === 'string' ? `${key.length} characters` : typeof key
    fail(
      `the key of a record must be 1 to ${LONGEST_KEY} characters of text without NUL, got ${got}`,
    )
  }
  if (userId !== undefined && (typeof userId !== 'string' || userId === ''))
    fail('`userId` of a record must be a text that is not empty, or be left out')
  if (!Number.isSafeInteger(version) || version < 1)
    fail(`\`version\` of a record must be a whole number from 1 on, got ${String(version)}`)
  if (!isValidDate(createdAt)) fail('`createdAt` of a record must be a valid Date')
  if (expires !== undefined && !isValidDate(expires))
    fail('`expires` of a record must be a valid Date, or be left out')
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    fail('`data` of a record must be an object')
  const text = JSON.stringify(data)
  const { length } = new TextEncoder().encode(text)
  if (length > LARGEST_DATA)
    fail(`\`data\` of a record must be at most ${LARGEST_DATA} bytes as JSON, got ${length}`)
  return text
}

function isKey(key: unknown): boolean {
  return (
    typeof key === 'string' &&
    key !== '' &&
    key.length <= LONGEST_KEY &&
    !key.includes('\0') &&
    // Half of a character has no bytes that it could be compared by.
    key.isWellFormed()
  )
}

function isValidDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
