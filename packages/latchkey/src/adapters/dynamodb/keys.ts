import { encodeHex } from '../../base/encoding/hex.ts'
import type { AdapterAccount } from '../../model/account.ts'
import type { RecordKey } from '../../model/record.ts'

/** Partition key and sort key. */
export interface Key {
  readonly partition: string
  readonly sort: string
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** The prefixes of the sort keys of a user's items. */
export const SESSION = 'SESSION#'
export const ACCOUNT = 'ACCOUNT#'
export const AUTHENTICATOR = 'AUTHENTICATOR#'

export function userKey(id: string): Promise<Key> {
  return fitting(`USER#${id}`)
}

/** The keys of guards. A guard has the id of the user whose partition has the item. */
export const guardKeys = {
  email: (address: string): Promise<Key> => fitting(`EMAIL#${address}`),
  account: (key: AccountKey): Promise<Key> => fitting(`ACCOUNTKEY#${pair(key)}`),
  session: (token: string): Promise<Key> => fitting(`SESSIONKEY#${token}`),
  authenticator: (credentialID: string): Promise<Key> =>
    fitting(`AUTHENTICATORKEY#${credentialID}`),
}

/** The keys of a user's items. */
export const ownedKeys = {
  account: (userId: string, key: AccountKey): Promise<Key> =>
    beside(userId, `${ACCOUNT}${pair(key)}`),
  session: (userId: string, token: string): Promise<Key> => beside(userId, `${SESSION}${token}`),
  authenticator: (userId: string, credentialID: string): Promise<Key> =>
    beside(userId, `${AUTHENTICATOR}${credentialID}`),
}

export async function tokenKey(identifier: string, token: string): Promise<Key> {
  return { partition: await tokensOf(identifier), sort: await fit(`VT#${token}`) }
}

/** Returns the partition of all verification tokens of an address. */
export function tokensOf(identifier: string): Promise<string> {
  return fit(`VT#${identifier}`)
}

export function attemptsKey(key: string): Promise<Key> {
  return fitting(`ATTEMPTS#${key}`)
}

export function leaseKey(name: string): Promise<Key> {
  return fitting(`LEASE#${name}`)
}

/** Returns the key of a record. The records of a kind are sorted by their keys. */
export async function recordKey({ kind, key }: RecordKey): Promise<Key> {
  return { partition: await fit(`RECORD#${kind}`), sort: await fit(`RECORD#${key}`) }
}

/** Returns the partition of all records of a kind, and the prefix of their sort keys. */
export function recordsOf(kind: string): Promise<Key> {
  return recordKey({ kind, key: '' })
}

/** Returns the key of the item that lists a record of a user. */
export function recordOfUserKey(userId: string, { kind, key }: RecordKey): Promise<Key> {
  return beside(userId, `RECORDOF#${kind}#${key}`)
}

/** Returns the partition of all records of a user, or those of one kind, and the prefix of their sort keys. */
export function recordsOfUser(userId: string, kind?: string): Promise<Key> {
  return beside(userId, kind === undefined ? 'RECORDOF#' : `RECORDOF#${kind}#`)
}

export function single(text: string): Key {
  return { partition: text, sort: text }
}

/** Escapes the provider, so that it cannot extend into the next part. */
function pair({ provider, providerAccountId }: AccountKey): string {
  return `${provider.replaceAll('%', '%25').replaceAll('#', '%23')}#${providerAccountId}`
}

async function beside(userId: string, sort: string): Promise<Key> {
  return { partition: (await userKey(userId)).partition, sort: await fit(sort) }
}

async function fitting(text: string): Promise<Key> {
  return single(await fit(text))
}

/** Bytes. A sort key has at most 1024. */
const LONGEST = 1000

/** Returns a text that fits into a key: of a long text, the beginning and its SHA-256. */
async function fit(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= LONGEST) return text
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${text.slice(0, 100)}%${encodeHex(digest)}`
}
