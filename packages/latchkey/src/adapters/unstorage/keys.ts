import type { AdapterAccount } from '../../model/account.ts'
import type { RecordKey } from '../../model/record.ts'

/**
 * The key of an entry, and the other key under which the adapter for `@auth/core` may have stored it: that adapter does
 * not escape slashes and question marks.
 */
export interface Place {
  readonly own: string
  readonly foreign: string | undefined
}

/** The keys of one store, which begin with its prefix. */
export interface Keys extends KeyLists {
  user(id: string): Place
  email(address: string): Place
  account(key: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Place
  session(token: string): Place
  token(key: { identifier: string; token: string }): Place
  authenticator(credentialID: string): Place
  attempts(key: string): string
  lease(name: string): string
  record(key: RecordKey): string
  /** Whether it is the key of a user. */
  isUser(key: string): boolean
  /** Whether it is the key of a list. */
  isList(key: string): boolean
}

/** The keys of lists, and the prefixes of keys by kind. */
interface KeyLists {
  accountsOf(userId: string): string
  sessionsOf(userId: string): string
  tokensOf(identifier: string): string
  authenticatorsOf(userId: string): string
  /** The prefix of the keys of all records of a kind. */
  recordsOf(kind: string): string
  recordsOfUser(userId: string): string
  readonly users: string
  readonly sessions: string
  readonly tokens: string
  readonly allAttempts: string
  readonly records: string
}

export function createKeys(prefix: string): Keys {
  const users = `${prefix}user:`
  const sessions = `${users}session:`
  const tokens = `${users}token:`
  const allAttempts = `${users}attempts:`
  const records = `${prefix}record:`
  const place = (base: string, ...parts: readonly string[]): Place => {
    const own = base + parts.map(escape).join(':')
    const foreign = base + parts.join(':')
    return { own, foreign: own !== foreign && harmless(foreign) ? foreign : undefined }
  }
  return {
    user: (id) => place(users, id),
    email: (address) => place(`${users}email:`, address),
    account: ({ provider, providerAccountId }) =>
      place(`${users}account:`, provider, providerAccountId),
    accountsOf: (userId) => `${users}account:by-user-id:${escape(userId)}`,
    session: (token) => place(sessions, token),
    sessionsOf: (userId) => `${sessions}by-user-id:${escape(userId)}`,
    token: ({ identifier, token }) => place(tokens, identifier, token),
    tokensOf: (identifier) => `${tokens}by-identifier:${escape(identifier)}`,
    authenticator: (credentialID) => place(`${prefix}authenticator:`, credentialID),
    authenticatorsOf: (userId) => `${prefix}authenticator:by-user-id:${escape(userId)}`,
    attempts: (key) => allAttempts + escape(key),
    lease: (name) => `${users}lease:${escape(name)}`,
    record: ({ kind, key }) => `${records}${escape(kind)}:${escape(key)}`,
    recordsOf: (kind) => `${records}${escape(kind)}:`,
    recordsOfUser: (userId) => `${prefix}records:by-user-id:${escape(userId)}`,
    isUser: (key) => isBelow(users, key) && ONE_PART.test(key.slice(users.length)),
    isList: (key) => LISTS.some((list) => isBelow(prefix + list, key)),
    users,
    sessions,
    tokens,
    allAttempts,
    records,
  }
}

const LISTS: readonly string[] = ['user:session:by-user-id:', 'user:token:by-identifier:']

function isBelow(base: string, key: string): boolean {
  return key.startsWith(base)
}

/** Words of the layout. A driver with a folder of this name cannot have a file with it. */
const WORDS: readonly string[] = [
  'email',
  'account',
  'session',
  'token',
  'attempts',
  'lease',
  'by-user-id',
  'by-identifier',
]

/** The length of a part that fits into the name of a file. */
const LONGEST = 200

/** A long part consists of several, which all end with `%` except the last one. */
const ONE_PART = /^(?:[^:]*%:)*[^:]+$/

/**
 * Escapes a part of a key, without characters that have a meaning in storages or drivers. Different parts have
 * different texts; usual parts stay as they are.
 */
function escape(part: string): string {
  if (part === '') return '%'
  if (WORDS.includes(part)) return hexadecimal(part.charAt(0)) + part.slice(1)
  const safe = part.replaceAll(/[^!-~]|[%:/\\?$]|^\.|\.$/g, hexadecimal)
  return safe.match(new RegExp(`.{1,${LONGEST}}`, 'g'))?.join('%:') ?? ''
}

function hexadecimal(unit: string): string {
  return `%u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Whether drivers accept a key. Some fail for other keys. */
function harmless(key: string): boolean {
  return /^[ -~]+$/.test(key) && !/(^|[:/\\])\.{1,2}([:/\\]|$)|\.\.$/.test(key)
}
