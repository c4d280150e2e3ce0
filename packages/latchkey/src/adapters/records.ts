import { withDocs } from '../base/option-error.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AdapterAuthenticator } from '../model/authenticator.ts'
import type { AdapterSession } from '../model/session.ts'
import type { AdapterUser } from '../model/user.ts'
import type { VerificationToken } from '../model/verification-token.ts'
import type { StoredRecord } from './plugin-records.ts'

/** What the adapters without a schema of columns store, by name. */
export interface Records {
  user: AdapterUser
  account: AdapterAccount
  session: AdapterSession
  verificationToken: VerificationToken
  authenticator: AdapterAuthenticator
  record: StoredRecord
}

export type RecordName = keyof Records

interface Shape {
  /** Members that are `null` when they were not given. */
  readonly nullable: readonly string[]
  /** Members that are dates; any other text stays one, whatever it looks like. */
  readonly dates: readonly string[]
}

const shapes: Readonly<Record<RecordName, Shape>> = {
  user: { nullable: ['name', 'email', 'emailVerified', 'image'], dates: ['emailVerified'] },
  account: {
    nullable: [
      'refresh_token',
      'access_token',
      'expires_at',
      'token_type',
      'scope',
      'id_token',
      'session_state',
    ],
    dates: [],
  },
  session: { nullable: [], dates: ['expires'] },
  verificationToken: { nullable: [], dates: ['expires'] },
  authenticator: { nullable: ['transports'], dates: [] },
  record: { nullable: ['userId', 'expires'], dates: ['createdAt', 'expires'] },
}

/** The members that have a value. */
export function given<Resource extends object>(resource: Resource): Resource {
  return Object.fromEntries(
    Object.entries(resource).filter(([, value]) => value !== undefined),
  ) as Resource
}

/** The same with every base member, and with dates for what a store keeps as text or number. */
export function toRecord<Name extends RecordName>(name: Name, stored: object): Records[Name] {
  const { nullable, dates } = shapes[name]
  const nothing = Object.fromEntries(nullable.map((member) => [member, null]))
  const record: Record<string, unknown> = { ...nothing, ...given(stored) }
  for (const member of dates) record[member] = toDate(record[member])
  return record as unknown as Records[Name]
}

/**
 * A record as JSON text. Half of a character, which a name that was cut short may end in, is replaced:
 * not everything that reads JSON takes it.
 */
export function toJson(record: object): string {
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}

/** A stored JSON text, parsed; {@link toRecord}. */
export function parseRecord<Name extends RecordName>(name: Name, text: string): Records[Name] {
  return toRecord(name, JSON.parse(text) as object)
}

function toDate(value: unknown): Date | null {
  return value === null || value === undefined ? null : new Date(value as string | number | Date)
}

/** Is a signature counter what may follow another: greater, or 0 as ever where there is none? */
export function movesForward(before: number, after: number): boolean {
  return before < after || (before === 0 && after === 0)
}

/** @throws RangeError for a lease that is over before it begins, or has no date. */
export function checkLease({ now, expires }: { now: Date; expires: Date }): void {
  if (!(expires > now))
    throw new RangeError(withDocs('a lease must end after it begins', 'adapterCall'))
}
