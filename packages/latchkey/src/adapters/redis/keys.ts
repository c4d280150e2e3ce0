import type { AdapterAccount } from '../../model/account.ts'
import type { RecordKey } from '../../model/record.ts'

/** The keys of one store, which begin with its prefix. */
export interface Keys {
  readonly prefix: string
  user(id: string): string
  email(address: string): string
  account(key: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): string
  accountsOf(userId: string): string
  session(token: string): string
  sessionsOf(userId: string): string
  token(key: { identifier: string; token: string }): string
  tokensOf(identifier: string): string
  authenticator(credentialID: string): string
  authenticatorsOf(userId: string): string
  attempts(key: string): string
  lease(name: string): string
  record(key: RecordKey): string
  /** The keys of all records of a kind. */
  recordsOf(kind: string): string
  /** The members of all records of a user, see {@link recordMember}. */
  recordsOfUser(userId: string): string
  /** The members of records that expire, by time. */
  readonly expiringRecords: string
  /** The ids of all users. */
  readonly users: string
  /** The keys of all sessions, by the time when they expire. */
  readonly sessions: string
  /** The keys of all verification tokens, by the time when they expire. */
  readonly tokens: string
}

/**
 * Returns the keys in the layout of the adapters for `@auth/core` with key-value stores. A part of a key that contains
 * the separator, or is a word of the layout, is escaped.
 */
export function createKeys(prefix: string): Keys {
  return {
    prefix,
    user: (id) => `${prefix}user:${escape(id)}`,
    email: (address) => `${prefix}user:email:${address}`,
    account: ({ provider, providerAccountId }) =>
      `${prefix}user:account:${first(provider)}:${providerAccountId}`,
    accountsOf: (userId) => `${prefix}user:account:by-user-id:${userId}`,
    session: (token) => `${prefix}user:session:${escape(token)}`,
    sessionsOf: (userId) => `${prefix}user:session:by-user-id:${userId}`,
    token: ({ identifier, token }) => `${prefix}user:token:${first(identifier)}:${token}`,
    tokensOf: (identifier) => `${prefix}user:token:by-identifier:${identifier}`,
    authenticator: (credentialID) => `${prefix}authenticator:${escape(credentialID)}`,
    authenticatorsOf: (userId) => `${prefix}authenticator:by-user-id:${userId}`,
    attempts: (key) => `${prefix}user:attempts:${key}`,
    lease: (name) => `${prefix}user:lease:${name}`,
    record: (key) => `${prefix}record:${recordMember(key)}`,
    recordsOf: (kind) => `${prefix}records:of-kind:${kind}`,
    recordsOfUser: (userId) => `${prefix}records:of-user:${userId}`,
    expiringRecords: `${prefix}records:expiring`,
    users: `${prefix}user:index:users`,
    sessions: `${prefix}user:index:sessions`,
    tokens: `${prefix}user:index:tokens`,
  }
}

/** Returns the name of a record in an index. A kind has no `:`. */
export function recordMember({ kind, key }: RecordKey): string {
  return `${escape(kind)}:${key}`
}

/** Escapes a part of a key that is the last one or precedes `:`. The scripts escape ids of users in the same way. */
function escape(part: string): string {
  return part.replaceAll('%', '%25').replaceAll(':', '%3A')
}

/**
 * Escapes the part before the last one. The last one may be any text, so this part must not be a word of the layout.
 */
function first(part: string): string {
  return part === 'by-user-id' || part === 'by-identifier' ? `%62${part.slice(1)}` : escape(part)
}
