import type { AdapterAccount } from '../../model/account.ts'
import { AdapterConflict } from '../../model/adapter.ts'
import { ownerMissing } from '../problems.ts'
import { given, type RecordName, type Records } from '../records.ts'
import type { Item } from './client.ts'
import { expiry, fromItem, type ItemShape, toItem } from './items.ts'
import {
  ACCOUNT,
  AUTHENTICATOR,
  guardKeys,
  type Key,
  ownedKeys,
  SESSION,
  single,
  userKey,
} from './keys.ts'
import { ABSENT, type Condition, type IndexLayout, type Part, type Table } from './table.ts'

export interface Store {
  readonly table: Table
  readonly shape: ItemShape
  readonly index: IndexLayout | undefined
}

/** The records in the partition of their user. */
export type OwnedName = 'account' | 'session' | 'authenticator'

/** The keys of a record. */
export interface Places<Name extends OwnedName> {
  /** The item with the id of the user. */
  guard(): Promise<Key>
  owned(userId: string): Promise<Key>
  /** The keys in the index of another adapter. */
  readonly indexed: Key | undefined
  /** The members that the record must have. */
  readonly members: Partial<Records[Name]>
}

export function accountPlaces({
  provider,
  providerAccountId,
}: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Places<'account'> {
  const key = { provider, providerAccountId }
  return {
    guard: () => guardKeys.account(key),
    owned: (userId) => ownedKeys.account(userId, key),
    indexed: { partition: `ACCOUNT#${provider}`, sort: `ACCOUNT#${providerAccountId}` },
    members: key,
  }
}

export function sessionPlaces(sessionToken: string): Places<'session'> {
  return {
    guard: () => guardKeys.session(sessionToken),
    owned: (userId) => ownedKeys.session(userId, sessionToken),
    indexed: single(`SESSION#${sessionToken}`),
    members: { sessionToken },
  }
}

export function authenticatorPlaces(credentialID: string): Places<'authenticator'> {
  return {
    guard: () => guardKeys.authenticator(credentialID),
    owned: (userId) => ownedKeys.authenticator(userId, credentialID),
    indexed: undefined,
    members: { credentialID },
  }
}

export interface Found<Name extends RecordName> {
  readonly key: Key
  readonly record: Records[Name]
}

export interface FoundOwned<Name extends OwnedName> extends Found<Name> {
  readonly guard: Key
  /** `false` for a record that another adapter wrote. */
  readonly guarded: boolean
}

/** Finds a record that was written before. A record of another adapter may be found late. */
export async function find<Name extends OwnedName>(
  store: Store,
  name: Name,
  places: Places<Name>,
): Promise<FoundOwned<Name> | undefined> {
  const guard = await places.guard()
  const lead = await store.table.get(guard)
  const key = lead
    ? await places.owned(String(lead['userId']))
    : await findInIndex(store, places.indexed)
  const item = key && (await store.table.get(key))
  if (!key || !item) return undefined
  const record = fromItem(name, item, store.shape)
  const fits = Object.entries(places.members).every(
    ([member, value]) => (record as unknown as Item)[member] === value,
  )
  return fits ? { key, record, guard, guarded: lead !== undefined } : undefined
}

async function findInIndex(
  { table, index }: Store,
  key: Key | undefined,
): Promise<Key | undefined> {
  if (!index || !key || !fits(key)) return undefined
  for await (const item of table.index(index, key)) return table.keyOf(item)
  return undefined
}

/** Finds a user, unless the user is being deleted. */
export async function findUser(
  { table, shape }: Store,
  id: string,
): Promise<(Found<'user'> & { readonly item: Item }) | undefined> {
  const key = await userKey(id)
  const item = await table.get(key)
  if (!item || item['deleting']) return undefined
  const record = fromItem('user', item, shape)
  return record.id === id ? { key, item, record } : undefined
}

export async function findByEmail(store: Store, email: string): Promise<Found<'user'> | undefined> {
  const lead = await store.table.get(await guardKeys.email(email))
  const id = lead ? String(lead['userId']) : await findIdInIndex(store, email)
  const found = id === undefined ? undefined : await findUser(store, id)
  return found?.record.email === email ? found : undefined
}

async function findIdInIndex(store: Store, email: string): Promise<string | undefined> {
  const key = await findInIndex(store, single(`USER#${email}`))
  return key?.partition.slice('USER#'.length)
}

/** The condition that a user exists and is not being deleted. */
export const STAYING: Condition = {
  condition: 'attribute_exists(#partition) AND attribute_not_exists(#deleting)',
}

/** Thrown if another request changed the entry at the same time. */
export class Superseded extends Error {}

/**
 * Stores a record of a user with its guard, if the user exists.
 *
 * @param further parts of the same transaction.
 * @throws AdapterConflict if the record exists, or {@link Superseded} if a further part fails.
 */
export async function insertOwned<Name extends OwnedName>(
  store: Store,
  name: Name,
  places: Places<Name>,
  record: Records[Name],
  further: readonly Part[] = [],
): Promise<Records[Name]> {
  const { table, shape } = store
  if (store.index && (await find(store, name, places))) throw new AdapterConflict(name)
  const { userId } = record
  const item = toItem(name, record)
  const lead = { userId, ...('expires' in record ? expiry(record.expires as Date) : {}) }
  const refused = await table.commit([
    table.putting(await places.guard(), lead, ABSENT),
    table.putting(
      await places.owned(userId),
      { ...item, ...given(indexKeys(store, places.indexed)) },
      ABSENT,
    ),
    ...further,
    table.checking(await userKey(userId), STAYING),
  ])
  if (refused === undefined) return fromItem(name, item, shape)
  if (refused < 2) throw new AdapterConflict(name)
  if (refused < 2 + further.length)
    throw new Superseded('another request changed this entry at the same time')
  throw ownerMissing(name)
}

/** Removes the guards first: without its guard, a record is not found. */
export async function removeFound(
  { table }: Store,
  all: readonly { readonly guard: Key; readonly key: Key }[],
): Promise<void> {
  await table.commit(all.flatMap(({ guard, key }) => [table.removing(guard), table.removing(key)]))
}

const BEGINNINGS: Readonly<Record<OwnedName, string>> = {
  session: SESSION,
  account: ACCOUNT,
  authenticator: AUTHENTICATOR,
}

/** Returns all records of a user. */
export async function listOwned<Name extends OwnedName>(
  { table, shape }: Store,
  name: Name,
  userId: string,
): Promise<Records[Name][]> {
  const records: Records[Name][] = []
  const { partition } = await userKey(userId)
  for await (const item of table.partition(partition, BEGINNINGS[name])) {
    records.push(fromItem(name, item, shape))
  }
  return records
}

/** Returns the keys by which another adapter finds the record; none if they are too long. */
export function indexKeys({ index }: Store, key: Key | undefined): Item {
  if (!index) return {}
  const fitting = key && fits(key) ? key : undefined
  return {
    [index.partitionKey]: fitting?.partition,
    [index.sortKey]: fitting?.sort,
  }
}

/** A partition key has at most 2048 bytes and a sort key 1024. Longer keys are not in an index. */
function fits({ partition, sort }: Key): boolean {
  const length = (text: string) => new TextEncoder().encode(text).length
  return length(partition) <= 2048 && length(sort) <= 1024
}
