import { type RecordName, type Records, toJson, toRecord } from '../records.ts'
import type { Item } from './client.ts'

/** The attributes of an item that are not members of the record. */
export interface ItemShape {
  /** The names of the keys of the table and of the index. */
  readonly keyNames: readonly string[]
}

const TYPES: Readonly<Record<RecordName, string | undefined>> = {
  user: 'USER',
  // The `type` of an account is the type of its provider.
  account: undefined,
  session: 'SESSION',
  verificationToken: 'VT',
  authenticator: 'AUTHENTICATOR',
  record: 'RECORD',
}

/** Returns the item of a record without keys, with texts for dates and the attribute by which DynamoDB removes it. */
export function toItem<Name extends RecordName>(name: Name, record: Partial<Records[Name]>): Item {
  const type = TYPES[name]
  const { expires, ...members } = record as Item
  return {
    ...(JSON.parse(toJson(members)) as Item),
    ...(expires instanceof Date ? expiry(expires) : {}),
    ...(type === undefined ? {} : { type }),
  }
}

/** DynamoDB removes items by seconds, in the attribute `expires`. The adapter compares the exact time. */
export function expiry(expires: Date): { expires: number; expiresExactly: string } {
  return { expires: seconds(expires), expiresExactly: expires.toISOString() }
}

export function seconds(date: Date): number {
  return Math.ceil(date.getTime() / 1000)
}

/** Returns the record of an item, without the attributes of the table. */
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

/** Other adapters store only seconds. If these differ from the exact time, they are newer. */
function exactly(stored: number, text: unknown): Date {
  const exact = typeof text === 'string' ? new Date(text) : undefined
  return exact && seconds(exact) === stored ? exact : new Date(stored * 1000)
}
