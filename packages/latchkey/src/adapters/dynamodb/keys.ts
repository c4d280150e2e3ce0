import { encodeHex } from '../../base/encoding/hex.ts'
import type { AdapterAccount } from '../../model/account.ts'
import type { RecordKey } from '../../model/record.ts'

/** Partition key and sort key. */
export interface Key {
  readonly partition: string
  readonly sort: string
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** What begins the sort keys of what a user has. */
export const SESSION = 'SESSION#'
export const ACCOUNT = 'ACCOUNT#'
export const AUTHENTICATOR = 'AUTHENTICATOR#'

export function userKey(id: string): Promise<Key> {
  return fitting(`USER#${id}`)
}

/** The keys that say whose something is: what they lead to is with its user. */
export const guardKeys = {
  email: (address: string): Promise<Key> => fitting(`EMAIL#${address}`),
  account: (key: AccountKey): Promise<Key> => fitting(`ACCOUNTKEY#${pair(key)}`),
  session: (token: string): Promise<Key> => fitting(`SESSIONKEY#${token}`),
  authenticator: (credentialID: string): Promise<Key> =>
    fitting(`AUTHENTICATORKEY#${credentialID}`),
}

/** The keys of what a user has. */
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

/** The partition of all verification tokens of an address. */
export function tokensOf(identifier: string): Promise<string> {
  return fit(`VT#${identifier}`)
}

export function attemptsKey(key: string): Promise<Key> {
  return fitting(`ATTEMPTS#${key}`)
}

export function leaseKey(name: string): Promise<Key> {
  return fitting(`LEASE#${name}`)
}

/** The items of one kind, which are sorted by their keys. */
export async function recordKey({ kind, key }: RecordKey): Promise<Key> {
  return { partition: await fit(`RECORD#${kind}`), sort: await fit(`RECORD#${key}`) }
}

/** All records of a kind: their partition, and what their sort keys begin with. */
export function recordsOf(kind: string): Promise<Key> {
  return recordKey({ kind, key: '' })
}

/** What leads from a user to a record. */
export function recordOfUserKey(userId: string, { kind, key }: RecordKey): Promise<Key> {
  return beside(userId, `RECORDOF#${kind}#${key}`)
}

/** All records of a user, or those of one kind: their partition, and what their sort keys begin with. */
export function recordsOfUser(userId: string, kind?: string): Promise<Key> {
  return beside(userId, kind === undefined ? 'RECORDOF#' : `RECORDOF#${kind}#`)
}

export function single(text: string): Key {
  return { partition: text, sort: text }
}

/** The provider must not reach into the part that follows it. */
function pair({ provider, providerAccountId }: AccountKey): string {
  return `${provider.replaceAll('%', '%25').replaceAll('#', '%23')}#${providerAccountId}`
}

async function beside(userId: string, sort: string): Promise<Key> {
  return { partition: (await userKey(userId)).partition, sort: await fit(sort) }
}

async function fitting(text: string): Promise<Key> {
  return single(await fit(text))
}

/** A sort key has 1024 bytes at most. */
const LONGEST = 1000

/** What comes from outside may be longer than a key: of such a text the beginning is kept, and its SHA-256. */
async function fit(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= LONGEST) return text
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${text.slice(0, 100)}%${encodeHex(digest)}`
}
