import { withDocs } from '../../base/option-error.ts'
import { members, type RecordName, type Records } from '../records.ts'

/** One row as the mapper of the application gives it: members named as it names them. */
export type Row = Record<string, unknown>

/** How one value of ours is kept in a column of another type. Never sees `null`. */
export interface Codec {
  encode(value: unknown): unknown
  decode(stored: unknown): unknown
}

export const asIs: Codec = { encode: (value) => value, decode: (stored) => stored }

/** Record to row and back. */
export interface Coding<Name extends RecordName = RecordName> {
  /** What the record has a column and a value for; `undefined` is none, `null` is one. */
  encode(record: object): Row
  decode(row: Row): Records[Name]
}

/**
 * @param there by member, what the table of the application has.
 * @throws when a column is missing.
 */
export function coding<Name extends RecordName>(
  name: Name,
  there: Readonly<Record<string, unknown>>,
  what: { readonly table: string; readonly column: string },
  codecOf: (member: string) => Codec,
): Coding<Name> {
  const ours = members[name]
  const missing = Object.keys(ours).find((member) => !ours[member]?.optional && !(member in there))
  if (missing)
    throw new Error(
      withDocs(`the ${name} ${what.table} has no ${what.column} ${missing}`, 'adapter'),
    )
  const nothing = Object.fromEntries(Object.keys(ours).map((member) => [member, null]))
  return {
    encode(record) {
      const row: Row = {}
      for (const [member, value] of Object.entries(record)) {
        if (value === undefined || !(member in there)) continue
        row[member] = value === null ? null : codecOf(member).encode(value)
      }
      return row
    },
    decode(row) {
      const record: Row = { ...nothing }
      // A verification token has its three members and no more.
      for (const member of Object.keys(name === 'verificationToken' ? nothing : there)) {
        const stored = row[member] ?? null
        record[member] = stored === null ? null : codecOf(member).decode(stored)
      }
      return record as unknown as Records[Name]
    },
  }
}
