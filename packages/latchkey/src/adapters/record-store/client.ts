/** A stored record, with the id that it has in the store. */
export type StoredRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** The members of a record. A link to another record is its id, and a date is a `Date`. */
export type Fields = Readonly<Record<string, unknown>>

/** The access to a record store. Each method rejects if the store fails. */
export interface RecordStoreClient {
  /**
   * Stores a record, with `id` for a user. The store may use another id.
   *
   * @throws DuplicateRecord if a unique key exists.
   */
  create(collection: CollectionName, fields: Fields): Promise<StoredRecord>
  get(collection: CollectionName, id: string): Promise<StoredRecord | null>
  /** Returns all records with these members. */
  query(collection: CollectionName, where: Fields): Promise<StoredRecord[]>
  /**
   * Sets members of a record in one step, if the members in `expected` have these values.
   *
   * @returns the new record; `null` if no such record exists, which is never created.
   * @throws DuplicateRecord if a unique key exists.
   */
  update(
    collection: CollectionName,
    id: string,
    changes: Fields,
    expected?: Fields,
  ): Promise<StoredRecord | null>
  /** @returns the record, if this call removed it. */
  delete(collection: CollectionName, id: string): Promise<StoredRecord | null>
  /**
   * Finds a record and removes it in one step: of concurrent calls, exactly one receives it. Features that must happen
   * only once need it; the adapter then also relies on atomic updates and unique keys.
   */
  takeOnce?(collection: CollectionName, where: Fields): Promise<StoredRecord | null>
  /** Returns some records whose `expires` is before a date. */
  expired?(collection: CollectionName, before: Date, limit: number): Promise<StoredRecord[]>
  /** Returns records in the order of their ids, after one of them. */
  page?(
    collection: CollectionName,
    options: { limit: number; after: string | undefined },
  ): Promise<StoredRecord[]>
}

/** Thrown by a client if a unique key exists. It contains no values. */
export class DuplicateRecord extends Error {
  readonly collection: CollectionName

  constructor(collection: CollectionName) {
    super(`a record with this unique key already exists in ${collection}`)
    this.name = 'DuplicateRecord'
    this.collection = collection
  }
}

/** Stores a record. @returns `null` if its unique key exists. */
export async function createUnlessTaken(
  client: RecordStoreClient,
  collection: CollectionName,
  fields: Fields,
): Promise<StoredRecord | null> {
  try {
    return await client.create(collection, fields)
  } catch (error) {
    if (error instanceof DuplicateRecord) return null
    throw error
  }
}

export type CollectionName =
  | 'users'
  | 'accounts'
  | 'sessions'
  | 'verificationTokens'
  | 'users_accounts'
  | 'users_sessions'
  | 'authenticators'
  | 'counters'
  | 'records'

export interface Collection {
  /** The members that are ids of records in another collection. */
  readonly links: Readonly<Record<string, CollectionName>>
  readonly dates: readonly string[]
  /** The members that are unique together. */
  readonly unique: readonly string[]
}

/**
 * The collections, without the prefix of their names. Attempts and leases are `counters`. `records` are those of
 * plugins, if the adapter stores them.
 */
export const collections: Readonly<Record<CollectionName, Collection>> = {
  users: { links: {}, dates: ['emailVerified'], unique: ['email'] },
  accounts: { links: { user: 'users' }, dates: [], unique: ['provider', 'providerAccountId'] },
  sessions: { links: { user: 'users' }, dates: ['expires'], unique: ['sessionToken'] },
  verificationTokens: { links: {}, dates: ['expires'], unique: ['identifier', 'token'] },
  users_accounts: {
    links: { user: 'users', account: 'accounts' },
    dates: [],
    unique: ['user', 'account'],
  },
  users_sessions: {
    links: { user: 'users', session: 'sessions' },
    dates: [],
    unique: ['user', 'session'],
  },
  authenticators: { links: { user: 'users' }, dates: [], unique: ['credentialID'] },
  counters: { links: {}, dates: ['expires'], unique: ['key'] },
  records: { links: {}, dates: ['createdAt', 'expires'], unique: ['kind', 'key'] },
}
