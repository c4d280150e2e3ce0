import { withDocs } from '../base/option-error.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AdapterAuthenticator } from '../model/authenticator.ts'
import type { AdapterSession } from '../model/session.ts'
import type { AdapterUser } from '../model/user.ts'
import type { VerificationToken } from '../model/verification-token.ts'
import type { StoredRecord } from './plugin-records.ts'

/** The records that adapters store, by name. */
export interface Records {
  user: AdapterUser
  account: AdapterAccount
  session: AdapterSession
  verificationToken: VerificationToken
  authenticator: AdapterAuthenticator
  record: StoredRecord
}

export type RecordName = keyof Records

/** What a member holds. A store decides how it keeps it. */
export type Content = 'text' | 'instant' | 'integer' | 'boolean'

export interface Member {
  readonly content: Content
  /** A text that stores compare and look up: an identifier, an address or a token. */
  readonly isKey?: true
  /** `null` if there is no value. */
  readonly nullable?: true
  /** A table of the application may lack it; it is `null` then. */
  readonly optional?: true
  /** The id of a stored user, with whom the record is deleted. */
  readonly owner?: true
}

const text: Member = { content: 'text' }
const key: Member = { content: 'text', isKey: true }
const owner: Member = { ...key, owner: true }
const instant: Member = { content: 'instant' }
const integer: Member = { content: 'integer' }
const boolean: Member = { content: 'boolean' }
const nullable = (member: Member): Member => ({ ...member, nullable: true })
const optional = (member: Member): Member => ({ ...member, nullable: true, optional: true })

/** The members of each record. */
export const members: Readonly<Record<RecordName, Readonly<Record<string, Member>>>> = {
  user: {
    id: key,
    name: optional(text),
    email: nullable(key),
    emailVerified: optional(instant),
    image: optional(text),
  },
  account: {
    userId: owner,
    type: text,
    provider: key,
    providerAccountId: key,
    refresh_token: optional(text),
    access_token: optional(text),
    expires_at: optional(integer),
    token_type: optional(text),
    scope: optional(text),
    id_token: optional(text),
    session_state: optional(text),
  },
  session: { sessionToken: key, userId: owner, expires: instant },
  verificationToken: { identifier: key, token: key, expires: instant },
  authenticator: {
    credentialID: key,
    userId: owner,
    providerAccountId: key,
    credentialPublicKey: text,
    counter: integer,
    credentialDeviceType: text,
    credentialBackedUp: boolean,
    transports: optional(text),
  },
  record: {
    kind: key,
    key,
    // Without a reference: the user may be in another store.
    userId: nullable(key),
    data: text,
    version: integer,
    createdAt: instant,
    expires: nullable(instant),
  },
}

/** The members by which each record is found. */
export const primaryKeys: Readonly<Record<RecordName, readonly string[]>> = {
  user: ['id'],
  account: ['provider', 'providerAccountId'],
  session: ['sessionToken'],
  verificationToken: ['identifier', 'token'],
  authenticator: ['credentialID'],
  record: ['kind', 'key'],
}

/** The members that have an index, in addition to the primary key. */
export const indexes: Readonly<Record<RecordName, readonly (readonly string[])[]>> = {
  user: [],
  account: [['userId']],
  session: [['userId'], ['expires']],
  verificationToken: [['expires']],
  authenticator: [['userId']],
  record: [['userId', 'kind'], ['expires']],
}

function membersWith(is: (member: Member) => boolean): Readonly<Record<RecordName, string[]>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, of]) => [
      name,
      Object.keys(of).filter((member) => is(of[member] as Member)),
    ]),
  ) as Record<RecordName, string[]>
}

const nullableMembers = membersWith((member) => member.nullable === true)
const dateMembers = membersWith(({ content }) => content === 'instant')

/** Returns the members that have a value. */
export function given<Resource extends object>(resource: Resource): Resource {
  return Object.fromEntries(
    Object.entries(resource).filter(([, value]) => value !== undefined),
  ) as Resource
}

/** Returns a record with every base member: those without a value are `null`. */
export function complete<Name extends RecordName>(name: Name, record: object): Records[Name] {
  const nothing = Object.fromEntries(nullableMembers[name].map((member) => [member, null]))
  return { ...nothing, ...given(record) } as unknown as Records[Name]
}

/** Returns a {@link complete} record, with dates for the texts or numbers of the store. Other texts stay as they are. */
export function toRecord<Name extends RecordName>(name: Name, stored: object): Records[Name] {
  const record = complete(name, stored) as unknown as Record<string, unknown>
  for (const member of dateMembers[name]) record[member] = toDate(record[member])
  return record as unknown as Records[Name]
}

/**
 * Returns a record as JSON text, with lone surrogates replaced, for example of a truncated name: not every JSON parser
 * accepts them.
 */
export function toJson(record: object): string {
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}

/** Parses a stored JSON text. See {@link toRecord}. */
export function parseRecord<Name extends RecordName>(name: Name, text: string): Records[Name] {
  return toRecord(name, JSON.parse(text) as object)
}

function toDate(value: unknown): Date | null {
  return value === null || value === undefined ? null : new Date(value as string | number | Date)
}

/** @throws RangeError for a lease that ends before it begins, or has an invalid date. */
export function checkLease({ now, expires }: { now: Date; expires: Date }): void {
  if (!(expires > now))
    throw new RangeError(withDocs('a lease must end after it begins', 'adapterCall'))
}
