/** A stored record, with the id that it has in the store. */
export type StoredRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** Members of a record. A link to another record is its id; a date is a `Date`. */
export type Fields = Readonly<Record<string, unknown>>

/** How a record store is reached. Every method fails when the store does. */
export interface RecordStoreClient {
  /**
   * Stores a record, with `id` for a user; the store may give it another.
   *
   * @throws DuplicateRecord when a unique key is taken.
   */
  create(collection: CollectionName, fields: Fields): Promise<StoredRecord>
  get(collection: CollectionName, id: string): Promise<StoredRecord | null>
  /** All records with these members, however many. */
  query(collection: CollectionName, where: Fields): Promise<StoredRecord[]>
  /**
   * Sets members of a record, in one step, if the members in `expected` are still what they were.
   *
   * @returns the record after that; `null` when there is none like that, which is never created.
   * @throws DuplicateRecord when a unique key is taken.
   */
  update(
    collection: CollectionName,
    id: string,
    changes: Fields,
    expected?: Fields,
  ): Promise<StoredRecord | null>
  /** @returns what was removed, if this call did it. */
  delete(collection: CollectionName, id: string): Promise<StoredRecord | null>
  /**
   * Finds one record and removes it in one step: of many that try, one gets it. Only with this is the
   * store one for what must happen once; `update` and unique keys are then taken to be indivisible.
   */
  takeOnce?(collection: CollectionName, where: Fields): Promise<StoredRecord | null>
  /** Some records whose `expires` is before a date. */
  expired?(collection: CollectionName, before: Date, limit: number): Promise<StoredRecord[]>
  /** Records in the order of their ids, those after one of them. */
  page?(
    collection: CollectionName,
    options: { limit: number; after: string | undefined },
  ): Promise<StoredRecord[]>
}

/** Thrown by a client when a unique key is taken. Carries no values. */
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
  /** Members that are ids of records in another collection. */
  readonly links: Readonly<Record<string, CollectionName>>
  readonly dates: readonly string[]
  /** Which members are unique, together. */
  readonly unique: readonly string[]
}

/**
 * The collections, without the prefix of their names. Attempts and leases are `counters`; `records` are those
 * of plugins, where the adapter is told to keep them.
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
