import { type RecordName, type Records, toJson, toRecord } from '../records.ts'
import type { Item } from './client.ts'

/** What every record's item has beside its members, or instead of them. */
export interface ItemShape {
  /** The names of keys of the table and of the index. */
  readonly keyNames: readonly string[]
}

const TYPES: Readonly<Record<RecordName, string | undefined>> = {
  user: 'USER',
  // Its own type says how the account signs in.
  account: undefined,
  session: 'SESSION',
  verificationToken: 'VT',
  authenticator: 'AUTHENTICATOR',
  record: 'RECORD',
}

/** A record as it is stored: without keys, texts for dates, and what the store removes by itself. */
export function toItem<Name extends RecordName>(name: Name, record: Partial<Records[Name]>): Item {
  const type = TYPES[name]
  const { expires, ...members } = record as Item
  return {
    ...(JSON.parse(toJson(members)) as Item),
    ...(expires instanceof Date ? expiry(expires) : {}),
    ...(type === undefined ? {} : { type }),
  }
}

/** The store knows seconds, and removes what is over by this member; the rest is ours. */
export function expiry(expires: Date): { expires: number; expiresExactly: string } {
  return { expires: seconds(expires), expiresExactly: expires.toISOString() }
}

export function seconds(date: Date): number {
  return Math.ceil(date.getTime() / 1000)
}

/** A stored item as a record, without what is of the table. */
export function fromItem<Name extends RecordName>(
  name: Name,
  item: Item,
  { keyNames }: ItemShape,
): Records[Name] {
  const { expires, expiresExactly, deleting: _, ...members } = item
  for (const key of keyNames) delete members[key]
  if (TYPES[name] !== undefined) delete members['type']
  if (expires === undefined) return toRecord(name, members)
  return toRecord(name, { ...members, expires: exactly(Number(expires), expiresExactly) })
}

/** Others know the seconds only: when they changed them, those are right. */
function exactly(stored: number, text: unknown): Date {
  const exact = typeof text === 'string' ? new Date(text) : undefined
  return exact && seconds(exact) === stored ? exact : new Date(stored * 1000)
}
